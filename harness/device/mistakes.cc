#include "device/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck {

namespace {

// A gap within one pass, not from the end of a loop to its beginning.
bool IsForward(const Gap& gap) { return gap.after.line < gap.before.line; }

// Of two gaps those lines that are in both, where there are any: one barrier there mends both. Of a
// warp's steps, which each need one of their own, all lines.
bool Join(Gap& gap, const Gap& other) {
  if (gap.barrier != other.barrier || gap.after.file != other.after.file) return false;
  if (IsForward(gap) != IsForward(other)) return false;
  const bool steps = gap.barrier == "__syncwarp()";
  const int after = std::max(gap.after.line, other.after.line);
  const int before = std::min(gap.before.line, other.before.line);
  if (IsForward(gap) ? after > before || (after == before && !steps) : before > after) return false;
  gap.after.line = steps ? std::min(gap.after.line, other.after.line) : after;
  gap.before.line = steps ? std::max(gap.before.line, other.before.line) : before;
  return true;
}

bool SamePlace(const Finding& a, const Finding& b) {
  if (a.where != b.where) return false;
  return a.where.known() || (a.kernel == b.kernel && a.message == b.message);
}

// True where `known` tells of `finding` too.
bool Join(Finding& known, const Finding& finding) {
  if (known.kind != finding.kind) return false;
  const bool same = known.gap && finding.gap
                        ? Join(*known.gap, *finding.gap)
                        : known.gap == finding.gap && SamePlace(known, finding);
  if (same) known.count += finding.count;
  return same;
}

bool IsRace(FindingKind kind) {
  return kind == FindingKind::kSharedRace || kind == FindingKind::kGlobalRace;
}

const SourceLocation& LineInKernel(const Finding& finding) {
  return finding.caller.known() ? finding.caller : finding.where;
}

// Whether a race says why `finding`, a use of what was never written, found nothing there.
bool Explains(const Finding& race, const Finding& finding) {
  if (finding.kind != FindingKind::kUninitialisedUse || !IsRace(race.kind)) return false;
  if (!finding.where.known() || !race.gap) return false;
  const SourceLocation& line = LineInKernel(finding);
  return race.where == finding.where || race.gap->before == line || LineInKernel(race) == line;
}

// "line 12", "helper.cuh:12" where that is another file than the one that is shown.
std::string LineText(const SourceLocation& line, const SourceLocation& shown) {
  return line.file == shown.file ? fmt::format("line {}", line.line) : line.Text();
}

}  // namespace

std::vector<Finding> Mistakes(const std::vector<Finding>& findings) {
  std::vector<Finding> mistakes;
  for (const Finding& finding : findings) {
    const bool known =
        std::ranges::any_of(mistakes, [&](Finding& mistake) { return Join(mistake, finding); });
    if (!known) mistakes.push_back(finding);
  }
  for (std::size_t i = 0; i < mistakes.size();) {
    const auto race = std::ranges::find_if(
        mistakes, [&](const Finding& mistake) { return Explains(mistake, mistakes[i]); });
    if (race == mistakes.end()) {
      ++i;
    } else if (race > mistakes.begin() + static_cast<std::ptrdiff_t>(i)) {
      mistakes[i] = std::move(*race);  // it takes the place of what it explains
      mistakes.erase(race);
    } else {
      mistakes.erase(mistakes.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return mistakes;
}

const SourceLocation& PlaceOf(const Finding& finding) {
  if (!finding.gap) return finding.where;
  const auto& [after, before, barrier] = *finding.gap;
  const SourceLocation& line = LineInKernel(finding);
  if (line == after || line == before) return line;
  return IsForward(*finding.gap) ? before : after;
}

std::string MessageOf(const Finding& finding) {
  std::string message =
      finding.message.empty() ? std::string(Meaning(finding.kind)) : finding.message;
  if (!finding.gap) {
    return finding.caller.known()
               ? message + ", called at " + LineText(finding.caller, finding.where)
               : message;
  }
  if (finding.caller.known()) {
    message += fmt::format("; the function called there does so in {}",
                           LineText(finding.where, PlaceOf(finding)));
  }
  const auto& [after, before, barrier] = *finding.gap;
  const std::string one = LineText(after, PlaceOf(finding));
  const std::string other = LineText(before, PlaceOf(finding));
  return IsForward(*finding.gap)
             ? fmt::format("no {} between {} and {}: {}", barrier, one, other, message)
             : fmt::format("no {} after {}, before {} comes round again: {}", barrier, one, other,
                           message);
}

namespace {

bool TellTheSame(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.where != b.where || a.other != b.other) return false;
  return a.where.known() || (a.kernel == b.kernel && a.message == b.message);
}

}  // namespace

void AddFinding(std::vector<Finding>& findings, const Finding& finding) {
  const auto known = std::ranges::find_if(
      findings, [&](const Finding& other) { return TellTheSame(other, finding); });
  if (known == findings.end()) {
    findings.push_back(finding);
  } else {
    known->count += finding.count;
  }
}

}  // namespace warpcheck
