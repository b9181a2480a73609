// A sorted map that copies on write in small pieces: copying it is one reference count, changing
// one value in a shared map copies one chunk of entries, and a fingerprint hashes only the chunks
// that changed. For maps of some hundred entries of which an event touches one or two.
//
// The value of a big entry is best a Cow itself, so that a chunk's copy shares its neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/cow.h"
#include "sim/fingerprint.h"

namespace kafkasim::sim {

template <typename Key, typename Value, size_t kChunkSize = 8>
class CowMap {
 public:
  // Null if there is none.
  [[nodiscard]] const Value* Find(const Key& key) const {
    const Table& table = *table_;
    const size_t slot = SlotOf(table, key);
    if (slot == table.slots.size()) return nullptr;
    const std::vector<Entry>& entries = table.slots[slot].chunk->entries;
    const size_t at = LowerBound(entries, key);
    return at < entries.size() && entries[at].key == key ? &entries[at].value : nullptr;
  }

  // The value for writing; null if there is none. Valid until the next call of any function.
  [[nodiscard]] Value* FindMutable(const Key& key) {
    const size_t slot = SlotOf(*table_, key);
    if (slot == table_->slots.size()) return nullptr;
    const std::vector<Entry>& known = table_->slots[slot].chunk->entries;
    const size_t at = LowerBound(known, key);
    if (at == known.size() || !(known[at].key == key)) return nullptr;
    return &table_.Mutable().slots[slot].chunk.Mutable().entries[at].value;
  }

  // Adds or replaces.
  void Insert(const Key& key, Value value) {
    if (Value* existing = FindMutable(key)) {
      *existing = std::move(value);
      return;
    }
    Table& table = table_.Mutable();
    ++table.size;
    if (table.slots.empty()) table.slots.push_back(Slot{key, Cow<Chunk>()});
    size_t slot = SlotOf(table, key);
    if (slot == table.slots.size()) slot = 0;  // before the first key of all
    if (table.slots[slot].chunk->entries.size() == kChunkSize) slot = MakeRoom(table, slot, key);
    std::vector<Entry>& entries = table.slots[slot].chunk.Mutable().entries;
    const auto at = static_cast<std::ptrdiff_t>(LowerBound(entries, key));
    entries.insert(entries.begin() + at, Entry{key, std::move(value)});
    table.slots[slot].first = entries.front().key;
  }

  void Erase(const Key& key) {
    if (Find(key) == nullptr) return;
    Table& table = table_.Mutable();
    --table.size;
    const size_t slot = SlotOf(table, key);
    std::vector<Entry>& entries = table.slots[slot].chunk.Mutable().entries;
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(LowerBound(entries, key)));
    if (entries.empty()) {
      table.slots.erase(table.slots.begin() + static_cast<std::ptrdiff_t>(slot));
    } else {
      table.slots[slot].first = entries.front().key;
    }
  }

  // visit(key, value) in the order of the keys. The map must not change meanwhile.
  template <typename Visitor>
  void ForEach(Visitor visit) const {
    for (const Slot& slot : table_->slots) {
      for (const Entry& entry : slot.chunk->entries) visit(entry.key, entry.value);
    }
  }

  // The keys of the entries for which wanted(key, value) holds, in order.
  template <typename Predicate>
  [[nodiscard]] std::vector<Key> KeysIf(Predicate wanted) const {
    std::vector<Key> keys;
    ForEach([&](const Key& key, const Value& value) {
      if (wanted(key, value)) keys.push_back(key);
    });
    return keys;
  }

  [[nodiscard]] size_t size() const { return table_->size; }
  [[nodiscard]] bool empty() const { return size() == 0; }

  // True if both share all their entries, which implies equal ones.
  [[nodiscard]] bool SharesWith(const CowMap& other) const {
    return table_.SharesWith(other.table_);
  }

  void AppendTo(CanonicalBytes& out) const { out.Add(table_); }

 private:
  struct Entry {
    Key key;
    Value value;

    void AppendTo(CanonicalBytes& out) const {
      out.Add(key);
      out.Add(value);
    }
  };
  struct Chunk {
    std::vector<Entry> entries;

    void AppendTo(CanonicalBytes& out) const { out.AddAll(entries); }
  };
  struct Slot {
    Key first;  // of the chunk: kept here, so that a search touches one chunk only
    Cow<Chunk> chunk;
  };
  struct Table {
    std::vector<Slot> slots;
    size_t size = 0;

    void AppendTo(CanonicalBytes& out) const {
      out.Add(static_cast<uint32_t>(slots.size()));
      for (const Slot& slot : slots) out.Add(slot.chunk);
    }
  };

  // The slot whose chunk may hold `key`: the last one that does not begin after it; size() if the
  // key is before all.
  static size_t SlotOf(const Table& table, const Key& key) {
    const auto after =
        std::upper_bound(table.slots.begin(), table.slots.end(), key,
                         [](const Key& wanted, const Slot& slot) { return wanted < slot.first; });
    if (after == table.slots.begin()) return table.slots.size();
    return static_cast<size_t>(after - table.slots.begin()) - 1;
  }

  static size_t LowerBound(const std::vector<Entry>& entries, const Key& key) {
    const auto at =
        std::lower_bound(entries.begin(), entries.end(), key,
                         [](const Entry& entry, const Key& wanted) { return entry.key < wanted; });
    return static_cast<size_t>(at - entries.begin());
  }

  // Makes room for `key` in a full chunk: the slot to put it into. Keys that come in rising order
  // fill their chunks to the brim. The shape depends on the order of insertion, and the fingerprint
  // on the shape: a map whose fingerprint matters is built once and in order.
  static size_t MakeRoom(Table& table, size_t slot, const Key& key) {
    const auto next = table.slots.begin() + static_cast<std::ptrdiff_t>(slot) + 1;
    if (next == table.slots.end() && table.slots[slot].chunk->entries.back().key < key) {
      table.slots.push_back(Slot{key, Cow<Chunk>()});
      return slot + 1;
    }
    std::vector<Entry>& entries = table.slots[slot].chunk.Mutable().entries;
    const auto middle = entries.begin() + static_cast<std::ptrdiff_t>(entries.size() / 2);
    Chunk half;
    half.entries.assign(std::make_move_iterator(middle), std::make_move_iterator(entries.end()));
    entries.erase(middle, entries.end());
    const Key first = half.entries.front().key;
    table.slots.insert(next, Slot{first, Cow<Chunk>(std::move(half))});
    return key < first ? slot : slot + 1;
  }

  Cow<Table> table_;
};

}  // namespace kafkasim::sim
