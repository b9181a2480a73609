#include "broker/pending_writes.h"

#include <algorithm>

namespace kafkasim::broker {

void PendingWrite::SetError(uint32_t result, ErrorCode error) {
  if (auto* produce = std::get_if<ProduceResponse>(&answer)) {
    produce->partitions[result].error = error;
  } else if (auto* markers = std::get_if<WriteTxnMarkersResponse>(&answer)) {
    markers->markers[result / 65536].partitions[result % 65536].error = error;
  } else {
    std::get<ServiceAppend>(answer).error = error;
  }
}

void PendingWrite::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(id);
  out.Add(reply_to);
  out.Add(static_cast<uint32_t>(answer.index()));
  if (const auto* produce = std::get_if<ProduceResponse>(&answer)) {
    out.Add(*produce);
  } else if (const auto* markers = std::get_if<WriteTxnMarkersResponse>(&answer)) {
    out.Add(*markers);
  } else {
    const auto& append = std::get<ServiceAppend>(answer);
    out.Add(append.service);
    out.Add(append.token);
    out.Add(append.error);
  }
  out.Add(static_cast<uint32_t>(waits.size()));
  for (const Wait& wait : waits) {
    out.Add(wait.partition);
    out.Add(wait.required);
    out.Add(wait.result);
    out.Add(wait.of_service);
  }
}

PendingWrite& PendingWrites::Add(PendingWrite write) {
  // Small ids, used again, so that equal situations look equal. A finished write's timer is
  // cancelled before its id is free.
  write.id = 0;
  while (std::any_of(writes_.begin(), writes_.end(),
                     [&](const PendingWrite& other) { return other.id == write.id; })) {
    ++write.id;
  }
  return writes_.emplace_back(std::move(write));
}

std::optional<PendingWrite> PendingWrites::TakeExpired(uint32_t id) {
  const auto found = std::find_if(writes_.begin(), writes_.end(),
                                  [&](const PendingWrite& write) { return write.id == id; });
  if (found == writes_.end()) return std::nullopt;
  PendingWrite write = std::move(*found);
  writes_.erase(found);
  for (const PendingWrite::Wait& wait : write.waits) {
    write.SetError(wait.result, ErrorCode::kRequestTimedOut);
  }
  return write;
}

std::optional<PendingWrite> PendingWrites::TakeExpiredOfService(uint32_t id) {
  const auto found = std::find_if(writes_.begin(), writes_.end(),
                                  [&](const PendingWrite& write) { return write.id == id; });
  if (found == writes_.end()) return std::nullopt;
  for (size_t w = 0; w < found->waits.size();) {
    if (!found->waits[w].of_service) {
      ++w;
      continue;
    }
    found->SetError(found->waits[w].result, ErrorCode::kRequestTimedOut);
    found->waits.erase(found->waits.begin() + static_cast<std::ptrdiff_t>(w));
  }
  if (!found->waits.empty()) return std::nullopt;
  PendingWrite write = std::move(*found);
  writes_.erase(found);
  return write;
}

bool PendingWrites::WaitsOn(const PartitionId& partition) const {
  return std::any_of(writes_.begin(), writes_.end(), [&](const PendingWrite& write) {
    return std::any_of(write.waits.begin(), write.waits.end(),
                       [&](const PendingWrite::Wait& wait) { return wait.partition == partition; });
  });
}

}  // namespace kafkasim::broker
