// The grade of one submission: complete, read-only data that every report is a function of.
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

// What became of one submission before anything was graded.
struct Attempt {
  std::string version;                           // "warpcheck 0.1.0": which graded it
  std::string assignment;                        // "transpose"
  std::string submission;                        // the path as given
  std::string device;                            // "emulator", "gpu"
  std::string device_remark;                     // what to know of it; may be empty
  std::uint64_t seed = 0;                        // of the random inputs
  compile::Outcome build{};                      // exactly one of artifact and error
  ChecksReport report{};                         // empty where the build failed
  std::optional<Witness> witness{};              // where the plan wanted one
  std::map<std::string, std::string> sources{};  // text by file name, as in SourceLocation::file
  std::int64_t started = 0;                      // seconds since 1970, UTC
  double build_seconds = 0;
  double checks_seconds = 0;
};

// What it was graded with: "warpcheck 0.1.0, CUDA 13.0.88".
std::string GradedWith(const Attempt& attempt);

struct CriterionGrade {
  std::string id;
  std::string name;
  Points points;
  Points max_points;
  Verdict verdict = Verdict::kHarnessFault;
  std::string reason;             // why, where no case says it: skipped, no such test
  std::vector<CaseResult> cases;  // in the order they ran
};

struct Grade {
  Attempt attempt;
  std::string title;  // of the assignment
  Points score;
  Points max_score;
  Verdict verdict = Verdict::kHarnessFault;  // the worst of the criteria
  std::vector<CriterionGrade> criteria;      // as in the rubric
  std::vector<CaseResult> information;       // cases that belong to no criterion

  // False where points depend on something that was not measured or went wrong in warpcheck: the
  // score is then a lower bound. False, too, where a GPU contradicts the emulator.
  bool score_is_final = false;
};

// True for the verdicts that say nothing about the submission.
bool IsUndecided(Verdict verdict);

Grade GradeOf(const Rubric& rubric, Attempt attempt);

// The JSON form of a complete grade, one way and back: for journals and between processes (what
// other people's programs read is report/reports.h). Reading throws std::exception with a message
// that names the field.

// A criterion names its cases by their place in the report, so that none is stored twice.
nlohmann::json ToJson(const Grade& grade);
Grade GradeFrom(const nlohmann::json& object);

}  // namespace warpcheck
