// What a client knows of the cluster, and when it asks again: class Metadata, Kafka 4.4 development
// line. A client may know an old state; it learns of a new one when an error, a broken connection
// or the age of its knowledge makes it ask.
//
// Simplified on purpose: an answer carries the metadata of all topics at once; knowledge that has
// become too old is renewed when the client next has something to do, so that an idle client is
// silent. The other reason to rebootstrap, no answer for 300 s (KIP-1102), is left out: before that
// each broker has been given up for a moment.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "client/backoff.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

class ClientMetadata {
 public:
  ClientMetadata(std::vector<broker::BrokerId> bootstrap, Backoff backoff, sim::Duration max_age)
      : bootstrap_(std::move(bootstrap)), backoff_(backoff), max_age_(max_age) {}

  // Null until the first answer.
  // After a rebootstrap it still gives names.
  [[nodiscard]] const broker::ClusterImageRef& image() const { return image_; }
  // The brokers that may be asked: those alive as far as is known, at first bootstrap.servers.
  [[nodiscard]] std::vector<broker::BrokerId> nodes() const;
  // kNoBroker if there is none or the partition is not known.
  [[nodiscard]] broker::BrokerId LeaderOf(const broker::PartitionId& partition) const;
  [[nodiscard]] broker::LeaderEpoch LeaderEpochOf(const broker::PartitionId& partition) const;

  // What is known may be wrong: ask again as soon as the backoff allows.
  void RequestUpdate() { update_requested_ = true; }
  // Something is missing: ask again at once (Metadata.requestUpdateForNewTopics).
  void RequestUpdateNow();
  // Whether no answer has come since one of these two.
  [[nodiscard]] bool update_requested() const { return update_requested_; }
  // When to ask next; nullopt while there is no reason to.
  [[nodiscard]] std::optional<sim::Time> NextUpdateAt(sim::Time now) const;

  // Takes the answer, unless a newer state is known already. True if something is new. One without
  // brokers is a failure (NetworkClient.handleCompletedMetadataResponse): nobody could be asked.
  bool OnImage(const broker::ClusterImageRef& image, sim::Time now);
  void OnFailure(sim::Time now);
  // None of nodes() can be asked: forgets them and who leads what, and begins anew with
  // bootstrap.servers (KIP-899, metadata.recovery.strategy=rebootstrap).
  void Rebootstrap();

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  std::vector<broker::BrokerId> bootstrap_;
  Backoff backoff_;
  sim::Duration max_age_;
  broker::ClusterImageRef image_;
  bool rebootstrapped_ = false;
  bool update_requested_ = false;
  std::optional<sim::Time> last_refresh_;  // answered or failed
  sim::Time last_success_{};
  int32_t failures_ = 0;     // in a row
  int32_t equivalents_ = 0;  // answers in a row that told nothing new
};

}  // namespace kafkasim::client
