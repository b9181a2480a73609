#include "broker/broker_state.h"

#include <algorithm>

#include "sim/check.h"

namespace kafkasim::broker {
namespace {

// The smallest number that no element has under `member`: equal situations get equal numbers.
template <typename Element>
uint32_t SmallestFree(const std::vector<Element>& elements, uint32_t Element::*member) {
  uint32_t number = 0;
  while (std::any_of(elements.begin(), elements.end(),
                     [&](const Element& element) { return element.*member == number; })) {
    ++number;
  }
  return number;
}

}  // namespace

void PendingProduce::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(ticket);
  out.Add(reply_to);
  out.Add(request->fingerprint());
  out.Add(started);
  out.Add(static_cast<uint32_t>(parts.size()));
  for (const Part& part : parts) {
    out.Add(part.guard);
    out.Add(CodeOf(part.refusal));
  }
}

PendingProduce& PendingProduces::Add(PendingProduce produce) {
  produce.ticket = SmallestFree(all, &PendingProduce::ticket);
  return all.emplace_back(std::move(produce));
}

PendingProduce* PendingProduces::Find(uint32_t ticket) {
  for (PendingProduce& produce : all) {
    if (produce.ticket == ticket) return &produce;
  }
  return nullptr;
}

PendingProduce PendingProduces::Take(uint32_t ticket) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const PendingProduce& produce) {
    return produce.ticket == ticket;
  });
  KAFKASIM_CHECK(found != all.end(), "a ticket belongs to a produce request");
  PendingProduce produce = std::move(*found);
  all.erase(found);
  return produce;
}

void WaitingFetch::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(id);
  out.Add(reply_to);
  out.Add(request->fingerprint());
}

WaitingFetch& WaitingFetches::Add(WaitingFetch fetch) {
  fetch.id = SmallestFree(all, &WaitingFetch::id);
  return all.emplace_back(std::move(fetch));
}

void OpenCall::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(correlation);
  out.Add(to);
  out.Add(channel);
  out.Add(partition);
  out.Add(service);
  out.Add(token);
  out.Add(forwarded_for.has_value());
  if (forwarded_for.has_value()) out.Add(*forwarded_for);
}

}  // namespace kafkasim::broker
