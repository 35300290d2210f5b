#include "cli/validate_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "grading/validation.h"
#include "host/courses.h"
#include "host/local_grader.h"
#include "host/plan.h"
#include "report/reports.h"
#include "report/terminal/validation_report.h"

namespace warpcheck {
namespace {

using nlohmann::json;

void DropTimes(json& value) {
  if (value.is_object()) value.erase("seconds");
  if (value.is_structured()) {
    for (json& element : value) DropTimes(element);
  }
}

// Returns where the reports of two grades of one program differ, except for times; nothing if
// they do not.
std::optional<std::string> Difference(const Grade& one, const Grade& other) {
  json first = json::parse(JsonReport(one));
  json second = json::parse(JsonReport(other));
  DropTimes(first);
  DropTimes(second);
  for (json* const report : {&first, &second}) report->erase("witness");  // it contains times
  if (first == second) return std::nullopt;
  const json difference = json::diff(first, second).front();
  return fmt::format("graded twice with one seed, the reports differ at {}",
                     difference.at("path").get<std::string>());
}

KnownSubmissionResult GradeKnownSubmission(LocalGrader& grader, const Assignment& assignment,
                                           const KnownSubmission& submission, bool repeat) {
  const auto grade = grader.GradeIt(assignment, submission.path);
  if (!grade) return NotGraded(submission, grade.error());
  KnownSubmissionResult result = Examine(submission, *grade);
  if (!repeat) return result;
  const auto again = grader.GradeIt(assignment, submission.path);
  if (!again) return NotGraded(submission, again.error());
  if (auto difference = Difference(*grade, *again)) {
    result.problems.push_back(*std::move(difference));
  }
  return result;
}

tl::expected<int, Stop> Validate(const ValidateOptions& options) {
  LocalGrader::Settings settings;
  const auto assignment = WARPCHECK_TRY(OrStop(kExitUsage, AssignmentNamed(options.assignment)));
  const auto toml = WARPCHECK_TRY(OrStop(kExitFault, ReadFile(assignment.rubric)));
  const auto rubric =
      WARPCHECK_TRY(OrStop(kExitLost, ParseRubric(toml, assignment.rubric.string())));
  settings.plan = WARPCHECK_TRY(OrStop(kExitUsage, PlanFor(options.device, rubric)));
  const auto handout = WARPCHECK_TRY(OrStop(kExitLost, ReadFile(assignment.readme)));
  const std::uint64_t seed =
      options.seed ? *options.seed : WARPCHECK_TRY(OrStop(kExitFault, RandomSeed()));
  settings.plan.seed = seed;
  settings.plan.sandboxed = !options.no_sandbox;
  settings.at_interrupt = ClearProgressLine;
  WarnIfUnsandboxed(settings.plan.sandboxed);
  const auto grader = WARPCHECK_TRY(OrStop(kExitFault, LocalGrader::Make(std::move(settings))));

  const KnownSubmissions submissions = FindKnownSubmissions(assignment.home, assignment, rubric);
  std::vector<KnownSubmissionResult> results;
  for (const KnownSubmission& submission : submissions.all) {
    if (CanShowProgress()) {
      ShowProgressLine(
          fmt::format("{} of {}: {}", results.size() + 1, submissions.all.size(), submission.name));
    }
    const bool repeat = options.repeat != 0 && results.size() % options.repeat == 0;
    results.push_back(GradeKnownSubmission(*grader, assignment, submission, repeat));
  }
  ClearProgressLine();
  const Validation validation = Conclude(rubric, handout, std::move(results), submissions.problems);
  fmt::print("{}seed {}\n", ValidationReport(validation, StyleOf(STDOUT_FILENO)), seed);
  if (validation.undecided()) return kExitFault;
  return validation.Problems() == 0 ? kExitFull : kExitLost;
}

}  // namespace

int ValidateCommand(const ValidateOptions& options) { return StatusOf(Validate(options)); }

}  // namespace warpcheck
