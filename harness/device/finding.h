// Something wrong that a device saw: data, complete enough to write the report from; and the
// findings that one mistake makes, as one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/types.h"

namespace warpcheck {

enum class FindingKind : std::uint8_t {
#define FINDING(name, text, meaning) k##name,
#include "device/finding.def"
#undef FINDING
};

constexpr auto NamesOf(std::type_identity<FindingKind>) {
  return EnumList{
#define FINDING(name, text, meaning) std::string_view(text),
#include "device/finding.def"
#undef FINDING
  };
}

// "out_of_bounds_read"
inline std::string_view Name(FindingKind kind) { return NameOf(kind); }
std::string_view Meaning(FindingKind kind);  // "a read outside every allocation"

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
WARPCHECK_FIELDS(ThreadPosition, block, thread, lane);

// Where a barrier is missing: after one line of the kernel and before another, whose accesses race.
// Lines are those of the kernel itself, also where functions that it calls make the accesses. From
// the end of a loop to its beginning, `after` is the later line.
struct Gap {
  SourceLocation after, before;
  std::string barrier;  // "__syncthreads()"

  friend bool operator==(const Gap&, const Gap&) = default;
};
WARPCHECK_FIELDS(Gap, after, before, barrier);

struct Finding {
  FindingKind kind = FindingKind::kIllegalAddress;
  SourceLocation where{};  // the student's line; empty for API findings
  SourceLocation other{};  // of a race: the line of the other access
  std::string kernel{};    // demangled; empty outside a kernel
  std::string message{};   // one sentence with values: "reads 4 bytes at 0x..., 8 bytes past ..."
  std::optional<ThreadPosition> thread{};  // of the first occurrence
  std::uint64_t count = 1;                 // lanes or calls at this place, in this launch
  std::string hint{};       // how to mend this one; empty where its kind says it (finding.h)
  SourceLocation caller{};  // the kernel's line that called the function of `where`, if it is one's
  std::optional<Gap> gap{};  // of a race that a barrier would mend

  friend bool operator==(const Finding&, const Finding&) = default;
};
WARPCHECK_FIELDS(Finding, kind, where, kernel, message, count, gap, thread);
WARPCHECK_FIELDS_IF_CHANGED(Finding, hint, caller, other);

// How to mend what a finding tells of.

// One sentence for whoever wrote the program: "guard the access: ..."; empty where the finding says
// it all.
std::string HintFor(const Finding& finding);

// Findings that one mistake makes, as one.

// One finding for each mistake, the first one that it made, with the counts added up, in the order
// of their first occurrence:
//
// - of one kind at one line, in whatever launches and instantiations of a template (of one kernel
//   and text, where the line is unknown);
// - races that the same barrier would mend: those whose gaps have lines in common; a barrier of the
//   block mends those within a warp too;
// - of copies that nobody waits for, those that only come round again, where another tells which
//   wait is missing;
// - a use of memory that nothing has written, where a race tells that it was read too early.
std::vector<Finding> Mistakes(const std::vector<Finding>& findings);

// The line to show a finding at: where a barrier is missing, a line of the kernel itself.
const SourceLocation& PlaceOf(const Finding& finding);

// What a finding says, with the lines between which a barrier is missing and the line of the kernel
// that it was called from.
std::string MessageOf(const Finding& finding);

// Findings that tell of the same: one rule for grades and for `warpcheck run`.

// Adds a finding, or its count where one is there that tells of the same: of that kind, place and,
// of a race, place of the other access; of one kernel and text, where the place is unknown. Where
// there are kMostFindingsOfAKind of its kind, the last of them counts it.
inline constexpr std::size_t kMostFindingsOfAKind = 100;
void AddFinding(std::vector<Finding>& findings, const Finding& finding);

}  // namespace warpcheck
