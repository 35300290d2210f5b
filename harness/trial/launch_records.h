// Decides which launches get a record of their own in the results file, which must stay small
// however many kernels are launched. Launches are written one by one while there is room. The
// remaining launches of a call are added up in one record, so that no count is missing from the sum
// of a call's records.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/launch_record.h"

namespace warpcheck {

class LaunchRecords {
 public:
  // The space for the records of all calls. A record takes about 600 bytes for each of its lines.
  static constexpr std::size_t kMostBytes = std::size_t{48} << 20;
  // The most lines and findings of one record. The counters of further lines go to a line without a
  // place, and one more finding says how many findings are left out.
  static constexpr std::size_t kMostLines = 1'000;
  static constexpr std::size_t kMostFindings = 100;

  // Returns how many launches of a call, starting with the first, are written one by one, and
  // subtracts the space that they take.
  std::size_t Take(std::span<const LaunchRecord> launches);

  // Returns the records to write: `alone` launches one by one, then the sum of the others.
  static std::vector<LaunchRecord> Written(std::span<const LaunchRecord> launches,
                                           std::size_t alone);

 private:
  std::size_t left_ = kMostBytes;
};

}  // namespace warpcheck
