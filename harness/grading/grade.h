// A Grade is the grade of one submission. It is complete, read-only data, and every report is a
// function of it. The grader (grader.h) makes it from files: it builds them, has the cases of the
// assignment judge the program, and the rubric turns verdicts of cases into points.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/outcome.h"
#include "grading/rubric.h"
#include "grading/witness.h"
#include "results/results.h"

namespace warpcheck {

// An Attempt is the build and the checks of a submission, before the rubric is applied.
struct Attempt {
  // The version that graded it, such as "warpcheck 0.1.0".
  std::string version;
  std::string assignment;                        // such as "transpose"
  std::string submission;                        // the path as the user gave it
  std::string device;                            // "emulator" or "gpu"
  std::string device_remark;                     // a remark on the device; may be empty
  std::uint64_t seed = 0;                        // the seed of the random inputs
  compile::Outcome build{};                      // has exactly one of artifact and error
  ChecksReport report{};                         // empty if the build failed
  std::optional<Witness> witness{};              // present if the plan asks for a witness
  std::map<std::string, std::string> sources{};  // texts by file name, as in SourceLocation::file
  std::int64_t started = 0;                      // seconds since 1970, UTC
  double build_seconds = 0;
  double checks_seconds = 0;
};

// Returns the tools that graded it, such as "warpcheck 0.1.0, CUDA 13.0.88".
std::string GradedWith(const Attempt& attempt);

struct CriterionGrade {
  std::string id;
  std::string name;
  Points points;
  Points max_points;
  Verdict verdict = Verdict::kHarnessFault;
  bool hidden = false;  // true if students may not see it (student_view.h)
  // The reason if no case gives one, such as "skipped" or "no such test".
  std::string reason;
  std::vector<CaseResult> cases;  // in the order in which they ran
};

struct Grade {
  Attempt attempt;
  std::string title;  // the title of the assignment
  Points score;
  Points max_score;
  Verdict verdict = Verdict::kHarnessFault;  // the worst verdict of the criteria
  std::vector<CriterionGrade> criteria;      // criteria in the order of the rubric
  std::vector<CaseResult> information;       // the cases that belong to no criterion

  // False if points depend on something that was not measured, that failed in warpcheck, or that
  // warpcheck does not offer. Then the score is a lower bound. Also false if a GPU contradicts the
  // emulator.
  bool score_is_final = false;

  Points hidden_max;  // the points of hidden criteria that the rubric does not have
};

// Returns whether a verdict says nothing about the submission.
bool IsUndecided(Verdict verdict);

// Returns the first finding about what CUDA has and warpcheck does not offer; null if there is
// none. The points that a program loses with such a finding may be lost for want of it.
const Finding* NotOffered(const ChecksReport& report);

// Applies the rubric to what the checks reported.
Grade GradeOf(const Rubric& rubric, Attempt attempt);

// These convert a grade to JSON and back, for journals and between processes. (Reports for other
// programs are in report/reports.h.) A criterion names its cases by their index in the report, so
// that each case is stored once. Reading throws std::exception with a message that names the field.
nlohmann::json ToJson(const Grade& grade);
Grade GradeFrom(const nlohmann::json& object);

}  // namespace warpcheck
