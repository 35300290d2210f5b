#include "report/pages.h"

#include "report/grades.h"

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

std::string HostileText() {
  return "\"><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
         "</td></table></pre></style></title>--><svg onload=document.title='owned'>"
         "<a href=\"javascript:document.title='owned'\">x</a>"
         "<iframe src=\"http://127.0.0.1:9/\"></iframe><link rel=stylesheet href=//127.0.0.1:9/x>"
         "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>&#x3c;b&#x3e; "
         "\xe2\x80\xae"
         "txt.exe \xe2\x81\xa6 \x1b[31m \x08 \xff" +
         std::string(1, '\0') + std::string(400, 'W');
}

Grade HostilePageGrade() {
  const std::string bad = HostileText();
  Grade grade = TypicalGrades()[2].grade;
  Attempt& attempt = grade.attempt;
  attempt.submission = attempt.device_remark = attempt.report.device_name = bad;
  attempt.report.device_output = attempt.report.host_output = bad;
  attempt.build.artifact->warnings = bad;
  attempt.sources = {{"naive.cu", bad + "\n" + bad + "\n\n\n\n" + bad + "\n"}, {bad, bad}};
  for (CriterionGrade& criterion : grade.criteria) {
    for (CaseResult& result : criterion.cases) {
      result.name = bad;
      for (Complaint& complaint : result.complaints) complaint.message = complaint.hint = bad;
    }
  }
  for (CaseFinding& finding : attempt.report.findings) finding.finding.message = bad;
  return grade;
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
