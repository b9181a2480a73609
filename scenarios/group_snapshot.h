// A consumer group as its coordinator knows it at one moment of a run, with what its committed
// offsets mean: how far behind the group is.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/group_records.h"
#include "scenarios/moment.h"

namespace kafkasim::scenarios {

struct GroupSnapshot {
  using Member = MemberOfGroup;
  // The three distances from a committed offset: to the high watermark, as most tools show it; to
  // the last stable offset; and in records that a reader of read_committed is still to be given.
  struct Lag {
    std::int64_t to_high_watermark = 0;
    std::int64_t to_last_stable_offset = 0;
    std::int64_t records = 0;
  };
  struct Committed {
    std::string partition{};
    std::int64_t offset = 0;
    std::optional<Lag> lag{};  // nullopt while the partition has no leader that runs
  };
  // Offsets inside a transaction that is still open.
  struct Pending {
    std::string partition{};
    std::int64_t offset = 0;
    std::int64_t producer_id = -1;
  };

  std::string group_id{};
  std::int32_t partition = -1;    // of __consumer_offsets
  std::int32_t coordinator = -1;  // broker; -1 = none at this moment
  std::string state{};            // "STABLE"
  std::int32_t generation = 0;
  std::string protocol{};  // the assignor; "" for none
  std::string leader{};    // the client of the member that assigns; "" for none
  std::vector<Member> members{};
  std::vector<Committed> committed{};
  std::vector<Pending> pending{};
  // Its records in __consumer_offsets, oldest first; only TakeSnapshot looks for them.
  std::vector<GroupRecordView> records{};
};

// All groups that a running coordinator knows, by id.
[[nodiscard]] std::vector<GroupSnapshot> ViewGroups(const Moment& moment);
// One of them; nullopt if none does.
[[nodiscard]] std::optional<GroupSnapshot> ViewGroup(const Moment& moment,
                                                     std::string_view group_id);

// Who is that member: the actor whose consumer holds the id, else the one that its client.id names,
// as a static member keeps the client.id of its predecessor
// (GroupMetadataManager.replaceStaticMember) and a crashed process has forgotten its own.
[[nodiscard]] std::string ActorOf(const Moment& moment, std::string_view member_id,
                                  std::string_view client_id);

}  // namespace kafkasim::scenarios
