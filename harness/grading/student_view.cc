#include "grading/student_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpcheck {
namespace {

constexpr char kNoOutput[] = "(not shown: some tests are hidden)";

using CaseNames = std::set<std::string>;

// Returns the names of the cases that a student may see.
CaseNames ShownCases(const Grade& grade) {
  CaseNames names;
  for (const CriterionGrade& criterion : grade.criteria) {
    if (criterion.hidden) continue;
    for (const CaseResult& result : criterion.cases) names.insert(result.name);
  }
  for (const CaseResult& result : grade.information) names.insert(result.name);
  return names;
}

// Leaves out what the rubric does not tell of changes that help.
void KeepGiven(Experiments& experiments) {
  for (Experiment& cure : experiments.cures) {
    if (experiments.given != Given::kChange) cure.change.clear();
    if (experiments.given == Given::kLine) cure.kind = cure.phrase = "";
  }
}

void KeepShown(ChecksReport& report, const CaseNames& shown) {
  std::erase_if(report.cases, [&](const CaseResult& one) { return !shown.contains(one.name); });
  const auto is_hidden = [&](const auto& one) { return !shown.contains(one.case_name); };
  std::erase_if(report.launches, is_hidden);
  std::erase_if(report.findings, is_hidden);
  std::erase_if(report.approximations, is_hidden);
  std::erase_if(report.timelines, is_hidden);
  report.experiments.reset();  // hidden tests took part in them
  if (report.unfinished_case && !shown.contains(*report.unfinished_case)) {
    report.unfinished_case.reset();
  }
  for (std::string* output : {&report.device_output, &report.host_output}) {
    if (!output->empty()) *output = kNoOutput;
  }
}

// Returns the criterion that stands for the hidden ones.
CriterionGrade HiddenTests(Points max) {
  CriterionGrade criterion;
  criterion.id = "hidden-tests";
  criterion.name = fmt::format("Hidden tests: {}, shown after the deadline", Counted(max));
  criterion.verdict = Verdict::kSkipped;
  criterion.reason = "your course shows them later; they are not in the score here";
  return criterion;
}

}  // namespace

bool HidesSomething(const Grade& grade) {
  return grade.hidden_max != Points() ||
         std::ranges::any_of(grade.criteria, &CriterionGrade::hidden);
}

Grade StudentView(Grade grade) {
  if (grade.attempt.report.experiments) KeepGiven(*grade.attempt.report.experiments);
  if (!HidesSomething(grade)) return grade;
  const CaseNames shown = ShownCases(grade);
  KeepShown(grade.attempt.report, shown);
  if (auto& witness = grade.attempt.witness) {
    KeepShown(witness->report, shown);
    std::erase_if(witness->disagreements,
                  [&](const Disagreement& one) { return !shown.contains(one.case_name); });
  }
  for (const CriterionGrade& criterion : grade.criteria) {
    if (criterion.hidden) grade.hidden_max += criterion.max_points;
  }
  std::erase_if(grade.criteria, [](const CriterionGrade& one) { return one.hidden; });
  grade.score = grade.max_score = Points();
  grade.verdict = Verdict::kPassed;
  for (const CriterionGrade& criterion : grade.criteria) {
    grade.score += criterion.points;
    grade.max_score += criterion.max_points;
    grade.verdict = std::max(grade.verdict, criterion.verdict);
  }
  grade.criteria.push_back(HiddenTests(grade.hidden_max));
  grade.hidden_max = Points();  // the new criterion says it
  return grade;
}

Grade StaffView(Grade grade) {
  for (CriterionGrade& criterion : grade.criteria) criterion.hidden = false;
  return grade;
}

}  // namespace warpcheck
