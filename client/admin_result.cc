#include "client/admin_result.h"

#include <fmt/format.h>

namespace kafkasim::client {
namespace {

struct AdminResultAppender {
  sim::CanonicalBytes& out;

  void operator()(const PartitionProducers& result) const {
    out.Add(static_cast<uint32_t>(result.rows.size()));
    for (const PartitionProducers::Row& row : result.rows) {
      out.Add(row.partition);
      out.Add(row.state.producer_id);
      out.Add(row.state.producer_epoch);
      out.Add(row.state.last_sequence);
      out.Add(row.state.last_timestamp_ms);
      out.Add(row.state.coordinator_epoch);
      out.Add(row.state.current_txn_start_offset);
    }
  }
  void operator()(const TransactionListings& result) const {
    out.Add(static_cast<uint32_t>(result.rows.size()));
    for (const TransactionListings::Row& row : result.rows) {
      out.Add(row.coordinator);
      out.Add(row.state.transactional_id);
      out.Add(row.state.producer_id);
      out.Add(row.state.state);
    }
  }
  void operator()(const TransactionDescriptions& result) const {
    out.Add(static_cast<uint32_t>(result.rows.size()));
    for (const TransactionDescriptions::Row& row : result.rows) {
      out.Add(row.coordinator);
      out.Add(row.state.transactional_id);
      out.Add(row.state.state);
      out.Add(row.state.timeout_ms);
      out.Add(row.state.start_time_ms);
      out.Add(row.state.producer_id);
      out.Add(row.state.producer_epoch);
      out.AddAll(row.state.partitions);
    }
  }
  void operator()(const FencedProducers& result) const {
    out.Add(static_cast<uint32_t>(result.rows.size()));
    for (const FencedProducers::Row& row : result.rows) {
      out.Add(row.transactional_id);
      out.Add(row.producer_id);
      out.Add(row.epoch);
    }
  }
};

struct RowDescriber {
  const broker::ClusterImage& names;

  std::string operator()(const PartitionProducers::Row& row) const {
    std::string text = fmt::format("{}: producer {} epoch {}", names.NameOf(row.partition),
                                   row.state.producer_id, row.state.producer_epoch);
    if (row.state.current_txn_start_offset != broker::kNoOffset) {
      text += fmt::format(" from offset {}", row.state.current_txn_start_offset);
    }
    return text;
  }
  std::string operator()(const TransactionListings::Row& row) const {
    return fmt::format("{}: {} producer {} at broker-{}", row.state.transactional_id,
                       row.state.state, row.state.producer_id, row.coordinator);
  }
  std::string operator()(const TransactionDescriptions::Row& row) const {
    std::string text = fmt::format(
        "{}: {} producer {} epoch {} at broker-{}", row.state.transactional_id, row.state.state,
        row.state.producer_id, row.state.producer_epoch, row.coordinator);
    for (const broker::PartitionId& partition : row.state.partitions) {
      text += " " + names.NameOf(partition);
    }
    return text;
  }
  std::string operator()(const FencedProducers::Row& row) const {
    return fmt::format("{}: producer {} epoch {}", row.transactional_id, row.producer_id,
                       row.epoch);
  }
};

}  // namespace

void AdminResult::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint8_t>(what.index()));
  std::visit(AdminResultAppender{out}, what);
}

std::string Describe(const AdminResult& result, const broker::ClusterImage& names) {
  return std::visit(
      [&](const auto& typed) {
        constexpr size_t kShown = 8;
        std::string text;
        for (size_t i = 0; i < typed.rows.size(); ++i) {
          if (i == kShown) return text + " ...";
          if (i > 0) text += "; ";
          text += RowDescriber{names}(typed.rows[i]);
        }
        return text.empty() ? std::string("none") : text;
      },
      result.what);
}

}  // namespace kafkasim::client
