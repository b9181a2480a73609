#include "scenarios/workload.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/yaml_text.h"
#include "scenarios/yaml_tree.h"
#include "sim/rng.h"

namespace kafkasim::scenarios {
namespace {

Node NumberNode(std::int64_t number) { return ScalarNode(std::to_string(number)); }

// `key: value`, a line of a program or a step.
Node OneEntry(std::string key, Node value) {
  return MappingNode({EntryOf(std::move(key), std::move(value))});
}

Node WordList(std::initializer_list<const char*> words) {
  std::vector<Node> items;
  for (const char* word : words) items.push_back(ScalarNode(word));
  return SequenceNode(std::move(items));
}

class Generator {
 public:
  Generator(std::uint64_t seed, const WorkloadShape& shape)
      : seed_(seed),
        rng_(seed),
        brokers_(Draw(shape.brokers, 1, 3)),
        partitions_(Draw(shape.partitions, 1, 2)),
        producers_(Draw(shape.producers, 1, 2)),
        services_(Draw(shape.services, 0, 2)),
        consumers_(Draw(shape.consumers, 0, 1)) {}

  Node Make() {
    std::vector<NodeEntry> entries;
    entries.push_back(EntryOf("title", TextNode(fmt::format("Workload {}", seed_))));
    entries.push_back(EntryOf("cluster", Cluster()));
    entries.push_back(EntryOf("topics", Topics()));
    entries.push_back(EntryOf("actors", Actors()));
    entries.push_back(EntryOf("explore", Faults()));
    std::vector<Node> steps;
    for (const std::string& name : names_) steps.push_back(OneEntry("start", ScalarNode(name)));
    steps.push_back(OneEntry("wait", ScalarNode("120s")));
    entries.push_back(EntryOf("steps", SequenceNode(std::move(steps))));
    return MappingNode(std::move(entries));
  }

 private:
  std::int64_t Draw(const std::optional<std::int64_t>& given, std::int64_t least,
                    std::int64_t most) {
    const std::int64_t drawn = rng_.Between(least, most);
    return given.value_or(drawn);
  }
  bool Chance(std::uint64_t percent) { return rng_.Below(100) < percent; }

  Node Cluster() {
    const std::int64_t replicas = std::min<std::int64_t>(brokers_, 3);
    std::vector<NodeEntry> config;
    const std::int64_t protocol = rng_.Between(0, 2);
    config.push_back(EntryOf("transaction.version", NumberNode(protocol == 2 ? 2 : 1)));
    if (protocol == 0) {
      config.push_back(EntryOf("transaction.partition.verification.enable", ScalarNode("false")));
    }
    for (const char* topic : {"transaction.state.log", "offsets.topic"}) {
      config.push_back(EntryOf(fmt::format("{}.replication.factor", topic), NumberNode(replicas)));
      config.push_back(EntryOf(fmt::format("{}.num.partitions", topic), NumberNode(1)));
    }
    config.push_back(
        EntryOf("transaction.state.log.min.isr", NumberNode(std::min<std::int64_t>(replicas, 2))));
    return MappingNode({EntryOf("brokers", NumberNode(brokers_)),
                        EntryOf("config", MappingNode(std::move(config)))});
  }

  Node Topic() const {
    const std::int64_t replicas = std::min<std::int64_t>(brokers_, 3);
    std::vector<NodeEntry> topic;
    topic.push_back(EntryOf("partitions", NumberNode(partitions_)));
    topic.push_back(EntryOf("replicas", NumberNode(replicas)));
    if (replicas > 1) {
      topic.push_back(EntryOf("config", OneEntry("min.insync.replicas", NumberNode(2))));
    }
    return MappingNode(std::move(topic));
  }

  Node Topics() const {
    std::vector<NodeEntry> topics;
    topics.push_back(EntryOf("orders", Topic()));
    if (services_ > 0) topics.push_back(EntryOf("enriched", Topic()));
    return MappingNode(std::move(topics));
  }

  Node Actors() {
    std::vector<NodeEntry> actors;
    for (std::int64_t i = 1; i <= producers_; ++i) {
      // Now and then two of them think they are the same.
      const bool twin = i > 1 && Chance(25);
      Add(fmt::format("writer_{}", i), Writer(fmt::format("writer-{}", twin ? i - 1 : i)), actors);
    }
    for (std::int64_t i = 1; i <= services_; ++i) {
      Add(fmt::format("service_{}", i), Service(i), actors);
    }
    for (std::int64_t i = 1; i <= consumers_; ++i) {
      Add(fmt::format("reader_{}", i), ReaderApplication(), actors);
    }
    return MappingNode(std::move(actors));
  }

  void Add(const std::string& name, Node application, std::vector<NodeEntry>& actors) {
    names_.push_back(name);
    actors.push_back(EntryOf(name, OneEntry("application", std::move(application))));
  }

  Node ProducerOf(const std::string& transactional_id) {
    return MappingNode({EntryOf("transactional.id", ScalarNode(transactional_id)),
                        EntryOf("transaction.timeout.ms", ScalarNode("10s")),
                        EntryOf("linger.ms", NumberNode(0))});
  }

  static Node Times(std::int64_t times, std::vector<Node> lines) {
    return MappingNode(
        {EntryOf("times", NumberNode(times)), EntryOf("do", SequenceNode(std::move(lines)))});
  }

  // Transactions of a few records each; some are aborted.
  Node Writer(const std::string& transactional_id) {
    std::vector<Node> program{ScalarNode("init_transactions")};
    const std::int64_t transactions = rng_.Between(1, 3);
    std::vector<Node> lines{ScalarNode("begin_transaction")};
    const std::int64_t records = rng_.Between(1, 2);
    for (std::int64_t i = 0; i < records; ++i) {
      lines.push_back(
          OneEntry("send", MappingNode({EntryOf("to", ScalarNode(PartitionOf("orders"))),
                                        EntryOf("value", TextNode("w{n}"))})));
      if (Chance(50)) lines.push_back(ScalarNode("flush"));
    }
    lines.push_back(ScalarNode(Chance(75) ? "commit_transaction" : "abort_transaction"));
    program.push_back(Times(transactions, std::move(lines)));
    return MappingNode({EntryOf("producer", ProducerOf(transactional_id)),
                        EntryOf("program", SequenceNode(std::move(program))),
                        EntryOf("on_error", OnError(/*consumes=*/false))});
  }

  std::string PartitionOf(std::string_view topic) {
    return fmt::format("{}-{}", topic, rng_.Between(0, partitions_ - 1));
  }

  // Reads orders, writes enriched, and commits what it has read with what it has written.
  Node Service(std::int64_t number) {
    std::vector<Node> round;
    round.push_back(ScalarNode("poll"));
    std::vector<Node> each{
        OneEntry("send", MappingNode({EntryOf("to", ScalarNode(PartitionOf("enriched"))),
                                      EntryOf("value", TextNode("{value}"))}))};
    std::vector<Node> work;
    work.push_back(ScalarNode("begin_transaction"));
    work.push_back(MappingNode(
        {EntryOf("for_each", ScalarNode("record")), EntryOf("do", SequenceNode(std::move(each)))}));
    work.push_back(ScalarNode("send_offsets"));
    work.push_back(ScalarNode("commit_transaction"));
    round.push_back(OneEntry("if_records", SequenceNode(std::move(work))));
    std::vector<Node> program{ScalarNode("init_transactions")};
    program.push_back(Times(rng_.Between(2, 4), std::move(round)));
    return MappingNode({EntryOf("consumer", Consumer("orders", /*in_group=*/true)),
                        EntryOf("producer", ProducerOf(fmt::format("service-{}", number))),
                        EntryOf("program", SequenceNode(std::move(program))),
                        EntryOf("on_error", OnError(/*consumes=*/true))});
  }

  Node ReaderApplication() {
    const char* topic = services_ > 0 && Chance(50) ? "enriched" : "orders";
    std::vector<Node> program{Times(rng_.Between(2, 4), {ScalarNode("poll")})};
    return MappingNode({EntryOf("consumer", Consumer(topic, /*in_group=*/false)),
                        EntryOf("program", SequenceNode(std::move(program)))});
  }

  static Node Consumer(const char* topic, bool in_group) {
    std::vector<NodeEntry> consumer;
    if (in_group) {
      consumer.push_back(EntryOf("group.id", ScalarNode("services")));
      consumer.push_back(EntryOf("enable.auto.commit", ScalarNode("false")));
    }
    consumer.push_back(EntryOf(in_group ? "subscribe" : "assign", ScalarNode(topic)));
    consumer.push_back(EntryOf("isolation.level", ScalarNode("read_committed")));
    consumer.push_back(EntryOf("auto.offset.reset", ScalarNode("earliest")));
    return MappingNode(std::move(consumer));
  }

  static Node OnError(bool consumes) {
    return MappingNode(
        {EntryOf("abortable", consumes
                                  ? WordList({"abort_transaction", "seek_to_committed", "continue"})
                                  : WordList({"abort_transaction", "continue"})),
         EntryOf("fatal", ScalarNode("stop"))});
  }

  Node Faults() {
    std::vector<NodeEntry> faults;
    const auto add = [&](const char* kind, std::int64_t most) {
      const std::int64_t count = rng_.Between(0, most);
      if (count > 0) faults.push_back(EntryOf(kind, NumberNode(count)));
      return count > 0;
    };
    add("holds", 2);
    add("losses", 1);
    if (add("crashes", 2)) faults.push_back(EntryOf("crash", Victims()));
    if (add("pauses", 1)) faults.push_back(EntryOf("pause", Victims()));
    if (brokers_ > 1 && add("elections", 1)) {
      faults.push_back(EntryOf("elect", ScalarNode(PartitionOf("orders"))));
    }
    add("early_timers", 2);
    // Long enough for everything to come to rest, forgotten ids and producers among it.
    faults.push_back(EntryOf("until", ScalarNode("2000h")));
    return MappingNode(std::move(faults));
  }

  Node Victims() const {
    std::vector<Node> victims;
    for (std::int64_t i = 0; i < brokers_; ++i) {
      victims.push_back(ScalarNode(fmt::format("broker-{}", i)));
    }
    for (const std::string& name : names_) victims.push_back(ScalarNode(name));
    return SequenceNode(std::move(victims));
  }

  std::uint64_t seed_;
  sim::Rng rng_;
  std::int64_t brokers_;
  std::int64_t partitions_;
  std::int64_t producers_;
  std::int64_t services_;
  std::int64_t consumers_;
  std::vector<std::string> names_;  // of the applications
};

}  // namespace

std::string WorkloadShape::Text() const {
  std::string text;
  const auto add = [&](std::string_view name, const std::optional<std::int64_t>& number) {
    if (number.has_value()) {
      text += fmt::format("{}--{} {}", text.empty() ? "" : " ", name, *number);
    }
  };
  add("brokers", brokers);
  add("partitions", partitions);
  add("producers", producers);
  add("services", services);
  add("consumers", consumers);
  return text;
}

std::string MakeWorkload(std::uint64_t seed, const WorkloadShape& shape) {
  return YamlText(Generator(seed, shape).Make());
}

}  // namespace kafkasim::scenarios
