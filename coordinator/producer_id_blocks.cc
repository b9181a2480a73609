#include "coordinator/producer_id_blocks.h"

namespace kafkasim::coordinator {

using broker::ProducerId;

ProducerIdBlocks::Generated ProducerIdBlocks::Generate(sim::Time now) {
  if (next_id_ == current_.end) {
    if (!next_block_.has_value()) return {std::nullopt, MayRequest(now)};
    current_ = *next_block_;
    next_id_ = current_.first;
    next_block_.reset();
    request_in_flight_ = false;
    not_before_.reset();
  }
  const ProducerId id = next_id_;
  ++next_id_;
  const int64_t size = current_.end - current_.first;
  const bool prefetch = id == current_.first + size * 9 / 10;
  return {id, prefetch && MayRequest(now)};
}

void ProducerIdBlocks::OnBlock(ProducerId first, int32_t count, sim::Time now) {
  if (count <= 0 || first < current_.end) {
    OnFailure(now);
    return;
  }
  next_block_ = Block{first, first + count};
}

void ProducerIdBlocks::OnFailure(sim::Time now) {
  not_before_ = now + kProducerIdsBackoff;
  request_in_flight_ = false;
}

bool ProducerIdBlocks::MayRequest(sim::Time now) {
  if (next_block_.has_value() || request_in_flight_) return false;
  if (not_before_.has_value() && now < *not_before_) return false;
  request_in_flight_ = true;
  return true;
}

void ProducerIdBlocks::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(current_);
  out.Add(next_id_);
  out.Add(next_block_);
  out.Add(request_in_flight_);
  out.Add(not_before_.has_value());
  out.Add(not_before_.value_or(sim::Time{}));
}

}  // namespace kafkasim::coordinator
