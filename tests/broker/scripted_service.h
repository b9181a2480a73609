// A coordinator for tests of brokers: answers as it was told, and notes what it hears.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "broker/messages_transaction.h"
#include "broker/partition_log.h"
#include "broker/service.h"

namespace kafkasim::broker {

inline constexpr sim::EventKind kScripted{"scripted", "A scripted service reached a point."};

// Serves AddPartitionsToTxn with a fixed list of errors, one a request (the last one for ever), and
// EndTxn by running a script of effects.
class ScriptedService final : public Service {
 public:
  struct Script {
    std::vector<ErrorCode> verification{ErrorCode::kNone};  // of each partition asked for
    ErrorCode verification_as_a_whole = ErrorCode::kNone;
    bool silent = false;   // never answers AddPartitionsToTxn
    Effects on_end_txn{};  // what EndTxn makes it do
  };

  explicit ScriptedService(Script script) : script_(std::move(script)) {}

  // What was heard, e.g. "elected 21 epoch 0", "appended 5 NONE".
  [[nodiscard]] const std::vector<std::string>& heard() const { return heard_; }
  [[nodiscard]] const std::vector<AddPartitionsToTxnRequest>& asked() const { return asked_; }

  [[nodiscard]] std::unique_ptr<Service> Clone() const override {
    return std::make_unique<ScriptedService>(*this);
  }
  void AppendTo(sim::CanonicalBytes& out) const override { out.AddAll(heard_); }
  [[nodiscard]] std::string_view topic() const override { return kTransactionStateTopic; }
  [[nodiscard]] bool Serves(ApiKey key) const override {
    return key == ApiKey::kAddPartitionsToTxn || key == ApiKey::kEndTxn;
  }
  void OnStart(const ServiceContext&, Effects&) override { heard_.push_back("started"); }
  void OnRequest(const ServiceContext&, const sim::RequestIn& request, Effects& effects) override {
    if (AsMessage(*request.payload).key() == ApiKey::kEndTxn) {
      for (const Effect& effect : script_.on_end_txn) effects.push_back(effect);
      effects.push_back(
          ReplyEffect{.to = request.reply_to, .response = MakeMessage(EndTxnResponse{})});
      return;
    }
    const auto& asked = BodyOf<AddPartitionsToTxnRequest>(*request.payload);
    const size_t turn = std::min(asked_.size(), script_.verification.size() - 1);
    asked_.push_back(asked);
    if (script_.silent) return;
    AddPartitionsToTxnResponse response{.error = script_.verification_as_a_whole};
    for (const auto& txn : asked.transactions) {
      auto& result = response.transactions.emplace_back();
      result.transactional_id = txn.transactional_id;
      for (const PartitionId& partition : txn.partitions) {
        result.partitions.push_back({.partition = partition, .error = script_.verification[turn]});
      }
    }
    effects.push_back(
        ReplyEffect{.to = request.reply_to, .response = MakeMessage(std::move(response))});
  }
  void OnAppended(const ServiceContext&, uint64_t token, ErrorCode error, Effects&) override {
    heard_.push_back(fmt::format("appended {} {}", token, Name(error)));
  }
  void OnAnswer(const ServiceContext&, uint64_t token, const sim::PayloadRef& response,
                Effects&) override {
    heard_.push_back(
        fmt::format("answer {} {}", token, response == nullptr ? "none" : response->api()));
  }
  void OnTimer(const ServiceContext& context, uint32_t kind, uint64_t argument, Effects&) override {
    heard_.push_back(fmt::format("timer {} {} at {}ms", kind, argument, context.now().millis()));
  }
  void OnElected(const ServiceContext& context, const PartitionId& partition, LeaderEpoch epoch,
                 Effects&) override {
    heard_.push_back(fmt::format("elected {} epoch {} end {}", partition.index, epoch,
                                 context.LocalLog(partition)->log_end_offset()));
  }
  void OnResigned(const ServiceContext&, const PartitionId& partition, LeaderEpoch epoch,
                  Effects&) override {
    heard_.push_back(fmt::format("resigned {} epoch {}", partition.index, epoch));
  }
  void OnMetadata(const ServiceContext&, Effects&) override {}
  void OnCrash() override {
    heard_.clear();
    asked_.clear();
  }

 private:
  Script script_;
  std::vector<std::string> heard_;
  std::vector<AddPartitionsToTxnRequest> asked_;
};

}  // namespace kafkasim::broker
