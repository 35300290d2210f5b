// Holds the counts of one device by launch and source line, which parity compares, and reads and
// writes them as a text file that people can read and diff.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/launch_record.h"

namespace warpcheck::parity {

// The compared counters in the order of the file's columns: all counters that grades depend on.
// Branches, instructions and local memory are left out, since they belong to the machine code that
// a GPU's assembler makes from the PTX.
inline constexpr std::array kCompared = {
    Counter::kGlobalSectors,        Counter::kGlobalSectorsIdeal,
    Counter::kGlobalLoadSectors,    Counter::kGlobalLoadBytes,
    Counter::kGlobalStoreSectors,   Counter::kGlobalBytes,
    Counter::kGlobalLoadRequests,   Counter::kGlobalStoreRequests,
    Counter::kGlobalAtomicRequests, Counter::kGlobalAtomicSectors,
    Counter::kGlobalAtomicBytes,    Counter::kGlobalReductionRequests,
    Counter::kGlobalRequests,       Counter::kGlobalLanes,
    Counter::kSharedWavefronts,     Counter::kSharedWavefrontsIdeal,
    Counter::kSharedLoadRequests,   Counter::kSharedStoreRequests,
    Counter::kSharedAtomicRequests, Counter::kSharedRequests,
    Counter::kSharedLanes,
};

struct MeasuredLaunch {
  std::string subject;      // "launches", or a submission's path; without spaces
  std::string case_name;    // "copy", "Shapes/Transpose.MatchesReference/31x33"; without spaces
  std::uint32_t index = 0;  // among the launches of the case
  std::string kernel;       // demangled
  Dim3 grid;
  Dim3 block;
  std::string not_counted;          // why there are no lines to compare; empty if there are
  std::vector<LineCounters> lines;  // sorted, without lines at which nothing was counted

  // "subject case #index"
  std::string Name() const;

  friend bool operator==(const MeasuredLaunch&, const MeasuredLaunch&) = default;
};

// Returns the comparable part of a record. `not_counted` says why a launch has none: it failed, or
// nothing was measured.
MeasuredLaunch FromRecord(std::string subject, std::string case_name, std::uint32_t index,
                          const LaunchRecord& record);

struct Measurements {
  std::string device;  // "NVIDIA H200"
  std::vector<MeasuredLaunch> launches;

  friend bool operator==(const Measurements&, const Measurements&) = default;
};

std::string ToText(const Measurements& measurements);

// The error names `file` and the line.
Result<Measurements> ParseMeasurements(std::string_view text, const std::string& file);

}  // namespace warpcheck::parity
