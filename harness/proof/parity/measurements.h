// Keeps the counts of one device by launch and source line, which parity compares. Reads and writes
// them as a text file that people can read and compare.
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
// Branches, instructions and local memory are left out, because they depend on the machine code
// that a GPU's assembler makes from the PTX.
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
  std::string subject;  // "launches", or the path of a submission; contains no spaces
  // Such as "copy" or "Shapes/Transpose.MatchesReference/31x33"; contains no spaces.
  std::string case_name;
  std::uint32_t index = 0;  // the number of the launch among the launches of the case
  std::string kernel;       // the demangled name
  Dim3 grid;
  Dim3 block;
  std::string not_counted;          // why there are no lines to compare; empty if there are
  std::vector<LineCounters> lines;  // sorted; lines at which nothing was counted are left out

  // Returns a text such as "subject case #index".
  std::string Name() const;

  friend bool operator==(const MeasuredLaunch&, const MeasuredLaunch&) = default;
};

// Returns the comparable part of a record. If the launch failed or was not measured, `not_counted`
// says why.
MeasuredLaunch FromRecord(std::string subject, std::string case_name, std::uint32_t index,
                          const LaunchRecord& record);

struct Measurements {
  std::string device;  // such as "NVIDIA H200"
  std::vector<MeasuredLaunch> launches;

  friend bool operator==(const Measurements&, const Measurements&) = default;
};

std::string ToText(const Measurements& measurements);

// Reads the text of a file. The error names `file` and the line.
Result<Measurements> ParseMeasurements(std::string_view text, const std::string& file);

}  // namespace warpcheck::parity
