#include "scenarios/spelling.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace kafkasim::scenarios {
namespace {

// Longer words are no misspellings; comparing them would only cost time.
constexpr std::size_t kLongestWord = 64;

// What people coming from other tools write, and what it is called here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 46> kSynonyms{{
    {"abort", "abort_transaction"},
    {"api", "request"},
    {"assert", "expect"},
    {"assertions", "expect"},
    {"begin", "begin_transaction"},
    {"by", "actor"},
    {"clients", "actors"},
    {"commit", "commit_transaction"},
    {"description", "about"},
    {"disconnect", "partition"},
    {"duplicate", "repeat"},
    {"error", "fails"},
    {"errors", "fails"},
    {"fence", "fence_producers"},
    {"group", "group.id"},
    {"high_water_mark", "high_watermark"},
    {"hw", "high_watermark"},
    {"hwm", "high_watermark"},
    {"id", "transactional.id"},
    {"init", "init_transactions"},
    {"isolation", "isolation.level"},
    {"kill", "crash"},
    {"leo", "log_end_offset"},
    {"lso", "last_stable_offset"},
    {"message", "value"},
    {"name", "title"},
    {"nodes", "brokers"},
    {"note", "say"},
    {"offset", "log_end_offset"},
    {"pid", "producer_id"},
    {"producer_epoch", "epoch"},
    {"reconnect", "heal"},
    {"replication_factor", "replicas"},
    {"response", "answer"},
    {"result", "returns"},
    {"rf", "replicas"},
    {"sleep", "wait"},
    {"start", "restart"},
    {"stop", "crash"},
    {"terminate", "force_terminate_transaction"},
    {"topic", "to"},
    {"txn_timeout", "transaction.timeout.ms"},
    {"unpause", "resume"},
    {"until", "wait_until"},
    {"variants", "matrix"},
    {"waits", "await"},
}};

// `word` in lower case with one separator, so that only real mistakes are counted.
std::string Folded(std::string_view word) {
  std::string folded(word);
  for (char& c : folded) {
    if (c == '-' || c == '.' || c == ' ') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

bool Contains(const std::vector<std::string>& candidates, std::string_view word) {
  return std::find(candidates.begin(), candidates.end(), word) != candidates.end();
}

}  // namespace

int EditDistance(std::string_view a, std::string_view b) {
  // Rows of the usual table; the one before the last is needed to see swapped neighbours.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string ClosestTo(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return "";
  const std::string folded = Folded(word);
  for (const std::string& candidate : candidates) {
    if (Folded(candidate) == folded) return candidate;
  }
  for (const auto& [other, ours] : kSynonyms) {
    if (other == folded && Contains(candidates, ours)) return std::string(ours);
  }
  const std::string* best = nullptr;
  int best_distance = std::clamp(static_cast<int>(folded.size()) / 3, 1, 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const int distance = EditDistance(folded, Folded(candidate));
    if (distance < best_distance &&
        2 * distance < static_cast<int>(std::max(folded.size(), candidate.size()))) {
      best_distance = distance;
      best = &candidate;
    }
  }
  if (best != nullptr) return *best;
  for (const std::string& candidate : candidates) {
    if (folded.size() >= 3 && Folded(candidate).starts_with(folded)) return candidate;
  }
  return "";
}

std::vector<std::string> NearestTo(std::string_view word, std::vector<std::string> candidates,
                                   std::size_t count) {
  const std::string folded = Folded(word.substr(0, kLongestWord));
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const std::string& a, const std::string& b) {
                     return EditDistance(folded, Folded(a)) < EditDistance(folded, Folded(b));
                   });
  candidates.resize(std::min(count, candidates.size()));
  return candidates;
}

}  // namespace kafkasim::scenarios
