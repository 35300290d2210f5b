#include "cli/validate_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/files.h"
#include "base/in_parallel.h"
#include "base/json/text.h"
#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "grading/validation.h"
#include "host/courses.h"
#include "host/local_grader.h"
#include "host/plan.h"
#include "report/reports.h"
#include "report/terminal/validation_report.h"
#include "results/reference_counts.h"

namespace warpcheck {
namespace {

using nlohmann::json;

void DropTimes(json& value) {
  if (value.is_object()) value.erase("seconds");
  if (value.is_structured()) {
    for (json& element : value) DropTimes(element);
  }
}

// The threads of a host may launch in another order each time. If the launches are the same, but in
// another order, sorts them, and drops the timelines, which follow that order.
void AcceptAnyOrder(json& first, json& second) {
  if (first["launches"] == second["launches"]) return;
  for (json* const report : {&first, &second}) {
    std::ranges::sort((*report)["launches"].get_ref<json::array_t&>());
    report->erase("timelines");
  }
}

// Returns the first difference between the reports of two gradings of one program, apart from
// times and the order of launches; returns nothing if the reports agree.
std::optional<std::string> Difference(const Grade& one, const Grade& other) {
  json first = ParseJson(JsonReport(one));
  json second = ParseJson(JsonReport(other));
  DropTimes(first);
  DropTimes(second);
  AcceptAnyOrder(first, second);
  // This report contains times.
  for (json* const report : {&first, &second}) report->erase("witness");
  if (first == second) return std::nullopt;
  const json difference = json::diff(first, second).front();
  return fmt::format("graded twice with one seed, the reports differ at {}",
                     difference.at("path").get<std::string>());
}

// Makes a grader for each of `count` threads. An interrupt removes the temporary files of all.
Result<std::vector<std::unique_ptr<LocalGrader>>> MakeGraders(LocalGrader::Settings settings,
                                                              std::size_t count) {
  std::vector<std::unique_ptr<LocalGrader>> graders;
  std::vector<std::filesystem::path> folders;
  settings.handles_signals = false;
  while (graders.size() + 1 < count) {
    graders.push_back(WARPCHECK_TRY(LocalGrader::Make(settings)));
    folders.push_back(graders.back()->scratch());
  }
  settings.handles_signals = true;
  settings.at_interrupt = [folders] {
    std::error_code ignored;
    for (const auto& folder : folders) std::filesystem::remove_all(folder, ignored);
    ClearProgressLine();
  };
  graders.push_back(WARPCHECK_TRY(LocalGrader::Make(std::move(settings))));
  return graders;
}

// Returns how many programs are graded at once. A GPU that judges counts for one process at a time.
std::size_t JobsOf(const ValidateOptions& options, std::size_t programs) {
  if (options.device == "gpu") return 1;
  return std::clamp<std::size_t>(programs, 1, WorkersFor(options.jobs));
}

KnownSubmissionResult GradeKnownSubmission(LocalGrader& grader, const Assignment& assignment,
                                           const KnownSubmission& submission, bool repeat) {
  grader.MakeExperiments(!submission.expectation.mistakes.empty());
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

// Returns what is wrong with how the checks judge calls that are ended or not made. Grades the
// reference, which then uses up its budget in different ways. A GPU counts no instructions.
std::vector<std::string> ProblemsInShortages(LocalGrader& grader, const Assignment& assignment,
                                             const KnownSubmissions& submissions) {
  std::vector<std::string> problems;
  const auto reference = std::ranges::find_if(submissions.all, &KnownSubmission::is_reference);
  if (reference == submissions.all.end()) return problems;
  for (const Shortage shortage :
       {Shortage::kInstructions, Shortage::kRequests, Shortage::kBytes, Shortage::kHostTime}) {
    const auto grade = grader.GradeInShortage(assignment, reference->path, shortage);
    if (!grade) continue;  // the grade of the reference itself says why
    if (auto problem = ProblemInShortage(*grade, shortage)) {
      problems.push_back(*std::move(problem));
    }
  }
  return problems;
}

// Returns the programs that `files` name. Fails on a file that is not one of the course's programs
// with a known grade, and on a file whose expectation cannot be read.
Result<std::vector<KnownSubmission>> Named(const std::vector<std::filesystem::path>& files,
                                           const std::filesystem::path& home,
                                           const KnownSubmissions& submissions) {
  std::vector<KnownSubmission> named;
  for (const std::filesystem::path& file : files) {
    std::error_code ignored;
    const auto found = std::ranges::find_if(submissions.all, [&](const KnownSubmission& one) {
      return std::filesystem::equivalent(one.path, file, ignored);
    });
    if (found != submissions.all.end()) {
      named.push_back(*found);
      continue;
    }
    const auto problem = std::ranges::find_if(submissions.problems, [&](const Error& error) {
      return std::filesystem::equivalent(home / error.where.file, file, ignored);
    });
    if (problem != submissions.problems.end()) return tl::unexpected(*problem);
    return Fail(file.string() + " is not a test program of this assignment", {},
                "name the reference, the skeleton or a file of "
                "tests/submissions/<assignment>/<verdict>/. For other files use `warpcheck check`");
  }
  return named;
}

// Prints whether the named programs get the expected grades. Prints nothing about the assignment.
Validation OfPrograms(const Rubric& rubric, std::vector<KnownSubmissionResult> results) {
  Validation validation;
  validation.title = rubric.title;
  validation.total = rubric.Total();
  validation.submissions = std::move(results);
  return validation;
}

// The number of seeds whose counts are recorded. Each draws other shapes and data.
constexpr std::uint64_t kRecordedSeeds = 8;

// Grades the reference with several seeds, and writes what it counts.
tl::expected<int, Stop> Record(const Assignment& assignment, LocalGrader::Settings settings,
                               const KnownSubmissions& submissions) {
  const auto reference = std::ranges::find_if(submissions.all, &KnownSubmission::is_reference);
  if (reference == submissions.all.end()) {
    return tl::unexpected(Stop{{.message = "there is no reference to count"}, kExitLost});
  }
  ReferenceCounts counts;
  for (std::uint64_t seed = 1; seed <= kRecordedSeeds; ++seed) {
    settings.plan.seed = seed;
    const auto grader = WARPCHECK_TRY(OrStop(kExitFault, LocalGrader::Make(settings)));
    const auto grade = grader->GradeIt(assignment, reference->path);
    if (!grade) return tl::unexpected(Stop{{.message = grade.error().Text()}, kExitFault});
    for (const CaseResult::Comparison& one : ComparisonsOf(*grade)) {
      counts.Add(one.call, one.counter, one.count);
    }
  }
  if (counts.size() == 0) {
    fmt::print("no target of {} is relative to the reference\n", assignment.name);
    return kExitFull;
  }
  const std::filesystem::path file = assignment.readme.parent_path() / "reference_counts.json";
  WARPCHECK_TRY(OrStop(kExitFault, WriteFile(file, counts.Text())));
  fmt::print("{} of the reference, in {}: build the checks again\n",
             Counted(counts.size(), "count"), file.string());
  return kExitFull;
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
  settings.plan.promises = true;
  const bool counts_instructions = settings.plan.device == "emulator";
  settings.gpu_patience = std::chrono::hours(1);  // it compares the GPU with every grade
  WarnIfUnsandboxed(settings.plan.sandboxed);
  KnownSubmissions submissions = FindKnownSubmissions(assignment.home, assignment, rubric);
  if (options.record) return Record(assignment, std::move(settings), submissions);

  if (!options.files.empty()) {
    submissions.all =
        WARPCHECK_TRY(OrStop(kExitUsage, Named(options.files, assignment.home, submissions)));
  }
  const std::size_t jobs = JobsOf(options, submissions.all.size());
  const auto graders = WARPCHECK_TRY(OrStop(kExitFault, MakeGraders(std::move(settings), jobs)));
  std::vector<KnownSubmissionResult> results(submissions.all.size());
  std::mutex terminal;
  InParallel(results.size(), jobs, [&](std::size_t i, std::size_t worker) {
    const KnownSubmission& submission = submissions.all[i];
    if (CanShowProgress()) {
      const std::lock_guard lock(terminal);
      ShowProgressLine(fmt::format("{} of {}: {}", i + 1, results.size(), submission.name));
    }
    const bool repeat = options.repeat != 0 && i % options.repeat == 0;
    results[i] = GradeKnownSubmission(*graders[worker], assignment, submission, repeat);
  });
  if (options.files.empty() && counts_instructions) {
    for (std::string& problem : ProblemsInShortages(*graders.front(), assignment, submissions)) {
      submissions.problems.push_back({.message = std::move(problem)});
    }
  }
  ClearProgressLine();
  const Validation validation =
      options.files.empty() ? Conclude(rubric, handout, std::move(results), submissions.problems)
                            : OfPrograms(rubric, std::move(results));
  fmt::print("{}seed {}\n", ValidationReport(validation, StyleOf(STDOUT_FILENO)), seed);
  if (!options.index.empty()) {
    WARPCHECK_TRY(OrStop(kExitFault, WriteFile(options.index, IndexOf(validation.submissions))));
  }
  if (validation.undecided()) return kExitFault;
  return validation.Problems() == 0 ? kExitFull : kExitLost;
}

}  // namespace

int ValidateCommand(const ValidateOptions& options) { return StatusOf(Validate(options)); }

}  // namespace warpcheck
