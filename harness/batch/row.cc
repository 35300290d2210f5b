#include "batch/row.h"

#include <fmt/format.h>

#include "report/clean_text.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxSays = 300;

std::string FirstLine(const std::string& text) {
  return CleanText(text.substr(0, text.find('\n')), kMaxSays);
}

std::string At(const SourceLocation& where, const std::string& message) {
  return FirstLine(where.known() ? where.Text() + ": " + message : message);
}

std::string WhatItSays(const CriterionGrade& criterion) {
  if (!criterion.reason.empty()) return FirstLine(criterion.reason);
  for (const CaseResult& result : criterion.cases) {
    if (result.verdict != criterion.verdict || result.complaints.empty()) continue;
    return At(result.complaints.front().where, result.complaints.front().message);
  }
  return "";
}

std::string NoteOf(const Grade& grade) {
  if (const auto& error = grade.attempt.build.error) return At(error->where, error->message);
  if (grade.score_is_final) return "";
  for (const CriterionGrade& criterion : grade.criteria) {
    if (!IsUndecided(criterion.verdict)) continue;
    return fmt::format("not final: {}: {}", CleanText(criterion.name, kMaxSays),
                       WhatItSays(criterion));
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
  for (const CriterionGrade& criterion : grade.criteria) {
    CriterionCell& cell = row.criteria.emplace_back();
    cell.points = criterion.points;
    cell.verdict = criterion.verdict;
    cell.says = criterion.verdict == Verdict::kPassed ? "" : WhatItSays(criterion);
  }
  row.note = NoteOf(grade);
  return row;
}

}  // namespace warpcheck::batch
