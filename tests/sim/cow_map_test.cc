// cow_map.h
#include "sim/cow_map.h"

#include <map>
#include <vector>

#include <gmock/gmock.h>

#include "sim/rng.h"

namespace kafkasim::sim {
namespace {

using Map = CowMap<int, int, 4>;

std::vector<std::pair<int, int>> Contents(const Map& map) {
  std::vector<std::pair<int, int>> contents;
  map.ForEach([&](int key, int value) { contents.emplace_back(key, value); });
  return contents;
}

TEST(CowMap, BehavesAsASortedMap) {
  Rng rng(3);
  Map map;
  std::map<int, int> model;
  for (int i = 0; i < 3000; ++i) {
    const int key = static_cast<int>(rng.Below(60));
    switch (rng.Below(4)) {
      case 0:
        map.Erase(key);
        model.erase(key);
        break;
      case 1:
        if (int* value = map.FindMutable(key)) {
          *value = i;
          model.at(key) = i;
        }
        break;
      default:
        map.Insert(key, i);
        model[key] = i;
    }
    ASSERT_EQ(map.size(), model.size());
    ASSERT_EQ(map.Find(key) == nullptr, model.count(key) == 0);
    if (i % 50 == 0) {
      ASSERT_EQ(Contents(map), (std::vector<std::pair<int, int>>(model.begin(), model.end())));
    }
  }
}

TEST(CowMap, AChangedCopyLeavesTheOriginalAlone) {
  Map map;
  for (int i = 0; i < 20; ++i) map.Insert(i, i);
  Map copy = map;
  EXPECT_EQ(FingerprintOf(copy), FingerprintOf(map));
  *copy.FindMutable(7) = 70;
  EXPECT_EQ(*map.Find(7), 7);
  EXPECT_EQ(*copy.Find(7), 70);
  EXPECT_NE(FingerprintOf(copy), FingerprintOf(map));
  *copy.FindMutable(7) = 7;
  EXPECT_EQ(FingerprintOf(copy), FingerprintOf(map));
}

TEST(CowMap, RisingKeysFillTheirChunks) {
  Map rising;
  for (int i = 0; i < 16; ++i) rising.Insert(i, i);
  Map again;
  for (int i = 0; i < 16; ++i) again.Insert(i, i);
  EXPECT_EQ(FingerprintOf(rising), FingerprintOf(again));
  EXPECT_EQ(rising.KeysIf([](int key, int) { return key % 5 == 0; }),
            (std::vector<int>{0, 5, 10, 15}));
}

}  // namespace
}  // namespace kafkasim::sim
