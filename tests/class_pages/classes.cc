#include "class_pages/classes.h"

#include <string>

#include "report/grades.h"
#include "report/pages.h"

namespace warpcheck {

ClassPage TypicalClass() {
  ClassPage page;
  page.title = "Matrix transpose";
  page.begun = 1'700'000'000;
  const Grade full = TypicalGrades().front().grade;
  page.max_score = full.max_score;
  for (const CriterionGrade& criterion : full.criteria) {
    page.criteria.push_back({.name = criterion.name, .points = criterion.max_points});
  }
  for (const NamedGrade& named : TypicalGrades()) {
    ClassPage::Row& row = page.rows.emplace_back();
    row.id = named.name;
    row.name = named.name == "naive" ? "J\xc3\xb6rg N\xc3\xa4gele" : named.name;
    row.late = named.name == "wrong";
    row.submitted = row.late ? "2026-11-21T10:00:00" : "";
    row.state = ClassPage::Row::State::kGraded;
    row.section = row.late ? "Tuesday" : "Monday";
    row.score = named.grade.score;
    row.score_is_final = named.grade.score_is_final;
    row.verdict = named.grade.verdict;
    for (const CriterionGrade& criterion : named.grade.criteria) {
      ClassPage::Cell& cell = row.cells.emplace_back();
      cell.points = criterion.points;
      cell.verdict = criterion.verdict;
      cell.says = criterion.reason;
      for (const CaseResult& result : criterion.cases) {
        if (result.complaints.empty() || !cell.says.empty()) continue;
        const std::string& message = result.complaints.front().message;
        cell.says = message.substr(0, message.find('\n'));
        cell.where = result.complaints.front().where;
        cell.id = IdOf(result.complaints.front());
      }
    }
    if (!row.score_is_final) row.note = "not the final score";
  }
  page.rows.push_back({.id = "late", .name = "late"});
  page.rows.push_back({.id = "refused",
                       .name = "eng",
                       .state = ClassPage::Row::State::kRefused,
                       .note = "eng.zip is damaged"});
  page.rows.push_back({.id = "missing",
                       .name = "Gus",
                       .state = ClassPage::Row::State::kMissing,
                       .score_is_final = true,
                       .note = "handed in nothing"});
  page.links = {{"grades.csv", "grades.csv"}, {"excluded.txt", "excluded.txt"}};
  page.superseded.push_back(
      {.what = "dahl_9000_t.cu", .reason = "handed in again as dahl_9002_t.cu"});
  page.refused.push_back({.what = "eng.zip", .reason = "eng.zip is damaged"});
  page.identical.push_back({"full", "wrong"});
  return page;
}

ClassPage HostileClass() {
  ClassPage page = TypicalClass();
  for (ClassPage::Row& row : page.rows) {
    row.name = row.note = row.submitted = row.section = HostileText();
    for (ClassPage::Cell& cell : row.cells) {
      cell.says = HostileText();
      cell.where.file = HostileText();
    }
  }
  page.superseded.push_back({.what = HostileText(), .reason = HostileText()});
  page.refused.push_back({.what = HostileText(), .reason = HostileText()});
  return page;
}

}  // namespace warpcheck
