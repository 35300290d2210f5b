// What one device counted, launch by launch and source line by source line: what parity compares,
// and its text file, made to be read and to show small differences.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/launch_record.h"

namespace warpcheck::parity {

// The counters that are compared, in the order of the file's columns: all that grading rests on.
// Branches, instructions and local memory are not among them: they are of the machine code, which a
// GPU's assembler makes from the PTX that the emulator runs.
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
  std::string not_counted;          // why there are no lines to compare; empty where there are
  std::vector<LineCounters> lines;  // sorted, those alone at which something was counted

  // "subject case #index"
  std::string Name() const;

  friend bool operator==(const MeasuredLaunch&, const MeasuredLaunch&) = default;
};

// The comparable part of a record. A launch that failed, or of which nothing was measured, says so.
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
