// A partition as it is drawn everywhere: offsets, records, writers, the three flags, what is
// undecided and why, what a reader of either isolation level would be given.
//
//   enriched_orders-0   leader 1 epoch 0                    t=0.412s
//    offset   0     1     2     3     4
//    record  [a]   [b]   [c]   ✔C    (d)
//    by       t1    p2    t1    t1    t2
//                                      ▲LSO 4  ▲HW 5 = LEO 5
//    (d) undecided: transaction ship-7 open since 0.398s
//    read_committed    a b c          read_uncommitted   a b c d
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/line.h"
#include "cli/log_layout.h"
#include "cli/look.h"

#include "scenarios/snapshot.h"
#include "sim/time.h"

namespace kafkasim::cli {

struct PictureOptions {
  std::optional<OffsetRange> range{};   // draw only these offsets
  std::optional<std::int64_t> focus{};  // draw so that this one is seen, and point at it
};

[[nodiscard]] std::vector<Line> DrawPartition(const scenarios::PartitionView& view, sim::Time at,
                                              const Look& look, const PictureOptions& options = {});

// What the signs of the pictures mean, once for all of them.
[[nodiscard]] std::vector<Line> PictureLegend(const Look& look);

}  // namespace kafkasim::cli
