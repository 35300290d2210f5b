#include "report/complaint_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "cpptext/statements.h"

namespace warpcheck {
namespace {

bool EndsWithPath(const std::string& path, const std::string& end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

// Says which complaints to read first: of an access out of bounds, of other causes, and last those
// that show wrong numbers alone.
int RankOf(const Complaint& complaint) {
  constexpr FindingKind kCauses[] = {FindingKind::kOutOfBoundsWrite, FindingKind::kUseAfterFree,
                                     FindingKind::kSharedOutOfBounds,
                                     FindingKind::kLocalOutOfBounds};
  const bool is_cause = std::ranges::any_of(
      kCauses, [&](FindingKind kind) { return complaint.kind == ComplaintKindOf(kind); });
  if (is_cause) return 0;
  return complaint.where.known() || !complaint.hint.empty() ? 1 : 2;
}

}  // namespace

std::string ShortCaseName(const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::size_t slash = name.rfind('/');
  if (slash != std::string::npos && dot != std::string::npos && slash > dot) {
    return name.substr(slash + 1);
  }
  return name.substr(dot == std::string::npos ? 0 : dot + 1);
}

std::vector<ComplaintGroup> GroupComplaints(const CriterionGrade& criterion) {
  std::vector<ComplaintGroup> groups;
  std::map<std::tuple<std::string, int, std::string>, std::size_t> places;
  for (const CaseResult& result : criterion.cases) {
    for (const Complaint& complaint : result.complaints) {
      const auto key = std::tuple(complaint.where.file, complaint.where.line, IdOf(complaint));
      const auto [place, added] = places.emplace(key, groups.size());
      if (added) groups.push_back({.complaint = &complaint, .cases = {}});
      // The group shows a complaint that gives a reason, if it has one.
      const Complaint*& shown = groups[place->second].complaint;
      if (complaint.reason && !shown->reason) shown = &complaint;
      std::vector<std::string>& cases = groups[place->second].cases;
      const std::string name = ShortCaseName(result.name);
      if (std::ranges::find(cases, name) == cases.end()) cases.push_back(name);
    }
  }
  std::ranges::stable_sort(groups, {},
                           [](const ComplaintGroup& group) { return RankOf(*group.complaint); });
  return groups;
}

std::vector<LostPoint> LostPoints(const Grade& grade) {
  std::vector<LostPoint> lost;
  for (const CriterionGrade& criterion : grade.criteria) {
    if (criterion.points == criterion.max_points) continue;
    for (ComplaintGroup& group : GroupComplaints(criterion)) {
      lost.push_back({.criterion = &criterion, .group = std::move(group)});
    }
  }
  return lost;
}

std::string CaseNames(const ComplaintGroup& group, std::size_t most) {
  const std::size_t shown = std::min(group.cases.size(), most);
  const auto end = group.cases.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string names = fmt::format("{}", fmt::join(group.cases.begin(), end, ", "));
  if (shown < group.cases.size()) names += fmt::format(", ... ({})", group.cases.size());
  return names;
}

std::string CasesText(const ComplaintGroup& group, std::size_t cases, std::size_t most) {
  const bool all = cases > 1 && group.cases.size() == cases;
  return (all ? "in every test: " : "in: ") + CaseNames(group, most);
}

const CriterionGrade* FirstToFix(const Grade& grade) {
  const auto first = std::ranges::find_if(grade.criteria, [](const CriterionGrade& criterion) {
    return criterion.points != criterion.max_points && criterion.verdict != Verdict::kSkipped &&
           !IsUndecided(criterion.verdict) &&
           std::ranges::any_of(criterion.cases,
                               [](const CaseResult& result) { return !result.complaints.empty(); });
  });
  return first == grade.criteria.end() ? nullptr : &*first;
}

std::string SourceName(const Attempt& attempt, const std::string& file) {
  // A finding may name a file by its path below the folder that all sources share. A compile error
  // names it by the whole path.
  const auto source = std::ranges::find_if(attempt.sources, [&](const auto& entry) {
    return EndsWithPath(entry.first, file) || EndsWithPath(file, entry.first);
  });
  return source == attempt.sources.end() || file.empty() ? "" : source->first;
}

std::string SourceLine(const Attempt& attempt, const SourceLocation& where) {
  const auto source = attempt.sources.find(SourceName(attempt, where.file));
  return source == attempt.sources.end() ? "" : cpptext::StatementAt(source->second, where.line);
}

}  // namespace warpcheck
