#include "broker/broker_state.h"

#include <algorithm>

#include "sim/check.h"

namespace kafkasim::broker {
namespace {

// The smallest number from `first` on that no element has under `member`: equal situations get
// equal numbers.
template <typename Element>
uint32_t SmallestFree(const std::vector<Element>& elements, uint32_t Element::*member,
                      uint32_t first = 0) {
  uint32_t number = first;
  while (std::any_of(elements.begin(), elements.end(),
                     [&](const Element& element) { return element.*member == number; })) {
    ++number;
  }
  return number;
}

// Takes the element with this ticket out; it must be there.
template <typename Element>
Element TakeTicket(std::vector<Element>& elements, uint32_t ticket) {
  const auto found = std::find_if(elements.begin(), elements.end(),
                                  [&](const Element& element) { return element.ticket == ticket; });
  KAFKASIM_CHECK(found != elements.end(), "a ticket belongs to somebody who waits");
  Element element = std::move(*found);
  elements.erase(found);
  return element;
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

PendingProduce PendingProduces::Take(uint32_t ticket) { return TakeTicket(all, ticket); }

ServiceVerification& PendingProduces::AddOfService(ServiceVerification verification) {
  verification.ticket =
      SmallestFree(of_services, &ServiceVerification::ticket, ServiceVerification::kTicket);
  return of_services.emplace_back(std::move(verification));
}

ServiceVerification PendingProduces::TakeOfService(uint32_t ticket) {
  return TakeTicket(of_services, ticket);
}

void ServiceVerification::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(ticket);
  out.Add(service);
  out.Add(asked.partition);
  out.Add(asked.transactional_id);
  out.Add(asked.producer_id);
  out.Add(asked.producer_epoch);
  out.Add(asked.operation);
  out.Add(asked.token);
  out.Add(guard);
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
}

}  // namespace kafkasim::broker
