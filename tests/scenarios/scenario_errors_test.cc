// Every kind of mistake in a scenario, with the whole of its message.

#include <string>

#include <gtest/gtest.h>

#include "tests/scenarios/loading.h"

namespace kafkasim::scenarios {
namespace {

// The only error of a file with this step, without the lines that show the place.
std::string ErrorOf(const std::string& step) {
  const LoadResult result = LoadScenarioText("f", FileWith("  - " + step + "\n"));
  std::string text;
  for (const Diagnostic& error : result.errors) {
    text += std::to_string(error.mark.line) + ":" + std::to_string(error.mark.column) + " " +
            error.message + (error.suggestion.empty() ? "" : " -> " + error.suggestion) + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

// The same for a file of these sections and no steps.
std::string SetupError(const std::string& sections) {
  const LoadResult result =
      LoadScenarioText("f", "title: t\n" + sections + "\nsteps: [{say: x}]\n");
  std::string text;
  for (const Diagnostic& error : result.errors) {
    text += std::to_string(error.mark.line) + ":" + std::to_string(error.mark.column) + " " +
            error.message + (error.suggestion.empty() ? "" : " -> " + error.suggestion) + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

TEST(ScenarioErrors, ShowFilePlaceLineCaretAndSuggestion) {
  EXPECT_EQ(ErrorsOf("  - old: comit_transaction\n"),
            "f:8:10: error: unknown verb 'comit_transaction'\n"
            "    - old: comit_transaction\n"
            "           ^\n"
            "  did you mean 'commit_transaction'?\n");
}

TEST(ScenarioErrors, AllComeInOnePassInTheOrderOfTheFile) {
  EXPECT_EQ(ErrorsOf("  - olt: flush\n  - wait: 60 sec\n  - old: {seek: 3}\n"),
            "f:8:5: error: unknown actor 'olt'\n"
            "    - olt: flush\n"
            "      ^\n"
            "  did you mean 'old'?\n"
            "f:9:11: error: expected a duration such as 60s, 1.5ms or 10min, found '60 sec'\n"
            "    - wait: 60 sec\n"
            "            ^\n"
            "  did you mean '60s'?\n"
            "f:10:11: error: 'old' is a producer; seek is a verb of a consumer\n"
            "    - old: {seek: 3}\n"
            "            ^\n"
            "3 errors\n");
}

TEST(ScenarioErrors, UnknownKeys) {
  EXPECT_EQ(SetupError("clustr: {}"), "2:1 unknown key 'clustr' in a scenario -> cluster");
  EXPECT_EQ(SetupError("cluster: {brokrs: 3}"), "2:11 unknown key 'brokrs' in cluster -> brokers");
  EXPECT_EQ(SetupError("topics: {t: {partition: 3}}"),
            "2:14 unknown key 'partition' in a topic -> partitions");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders, value: x, kye: 1}}"),
            "8:40 unknown key 'kye' in send -> key");
  EXPECT_EQ(ErrorOf("{old: flush, return: {}}"),
            "8:18 unknown key 'return' in this step -> returns");
  EXPECT_EQ(ErrorOf("expect: {orders-0: {lso: 3}}"),
            "8:25 unknown key 'lso' in expectations of a partition -> last_stable_offset");
  EXPECT_EQ(ErrorOf("hold: {request: EndTxn, frm: old}"), "8:29 unknown key 'frm' in hold -> from");
  EXPECT_EQ(ErrorOf("say: x\n    sya: y"), "9:5 unknown key 'sya' in a say step -> say");
}

TEST(ScenarioErrors, UnknownKeysListTheKnownOnesIfNoneIsNear) {
  EXPECT_EQ(ErrorOf("elect: {zzz: 1, partition: orders-0}"),
            "8:13 unknown key 'zzz' in elect (known: partition, coordinator_of, leader, unclean)");
}

TEST(ScenarioErrors, MissingKeys) {
  EXPECT_EQ(LoadScenarioText("f", "title: x\n").errors.at(0).message,
            "a scenario needs the key 'steps'");
  EXPECT_EQ(ErrorOf("old: {send: {value: x}}"), "8:17 send needs the key 'to'");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders}}"), "8:17 send needs value or values");
  EXPECT_EQ(ErrorOf("when: {marker: any}"), "8:5 a when step needs the key 'do'");
  EXPECT_EQ(ErrorOf("hold: {to: old}"), "8:11 hold needs request or answer");
  EXPECT_EQ(ErrorOf("hold: {request: EndTxn, answer: EndTxn}"),
            "8:11 hold needs only one of request or answer");
  EXPECT_EQ(ErrorOf("delay: {request: EndTxn}"), "8:12 delay needs the key 'by'");
}

TEST(ScenarioErrors, WrongTypes) {
  EXPECT_EQ(SetupError("cluster: 3"), "2:10 expected a mapping for cluster, found '3'");
  EXPECT_EQ(SetupError("cluster: {brokers: many}"),
            "2:20 expected a number of brokers (from 1 to 100), found 'many'");
  EXPECT_EQ(SetupError("cluster: {brokers: '3'}"),
            "2:20 expected a number of brokers (from 1 to 100), found the text in quotes '3'");
  EXPECT_EQ(SetupError("shows: {a: b}"), "2:8 expected text, found a mapping");
  EXPECT_EQ(ErrorOf("say: [x]"), "8:10 expected text, found a list");
  EXPECT_EQ(ErrorOf("say:"), "8:5 expected text, found nothing");
  EXPECT_EQ(ErrorOf("flush"), "8:5 expected a mapping for a step, found 'flush'");
  EXPECT_EQ(ErrorOf("{old: flush, background: yes}"), "8:30 expected true or false, found 'yes'");
  EXPECT_EQ(ErrorOf("expect: []"), "8:13 expected a mapping for expect, found an empty list");
}

TEST(ScenarioErrors, UnknownActorsVerbsAndSteps) {
  EXPECT_EQ(ErrorOf("odl: flush"), "8:5 unknown actor 'odl' -> old");
  EXPECT_EQ(ErrorOf("expct: {}"), "8:5 unknown step 'expct' -> expect");
  EXPECT_EQ(ErrorOf("old: {snd: {}}"), "8:11 unknown verb 'snd' -> send");
  EXPECT_EQ(ErrorOf("billing: commit_transaction"),
            "8:14 'billing' is a consumer; commit_transaction is a verb of a producer");
  EXPECT_EQ(ErrorOf("tool: flush"), "8:11 'tool' is an admin; flush is a verb of a producer");
  EXPECT_EQ(ErrorOf("{returns: {}}"),
            "8:5 this step does nothing: it names no actor and no other thing to do");
  EXPECT_EQ(ErrorOf("{old: flush, billing: poll}"),
            "8:18 unknown key 'billing' in this step "
            "(known: background, as, returns, fails, in, only, because, catches)");
  EXPECT_EQ(ErrorOf("{say: x, wait: 1s}"),
            "8:5 a step is one thing only: this has both 'say' and 'wait'");
}

TEST(ScenarioErrors, CatchesNeedAClaim) {
  EXPECT_EQ(ErrorOf("{wait: 1s, catches: lso_is_high_watermark}"),
            "8:25 this step claims nothing; no bug can show in it");
  EXPECT_EQ(ErrorOf("{say: x, catches: lso_is_high_watermark}"),
            "8:23 this step claims nothing; no bug can show in it");
  EXPECT_EQ(ErrorOf("{crash: broker-0, catches: lso_is_high_watermark}"),
            "8:32 this step claims nothing; no bug can show in it");
  EXPECT_EQ(ErrorOf("{old: flush, catches: lso_is_high_watermark}"), "")
      << "it has to succeed, which is a claim";
}

TEST(ScenarioErrors, Arguments) {
  EXPECT_EQ(ErrorOf("old: send"), "8:10 send needs arguments: {send: {...}}");
  EXPECT_EQ(ErrorOf("old: {flush: {}}"), "8:18 flush takes no arguments; write the word alone");
  EXPECT_EQ(ErrorOf("old: [flush]"),
            "8:10 expected one verb for 'old', alone or with its arguments, found a list");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders, value: x, rate: 5/s}}"),
            "8:17 a send with a rate needs 'for' or count, so that it ends");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders, value: x, for: 5s}}"),
            "8:17 a send with 'for' needs rate or every");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders, value: x, for: 5s, rate: 1/s, every: 1s}}"),
            "8:17 rate and every say the same thing; give one of them");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders, value: x, for: 5s, rate: 1/s, count: 2}}"),
            "8:17 give 'for' or count, not both");
}

TEST(ScenarioErrors, UnknownTopicsPartitionsAndBrokers) {
  EXPECT_EQ(ErrorOf("old: {send: {to: order, value: x}}"), "8:22 unknown topic 'order' -> orders");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders-7, value: x}}"),
            "8:22 'orders' has no partition 7; its last is 'orders-1'");
  EXPECT_EQ(ErrorOf("expect: {orders-2: {high_watermark: 1}}"),
            "8:14 'orders' has no partition 2; its last is 'orders-1'");
  EXPECT_EQ(ErrorOf("expect: {orders-0 on broker-9: {high_watermark: 1}}"),
            "8:14 there is no 'broker-9'; the last one is 'broker-2'");
  EXPECT_EQ(ErrorOf("expect: {orders-0 on old: {high_watermark: 1}}"),
            "8:14 a replica is on a broker, not on 'old'");
  EXPECT_EQ(ErrorOf("crash: brokr-1"), "8:12 unknown process 'brokr-1' -> broker-1");
  EXPECT_EQ(ErrorOf("crash: leader of orders"),
            "8:12 expected a partition such as orders-0, found 'orders' -> orders-0");
  EXPECT_EQ(ErrorOf("elect: {partition: orders-0, leader: 3}"),
            "8:42 expected a broker id from 0 to 2, found '3'");
  EXPECT_EQ(
      SetupError("topics: {t: {}}\n"
                 "cluster: {network: {links: [{from: leader of t-0, to: broker-1, latency: 1s}]}}"),
      "3:36 a link joins actors and brokers; roles move during a run");
  EXPECT_EQ(SetupError("topics: {t: {replicas: 4}}"),
            "2:24 4 replicas need as many brokers; the cluster has 3");
  EXPECT_EQ(SetupError("topics: {t: {leaders: [0, 1]}}"),
            "2:27 leaders name partition 1; the topic has 1");
  EXPECT_EQ(SetupError("topics: {a b: {}}"),
            "2:10 a topic's name has letters, digits, '.', '_' and '-', at most 249: 'a b'");
}

TEST(ScenarioErrors, BadOffsets) {
  EXPECT_EQ(ErrorOf("billing: {seek: {offset: -3}}"),
            "8:30 expected an offset (0 or more), found '-3'");
  EXPECT_EQ(ErrorOf("billing: {seek: {offset: 1.5}}"),
            "8:30 expected an offset (0 or more), found '1.5'");
  EXPECT_EQ(ErrorOf("billing: {seek: {offset: 99999999999999999999}}"),
            "8:30 expected an offset (0 or more), found '99999999999999999999'");
  EXPECT_EQ(ErrorOf("expect: {orders-0: {high_watermark: five}}"),
            "8:41 expected a number (-1 or more), found 'five'");
  EXPECT_EQ(ErrorOf("expect: {orders-0: {log: {x: COMMIT}}}"),
            "8:31 expected an offset (0 or more), found 'x'");
  EXPECT_EQ(ErrorOf("expect: {orders-0: {high_watermark: {at_least: 5, at_most: 4}}}"),
            "8:41 at_least is above at_most");
}

TEST(ScenarioErrors, Settings) {
  EXPECT_EQ(SetupError("cluster: {config: {transaction.versoin: 1}}"),
            "2:20 unknown key 'transaction.versoin' in cluster config -> transaction.version");
  EXPECT_EQ(SetupError("cluster: {config: {transaction.version: 3}}"),
            "2:41 expected a number (from 0 to 2), found '3'");
  EXPECT_EQ(SetupError("actors: {p: {producer: {transactional_id: x}}}"),
            "2:25 unknown key 'transactional_id' in producer -> transactional.id");
  EXPECT_EQ(SetupError("actors: {p: {producer: {acks: most}}}"),
            "2:31 unknown value of acks 'most' (known: all, -1, 0, 1)");
  EXPECT_EQ(SetupError("actors: {p: {producer: {linger.ms: 5 ms}}}"),
            "2:36 expected a duration such as 60s, 1.5ms or 10min, found '5 ms' -> 5ms");
  EXPECT_EQ(SetupError("actors: {p: {producer: {linger.ms: 1us}}}"),
            "2:36 expected a duration of whole milliseconds, found '1us'");
  EXPECT_EQ(SetupError("actors: {p: {producer: {compression.type: lz4}}}"),
            "2:25 'compression.type' is a setting of Kafka that is not modelled");
  EXPECT_EQ(SetupError("actors: {c: {consumer: {isolation.level: read_comitted}}}"),
            "2:42 unknown value of isolation.level 'read_comitted' -> read_committed");
}

TEST(ScenarioErrors, SettingsThatKafkaRefusesTogether) {
  EXPECT_EQ(SetupError("actors: {p: {producer: {transactional.id: x, acks: 1}}}"),
            "2:10 ConfigException: a transactional.id needs an idempotent producer");
  EXPECT_EQ(SetupError("actors: {p: {producer: {enable.idempotence: true}}}\n"
                       "matrix: {p.acks: [all, 0]}"),
            "2:10 ConfigException: an idempotent producer needs acks=all, but acks is 0");
}

TEST(ScenarioErrors, NamesOfActors) {
  EXPECT_EQ(SetupError("actors: {crash: producer}"),
            "2:10 an actor cannot be called 'crash': the word has a meaning in the language");
  EXPECT_EQ(SetupError("actors: {broker-1: producer}"),
            "2:10 an actor cannot be called 'broker-1': the word has a meaning in the language");
  EXPECT_EQ(SetupError("actors: {a b: producer}"),
            "2:10 a name has letters, digits, _ and -, and begins with a letter: 'a b'");
  EXPECT_EQ(SetupError("actors: {a: producr}"), "2:13 unknown kind of actor 'producr' -> producer");
  EXPECT_EQ(SetupError("actors: {a: {producr: {}}}"),
            "2:14 unknown key 'producr' in an actor -> producer");
}

TEST(ScenarioErrors, ErrorCodesStatesAndApis) {
  EXPECT_EQ(ErrorOf("{old: flush, fails: PRODUCER_FENCD}"),
            "8:25 unknown error 'PRODUCER_FENCD' -> PRODUCER_FENCED");
  EXPECT_EQ(ErrorOf("{old: flush, fails: IllegalStateExeption}"),
            "8:25 unknown error 'IllegalStateExeption' -> IllegalStateException");
  EXPECT_EQ(ErrorOf("expect: {transactions: {pay-1: {state: ONGOIN}}}"),
            "8:44 unknown transaction state 'ONGOIN' -> ONGOING");
  EXPECT_EQ(ErrorOf("expect: {transactions: {pay-2: {state: ONGOING}}}"),
            "8:29 unknown transactional id 'pay-2' -> pay-1");
  EXPECT_EQ(ErrorOf("expect: {actors: {old: {state: READI}}}"),
            "8:36 unknown state of a producer 'READI' -> READY");
  EXPECT_EQ(ErrorOf("hold: {request: EndTx}"), "8:21 unknown API 'EndTx' -> EndTxn");
  EXPECT_EQ(ErrorOf("expect: {}"), "8:13 nothing is expected here");
  EXPECT_EQ(ErrorOf("expect: {orders-0: {producers: {}}}"), "8:36 nothing is expected here");
  EXPECT_EQ(ErrorOf("hold: {answer: EndTxn, transactional_id: pay-1}"),
            "8:46 answers to EndTxn name no transactional id -> to: CLIENT");
  EXPECT_EQ(ErrorOf("drop: {request: EndTxn, partition: orders-0}"),
            "8:40 requests of EndTxn name no partition -> transactional_id");
  EXPECT_EQ(ErrorOf("tool: {raw: {api: EndTx, to: broker-0}}"),
            "8:23 unknown API 'EndTx' in raw requests -> EndTxn");
  EXPECT_EQ(
      ErrorOf("tool: {raw: {api: EndTxn, to: broker-0, transactional_id: x, comitted: true}}"),
      "8:66 unknown key 'comitted' in a raw EndTxn -> committed");
  EXPECT_EQ(ErrorOf("tool: {raw: {api: EndTxn, to: old, transactional_id: x, committed: true}}"),
            "8:35 a request is sent to a broker, not to an actor");
  EXPECT_EQ(ErrorOf("wait_until: {marker: COMIT}"), "8:26 unknown marker 'COMIT' -> COMMIT");
  EXPECT_EQ(ErrorOf("wait_until: {marker: any, point: apended}"),
            "8:38 unknown point 'apended' -> appended");
  EXPECT_EQ(ErrorOf("wait_until: {markr: any}"), "8:18 unknown key 'markr' in a trigger -> marker");
}

TEST(ScenarioErrors, Outcomes) {
  EXPECT_EQ(ErrorOf("{old: flush, returns: {}}"), "8:27 flush returns nothing");
  EXPECT_EQ(ErrorOf("{old: init_transactions, returns: {epoch: 1}, fails: PRODUCER_FENCED}"),
            "8:5 a call either returns or fails");
  EXPECT_EQ(ErrorOf("{old: init_transactions, returns: {offset: 1}}"),
            "8:40 unknown key 'offset' in what the call returns (known: producer_id, epoch)");
  EXPECT_EQ(ErrorOf("{billing: poll, returns: 3}"), "8:30 expected a list of records, found '3'");
  EXPECT_EQ(ErrorOf("{tool: {raw: {api: EndTxn, to: broker-0, transactional_id: pay-1, committed: "
                    "true}}, returns: {eror: NONE}}"),
            "8:100 unknown key 'eror' in what EndTxn answers -> error");
}

TEST(ScenarioErrors, Handles) {
  EXPECT_EQ(ErrorOf("await: commit"), "8:12 unknown background action 'commit' (there is none)");
  EXPECT_EQ(ErrorOf("{old: flush, as: x}"),
            "8:22 only an action with background: true can be awaited later");
  EXPECT_EQ(ErrorOf("{old: flush, background: true, as: done}\n  - await: don"),
            "9:12 unknown background action 'don' -> done");
  EXPECT_EQ(ErrorOf("{hold: {request: EndTxn}, as: x}\n  - {drop: {request: EndTxn}, as: x}"),
            "9:35 the name 'x' is already given in line 8");
  EXPECT_EQ(ErrorOf("{hold: {request: EndTxn}, as: old}"),
            "8:35 the name 'old' is that of an actor");
  EXPECT_EQ(ErrorOf("release: late"), "8:14 unknown hold 'late' (known: all)");
  EXPECT_EQ(ErrorOf("{hold: {request: EndTxn}, as: late}\n  - heal: late"),
            "9:11 unknown partition 'late' (known: all)");
  EXPECT_EQ(ErrorOf("{restart: old, as: x}"),
            "8:20 unknown key 'as' in a restart step (known: restart, after, optional, only, "
            "because, catches)");
}

TEST(ScenarioErrors, Variants) {
  EXPECT_EQ(ErrorOf("{old: flush, only: TV2}"),
            "8:24 unknown variant 'TV2' in the matrix (there is none)");
  EXPECT_EQ(SetupError("matrix: [TV1, TV3]"), "2:15 unknown variant 'TV3' -> TV1");
  EXPECT_EQ(SetupError("matrix: [TV1, TV1]"), "2:15 the variant 'TV1' is there twice");
  EXPECT_EQ(SetupError("matrix: []"), "2:9 a matrix has 1 to 64 variants");
  EXPECT_EQ(SetupError("matrix: {transaction.versoin: [1]}"),
            "2:10 unknown key 'transaction.versoin' in matrix -> transaction.version");
  EXPECT_EQ(SetupError("matrix: {transaction.version: [1, x]}"),
            "2:35 expected a number (from 0 to 2), found 'x'");
}

TEST(ScenarioErrors, OfABrokenSectionDoNotMakeEveryNameUnknown) {
  EXPECT_EQ(LoadScenarioText("f",
                             "title: t\ntopcis: {orders: {}}\nactors: {p: producer}\n"
                             "steps: [{p: {send: {to: orders-0, value: x}}}]\n")
                .Report(),
            "f:2:1: error: unknown key 'topcis' in a scenario\n"
            "  topcis: {orders: {}}\n"
            "  ^\n"
            "  did you mean 'topics'?\n");
}

TEST(ScenarioErrors, QuoteLongWordsInPart) {
  const std::string report = ErrorsOf("  - old: " + std::string(3'000, 'x') + "\n");
  EXPECT_NE(report.find("'" + std::string(60, 'x') + "...'"), std::string::npos);
}

TEST(ScenarioErrors, OneMistakeIsOneError) {
  EXPECT_EQ(ErrorOf("old: {send: {too: orders-0, value: a}}"),
            "8:18 unknown key 'too' in send -> to");
}

TEST(ScenarioErrors, WordsThatYamlReadsAsItsOwn) {
  EXPECT_EQ(ErrorOf("old: {send: {to: orders-0, value: v{n}, count: 2}}"),
            "8:40 not valid YAML: a text with { in it has to be quoted here -> \"v{n}\"");
  EXPECT_EQ(ErrorOf("say: x: y"),
            "8:11 not valid YAML: a text with ': ' in it has to be quoted -> say: \"x: y\"");
  EXPECT_EQ(SetupError("cluster: {config: {transaction.version: \"1\"}}"),
            "2:41 expected a number (from 0 to 2), found the text in quotes '1'");
}

TEST(ScenarioErrors, ADurationThatIsTooLongNamesTheLimit) {
  EXPECT_EQ(ErrorOf("wait: 3650000d"), "8:11 a duration is at most 10000d, found '3650000d'");
}

TEST(ScenarioErrors, AVerbMeansAnActor) {
  EXPECT_EQ(ErrorOf("ald: init_transactions"), "8:5 unknown actor 'ald' -> old");
  EXPECT_EQ(ErrorOf("z: {send: {to: orders-0, value: a}}").substr(0, 22), "8:5 unknown actor 'z' ");
}

TEST(ScenarioErrors, OfManyWordsTheNearestAreNamed) {
  const std::string error = ErrorOf("{old: flush, fails: DOESNT}");
  EXPECT_NE(error.find("(the nearest of "), std::string::npos) << error;
  EXPECT_EQ(error.find("UNKNOWN_SERVER_ERROR"), std::string::npos) << error;
}

TEST(ScenarioErrors, WhatSaysNothingOrTheSameTwice) {
  EXPECT_EQ(ErrorOf("partition: [old, old]"), "8:22 'old' is in this partition twice");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders-0, values: []}}"),
            "8:40 an empty list says nothing; at least one has to be there");
  EXPECT_EQ(ErrorOf("crash: []"), "8:12 an empty list says nothing; at least one has to be there");
  EXPECT_EQ(ErrorOf("{old: flush, background: true, as: j}\n  - await: j\n  - await: j"),
            "10:12 'j' is awaited in line 9 already");
}

TEST(ScenarioErrors, AnEmptyListOrMappingIsCalledSo) {
  EXPECT_EQ(SetupError("actors: {p: {}}"),
            "2:13 expected a mapping for an actor, found an empty mapping");
  EXPECT_EQ(SetupError("actors: {app: {application: {producer: {}, program: []}}}"),
            "2:53 expected a list of lines of a program, found an empty list");
}

TEST(ScenarioErrors, ATopicInPlaceOfAPartitionIsMeantAsItsFirst) {
  EXPECT_EQ(ErrorOf("expect: {orders: {log: [a]}}"),
            "8:14 unknown key 'orders' in expect -> orders-0");
}

TEST(ScenarioErrors, SettingsHaveKafkasRanges) {
  EXPECT_EQ(SetupError("actors: {c: {consumer: {max.poll.records: 0}}}"),
            "2:43 expected a number (from 1 to 2147483647), found '0'");
  EXPECT_EQ(SetupError("topics: {t: {config: {min.insync.replicas: 0}}}"),
            "2:44 expected a number (1 or more), found '0'");
  EXPECT_EQ(SetupError("cluster: {config: {offsets.topic.num.partitions: 0}}"),
            "2:50 expected a number (1 or more), found '0'");
  EXPECT_EQ(SetupError("actors: {p: {producer: {transactional.id: ''}}}"),
            "2:43 transactional.id must not be empty");
}

TEST(ScenarioErrors, ATextOfASendHasOnePlace) {
  EXPECT_EQ(ErrorOf("old: {send: {to: orders-0, value: \"v{m}\"}}"),
            "8:39 unknown place '{m}' in a text of a send -> {n}");
  EXPECT_EQ(ErrorOf("old: {send: {to: orders-0, value: '{\"a\": {n}}'}}"), "");
}

}  // namespace
}  // namespace kafkasim::scenarios
