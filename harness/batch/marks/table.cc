#include "batch/marks/table.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "batch/marks/leaderboard_data.h"
#include "report/clean_text.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxSays = 300;

std::string FirstLine(const std::string& text) {
  return CleanText(text.substr(0, text.find('\n')), kMaxSays);
}

std::string WithPlace(const SourceLocation& where, const std::string& message) {
  return FirstLine(where.known() ? where.Text() + ": " + message : message);
}

// Returns the complaint that cost the criterion its points, or nullptr if the criterion has a
// reason instead.
const Complaint* FirstComplaint(const CriterionGrade& criterion) {
  if (!criterion.reason.empty()) return nullptr;
  for (const CaseResult& result : criterion.cases) {
    if (result.verdict == criterion.verdict && !result.complaints.empty()) {
      return &result.complaints.front();
    }
  }
  return nullptr;
}

std::string NoteOf(const Grade& grade, const Row& row) {
  if (const auto& error = grade.attempt.build.error) return WithPlace(error->where, error->message);
  if (grade.score_is_final) return "";
  for (std::size_t i = 0; i < grade.criteria.size(); ++i) {
    if (!IsUndecided(grade.criteria[i].verdict)) continue;
    return fmt::format("not final: {}: {}", CleanText(grade.criteria[i].name, kMaxSays),
                       SaysWhere(row.criteria[i]));
  }
  return "not final";
}

}  // namespace

Row RowOf(const Grade& grade) {
  Row row;
  row.score = grade.score;
  row.max_score = grade.max_score;
  row.verdict = grade.verdict;
  row.score_is_final = grade.score_is_final;
  row.standing = StandingOf(grade);
  for (const CriterionGrade& criterion : grade.criteria) {
    CriterionCell& cell = row.criteria.emplace_back();
    cell.points = criterion.points;
    cell.verdict = criterion.verdict;
    if (criterion.verdict == Verdict::kPassed) continue;
    const Complaint* complaint = FirstComplaint(criterion);
    cell.says = FirstLine(complaint != nullptr ? complaint->message : criterion.reason);
    if (grade.attempt.build.error) cell.id = Name(ComplaintKind::kDoesNotCompile);
    if (complaint == nullptr) continue;
    cell.where = complaint->where;
    cell.id = IdOf(*complaint);
  }
  row.note = NoteOf(grade, row);
  return row;
}

std::string SaysWhere(const CriterionCell& cell) { return WithPlace(cell.where, cell.says); }

std::vector<std::vector<std::string>> SameFiles(const Table& table) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Line& line : table.lines) {
    if (!line.digest.empty()) groups[line.digest].push_back(line.entry.id);
  }
  std::vector<std::vector<std::string>> same;
  for (const Line& line : table.lines) {
    const auto group = groups.find(line.digest);
    if (group == groups.end() || group->second.size() < 2) continue;
    same.push_back(std::move(group->second));
    groups.erase(group);
  }
  return same;
}

}  // namespace warpcheck::batch
