// A finding is a mistake of the program that a device saw, with all data that a report needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/types.h"

namespace warpcheck {

enum class FindingKind : std::uint8_t {
#define FINDING(name, text, meaning, page) k##name,
#include "device/finding.def"
#undef FINDING
};

constexpr auto NamesOf(std::type_identity<FindingKind>) {
  return EnumList{
#define FINDING(name, text, meaning, page) std::string_view(text),
#include "device/finding.def"
#undef FINDING
  };
}

// Returns the name in results, such as "out_of_bounds_read".
inline std::string_view Name(FindingKind kind) { return NameOf(kind); }
std::string_view Meaning(FindingKind kind);  // such as "a read outside every allocation"

// Returns where the documentation shows a kind of finding in a small program, by its name in
// results: "docs/findings/threads.md#shared_race". Returns an empty text for other names, and if no
// program shows the kind.
std::string PageOfKind(std::string_view name);

// Returns true for an access outside the memory that it must stay in. A kernel continues after such
// an access.
bool IsOutOfBounds(FindingKind kind);

// Returns true for mistakes in the host program's calls of the CUDA runtime.
bool IsMisuse(FindingKind kind);

// Returns true for what CUDA has and warpcheck does not offer. Such a finding is no mistake of the
// program.
bool IsNotOffered(FindingKind kind);

// Returns true for findings that do not affect the result. They are shown, and fail no case.
bool IsInformation(FindingKind kind);

struct ThreadPosition {
  Dim3 block;   // blockIdx
  Dim3 thread;  // threadIdx
  int lane = 0;

  friend bool operator==(const ThreadPosition&, const ThreadPosition&) = default;
};
WARPCHECK_FIELDS(ThreadPosition, block, thread, lane);

// A Gap is the place of a missing barrier: after one line of the kernel and before another.
// Accesses of these lines race. Both are lines of the kernel itself, even if functions that it
// calls make the accesses. If the accesses race around a loop, `after` is the later line.
struct Gap {
  SourceLocation after, before;
  std::string barrier;  // such as "__syncthreads()"

  friend bool operator==(const Gap&, const Gap&) = default;
};
WARPCHECK_FIELDS(Gap, after, before, barrier);

struct Finding {
  FindingKind kind = FindingKind::kIllegalAddress;
  SourceLocation where{};  // the student's line; empty for API findings
  SourceLocation other{};  // the line of the other access, for a race
  std::string kernel{};    // the demangled name; empty outside a kernel
  std::string message{};   // one sentence with values: "reads 4 bytes at 0x..., 8 bytes past ..."
  std::optional<ThreadPosition> thread{};  // the thread of the first occurrence
  // The number of lanes or calls at this place, in this launch.
  std::uint64_t count = 1;
  std::string hint{};  // what to do about this finding; empty if the hint of its kind applies
  // The line of the kernel that called the function of `where`, if there is one.
  SourceLocation caller{};
  std::optional<Gap> gap{};  // for a race that a barrier would prevent
  // The runtime function that the message or the hint blames, "cudaMemset"; empty if there is none.
  // The device does not know at which line the program called it.
  std::string call{};
  // Tells findings of one kind at one line apart: the calls whose memory is not freed. Otherwise
  // empty.
  std::string about{};

  friend bool operator==(const Finding&, const Finding&) = default;
};
WARPCHECK_FIELDS(Finding, kind, where, kernel, message, count, gap, thread);
WARPCHECK_FIELDS_IF_CHANGED(Finding, hint, caller, other, call, about);

// Returns the finding of a call of a CUDA function that warpcheck does not offer.
Finding UnsupportedCall(std::string_view function);

// Returns what to do about a finding, in one sentence for the author of the program, such as "free
// the memory only after the last kernel that uses it". The text is empty if the message says it
// all.
std::string HintFor(const Finding& finding);

// Joins the findings that come from one mistake. Returns the first finding of each mistake, with
// the counts added up, in the order of first occurrence. These count as one mistake:
//
// - findings of one kind at one line, in any launch and any instantiation of a template (of one
//   kernel and message, if the line is unknown);
// - races that the same barrier would prevent, because their gaps have lines in common; a barrier
//   of the block also prevents those within a warp;
// - races with copies that only repeat in a loop, if another finding names the missing wait;
// - a use of memory that nothing has written, if a race explains that it was read too early.
std::vector<Finding> Mistakes(const std::vector<Finding>& findings);

// Returns the line at which to show a finding. If a barrier is missing, it is a line of the kernel
// itself.
const SourceLocation& PlaceOf(const Finding& finding);

// Returns the message of a finding, with the lines between which a barrier is missing and the line
// of the kernel from which the function was called.
std::string MessageOf(const Finding& finding);

// Adds a finding to a list, for grades and for `warpcheck run` alike. If the list has one of the
// same kind and place (and, for a race, the same place of the other access), only its count goes
// up. A finding without a place is compared by its kernel and message. If there are
// kMostFindingsOfAKind of its kind already, the last of them counts it.
inline constexpr std::size_t kMostFindingsOfAKind = 100;
void AddFinding(std::vector<Finding>& findings, const Finding& finding);

// A FindingQuota bounds what is noted, kind by kind: findings of one kind, such as remarks that
// cost nothing, never keep out those of another one. So a full list has findings of each kind that
// came, and no mistake is forgotten.
class FindingQuota {
 public:
  // Returns true for each new message and places, at most kMostFindingsOfAKind times for a kind.
  bool Admits(const Finding& finding) {
    std::set<std::string>& known = known_[finding.kind];
    if (known.size() >= kMostFindingsOfAKind) return false;
    return known.insert(finding.message + finding.where.Text() + finding.other.Text()).second;
  }
  void Clear() { known_.clear(); }

 private:
  std::map<FindingKind, std::set<std::string>> known_;
};

}  // namespace warpcheck
