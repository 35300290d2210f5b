// What of the launches of a submission goes into the results file, which must stay small whatever
// is launched: each launch by itself while there is room, then one record with the sums of all that
// are left of a call. Nothing that was counted is missing from the sum of a call's records.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/launch_record.h"

namespace warpcheck {

class LaunchRecords {
 public:
  // Of all calls together; a record takes about 600 bytes for each of its lines.
  static constexpr std::size_t kMostBytes = std::size_t{48} << 20;
  // Of one record; what further lines and findings hold goes to a line without a place, and to a
  // finding that says how many there are.
  static constexpr std::size_t kMostLines = 1'000;
  static constexpr std::size_t kMostFindings = 100;

  // How many of a call's launches, from its first on, are written by themselves.
  std::size_t Take(std::span<const LaunchRecord> launches);

  // The launches as they are written, where `alone` of them are by themselves.
  static std::vector<LaunchRecord> Written(std::span<const LaunchRecord> launches,
                                           std::size_t alone);

 private:
  std::size_t left_ = kMostBytes;
};

}  // namespace warpcheck
