// Wherever the service is killed: each order is enriched, and none twice.
#include <gtest/gtest.h>
#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include "scenarios/trial.h"

constexpr const char* kEnrichment = R"(title: "Killed {where}, number {nth}"
cluster: {{brokers: 3}}
matrix: [TV1, TV2]
topics: {{orders: {{replicas: 3}}, enriched: {{replicas: 3}}}}
actors:
  shop: producer
  service:
    application:
      consumer: {{group.id: g, subscribe: orders, auto.offset.reset: earliest, enable.auto.commit: false}}
      producer: {{transactional.id: service-1}}
      restart: {{after: 5s}}
      program:
      - init_transactions
      - loop:
        - poll: {{max_records: 2}}
        - if_records:
          - begin_transaction
          - {{for_each: record, do: [send: {{to: enriched, value: "{{value}}+seller"}}]}}
          - send_offsets
          - commit_transaction
steps:
  - {{when: {{program: service, {where}, nth: {nth}}}, do: {{crash: service}}, optional: true}}
  - start: service
  - shop: {{send: {{to: orders, value: "o{{n}}", count: 4}}}}
  - expect: {{enriched-0: {{read_committed: [o0+seller, o1+seller, o2+seller, o3+seller]}}}}
    within: 200s
)";

RC_GTEST_PROP(Service, EnrichesEachOrderOnceWhereverItIsKilled, ()) {
  const auto where = *rc::gen::element<std::string>(
      "before: send", "after: send", "after: send_offsets", "after: commit_transaction");
  const int nth = *rc::gen::inRange(1, 5);
  const auto trial = kafkasim::scenarios::TryScenario(
      fmt::format(kEnrichment, fmt::arg("where", where), fmt::arg("nth", nth)));
  if (!trial.holds) RC_FAIL(trial.report);
}
