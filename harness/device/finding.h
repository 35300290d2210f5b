// Something wrong that a device saw: data, complete enough to write the report from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/types.h"

namespace warpcheck {

enum class FindingKind : std::uint8_t {
#define FINDING(name, text, meaning) k##name,
#include "device/finding.def"
#undef FINDING
};

std::string_view Name(FindingKind kind);     // "out_of_bounds_read"
std::string_view Meaning(FindingKind kind);  // "a read outside every allocation"
std::optional<FindingKind> FindingKindNamed(std::string_view name);

// True for an access outside the memory it should stay in, after which a kernel goes on.
bool IsOutOfBounds(FindingKind kind);

// True for mistakes of the host's program in its calls of the CUDA runtime.
bool IsMisuse(FindingKind kind);

// True where nothing is wrong with the result: shown, and no reason to fail anybody.
bool IsInformation(FindingKind kind);

struct ThreadPosition {
  Dim3 block;   // blockIdx
  Dim3 thread;  // threadIdx
  int lane = 0;

  friend bool operator==(const ThreadPosition&, const ThreadPosition&) = default;
};

// Where a barrier is missing: after one line of the kernel and before another, whose accesses race.
// Lines are those of the kernel itself, also where functions that it calls make the accesses. From
// the end of a loop to its beginning, `after` is the later line.
struct Gap {
  SourceLocation after, before;
  std::string barrier;  // "__syncthreads()"

  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Finding {
  FindingKind kind = FindingKind::kIllegalAddress;
  SourceLocation where;    // the student's line; empty for API findings
  SourceLocation other{};  // of a race: the line of the other access
  std::string kernel;      // demangled; empty outside a kernel
  std::string message;  // one sentence with the values: "reads 4 bytes at 0x..., 8 bytes past ..."
  std::optional<ThreadPosition> thread;  // of the first occurrence
  std::uint64_t count = 1;               // lanes or calls at this place, in this launch
  std::string hint{};       // how to mend this one; empty where its kind says it (finding.h)
  SourceLocation caller{};  // the kernel's line that called the function of `where`, if it is one's
  std::optional<Gap> gap{};  // of a race that a barrier would mend

  friend bool operator==(const Finding&, const Finding&) = default;
};

// How to mend what a finding tells of.

// One sentence for whoever wrote the program: "guard the access: ..."; empty where the finding says
// it all.
std::string HintFor(const Finding& finding);

}  // namespace warpcheck
