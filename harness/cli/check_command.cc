#include "cli/check_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "cli/watch/saved_files.h"
#include "cli/watch/watch_loop.h"
#include "compile/builder.h"
#include "grading/grader.h"
#include "grading/student_view.h"
#include "hardware/generations.h"
#include "host/courses.h"
#include "host/local_grader.h"
#include "host/plan.h"
#include "report/dump/chosen_cases.h"
#include "report/dump/dump_files.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

constexpr char kPage[] = "html";  // the report that is a page, as in report/reports.def

// Checks in advance that arrays can be written.
Result<> CheckDump(const CheckOptions& options) {
  if (options.dump.empty()) {
    if (options.cases.empty()) return {};
    return Fail("--case chooses the arrays that --dump writes, but there is no --dump", {},
                "add --dump and a folder");
  }
  std::error_code error;
  std::filesystem::create_directories(options.dump, error);
  if (!std::filesystem::is_directory(options.dump)) {
    return Fail(fmt::format("cannot write to {}: it is not a folder and cannot be made one",
                            options.dump.string()));
  }
  if (::access(options.dump.c_str(), W_OK | X_OK) == 0) return {};
  return Fail(fmt::format("cannot write to {}: {}", options.dump.string(), std::strerror(errno)));
}

// Returns whether these options show a case: students see no case that only hidden criteria have. A
// rubric for students has only the points of its hidden criteria.
bool IsShown(const CheckOptions& options, const Rubric& rubric, const std::string& name) {
  if (options.staff) return true;
  bool matches = false;
  for (const Criterion& criterion : rubric.criteria) {
    if (!criterion.Matches(name)) continue;
    if (!criterion.hidden) return true;
    matches = true;
  }
  return !matches && rubric.hidden_points == Points();
}

// Writes the arrays, and prints what was written.
Result<> WriteDump(const LocalGrader& grader, const CheckOptions& options, const Rubric& rubric) {
  auto arrays = WARPCHECK_TRY(grader.ArraysOfCases());
  std::erase_if(arrays,
                [&](const ArrayDump& array) { return !IsShown(options, rubric, array.case_name); });
  const auto lines = WARPCHECK_TRY(WriteArrays(arrays, options.dump));
  fmt::print("\nArrays in {}:\n", options.dump.string());
  for (const std::string& line : lines) fmt::print("  {}\n", line);
  if (!lines.empty()) return {};
  fmt::print("  none: {}\n",
             options.cases.empty()
                 ? "no case compared an array and found it wrong"
                 : "no result was compared in this case; its complaint says why, or "
                   "it judges something else");
  return {};
}

// Returns the files and folders that the command writes.
std::vector<std::filesystem::path> OutputsOf(const CheckOptions& options) {
  std::vector<std::filesystem::path> outputs;
  for (const auto& [name, path] : options.reports) outputs.push_back(path);
  if (!options.dump.empty()) outputs.push_back(options.dump);
  return outputs;
}

// Checks everything in advance that would otherwise fail only after the work is done.
Result<> CheckUsage(const CheckOptions& options) {
  std::error_code error;
  if (!std::filesystem::exists(options.submission, error)) {
    return NotFound(fmt::format("no such file or folder: {}", options.submission.string()));
  }
  for (const auto& [name, path] : options.reports) {
    if (std::filesystem::is_directory(path, error)) {
      return Fail(fmt::format("cannot write {}: it is a folder", path.string()));
    }
    // A pipe or a device is written in place (WriteFile), so that its folder does not
    // matter.
    if (std::filesystem::is_other(path, error)) {
      if (::access(path.c_str(), W_OK) == 0) continue;
      return Fail(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
    }
    const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (::access(parent.c_str(), W_OK | X_OK) != 0) {
      return Fail(
          fmt::format("cannot write {}: its folder is missing or not writable", path.string()));
    }
  }
  return {};
}

void ShowProgress(const Progress& progress) {
  ShowProgressLine(
      progress.step == Progress::Step::kBuilding
          ? "building ..."
          : fmt::format("{} done  {:.60}",
                        Counted(static_cast<std::uint64_t>(progress.cases_done), "case"),
                        progress.case_name));
}

int ExitStatus(const Grade& grade, std::optional<double> fail_under) {
  if (!grade.score_is_final) return kExitFault;
  const double needed =
      fail_under.value_or(100) * static_cast<double>(grade.max_score.hundredths());
  return static_cast<double>(grade.score.hundredths()) * 100 >= needed ? kExitFull : kExitLost;
}

// Writes the files of the grade. `shown` is what the reader of the terminal may see.
Result<> WriteReports(const Grade& grade, const Grade& shown, const CheckOptions& options) {
  for (const ReportFormat& format : ReportFormats()) {
    const auto path = options.reports.find(format.name);
    if (path == options.reports.end()) continue;
    if (options.watch && path->first == kPage) continue;  // the loop writes it
    WARPCHECK_TRY(
        WriteFile(path->second, format.write(format.reader == Reader::kPlatform ? grade : shown)));
  }
  return {};
}

// Makes a grader that calls `at_interrupt` last at an interrupt.
Result<std::unique_ptr<LocalGrader>> GraderFor(GradingPlan plan,
                                               std::function<void()> at_interrupt) {
  LocalGrader::Settings settings;
  settings.plan = std::move(plan);
  if (CanShowProgress()) settings.progress = ShowProgress;
  settings.at_interrupt = std::move(at_interrupt);
  WarnIfUnsandboxed(settings.plan.sandboxed);
  return LocalGrader::Make(std::move(settings));
}

// Lets the grader keep the arrays that the options ask for.
Result<> ChooseArrays(LocalGrader& grader, const CheckOptions& options,
                      const Assignment& assignment, const Rubric& rubric) {
  if (options.dump.empty()) return {};
  if (options.cases.empty()) {
    grader.KeepArraysOf({});
    return {};
  }
  auto all = WARPCHECK_TRY(grader.Cases(assignment));
  std::erase_if(all, [&](const std::string& name) { return !IsShown(options, rubric, name); });
  auto chosen = WARPCHECK_TRY(ChosenCases(options.cases, all));
  grader.KeepArraysOf(std::move(chosen));
  return {};
}

// Lets the plan compile for, and emulate, the GPU of this compute capability, times 10.
Result<> SetTarget(GradingPlan& plan, int target) {
  if (plan.device == "gpu") {
    return Fail("--target chooses a GPU to emulate, but here a GPU of this machine judges", {},
                "leave out --target, or grade with --device emulator");
  }
  if (GpuFor(target) == nullptr) {
    return Fail(fmt::format("the emulator has no GPU of compute capability {}.{}", target / 10,
                            target % 10),
                {}, fmt::format("choose one of: {}", fmt::join(GpuTargets(), ", ")));
  }
  plan.ptx_target = target;
  return {};
}

// A Bench grades a submission, once or several times, always with the same seed.
struct Bench {
  Assignment assignment;
  Rubric rubric;
  std::unique_ptr<LocalGrader> grader;
};

tl::expected<Bench, Stop> BenchFor(const CheckOptions& options,
                                   std::function<void()> at_interrupt) {
  Bench bench;
  bench.assignment = WARPCHECK_TRY(OrStop(kExitUsage, AssignmentNamed(options.assignment)));
  bench.rubric = WARPCHECK_TRY(OrStop(kExitFault, RubricOf(bench.assignment)));
  auto plan = WARPCHECK_TRY(OrStop(kExitUsage, PlanFor(options.device, bench.rubric)));
  if (options.target) WARPCHECK_TRY(OrStop(kExitUsage, SetTarget(plan, *options.target)));
  plan.seed = options.seed ? *options.seed : WARPCHECK_TRY(OrStop(kExitFault, RandomSeed()));
  plan.sandboxed = !options.no_sandbox;
  plan.experiments = !options.no_experiments && plan.device == "emulator";
  bench.grader =
      WARPCHECK_TRY(OrStop(kExitFault, GraderFor(std::move(plan), std::move(at_interrupt))));
  WARPCHECK_TRY(
      OrStop(kExitUsage, ChooseArrays(*bench.grader, options, bench.assignment, bench.rubric)));
  return bench;
}

// Grades once, prints the report and writes the files. Returns what the reader may see.
tl::expected<Grade, Stop> GradeOnce(const Bench& bench, const CheckOptions& options) {
  const auto grade = bench.grader->GradeIt(bench.assignment, options.submission);
  ClearProgressLine();
  if (!grade) {
    const bool theirs = grade.error().blame == compile::Failure::Blame::kSubmission;
    return tl::unexpected(Stop{grade.error(), theirs ? kExitUsage : kExitFault});
  }
  Grade shown = options.staff ? StaffView(*grade) : StudentView(*grade);
  fmt::print("{}", TerminalReport(shown, StyleOf(STDOUT_FILENO)));
  WARPCHECK_TRY(OrStop(kExitFault, WriteReports(*grade, shown, options)));
  if (!options.dump.empty()) {
    WARPCHECK_TRY(OrStop(kExitFault, WriteDump(*bench.grader, options, bench.rubric)));
  }
  return shown;
}

tl::expected<int, Stop> Check(const CheckOptions& options) {
  WARPCHECK_TRY(OrStop(kExitUsage, CheckUsage(options)));
  WARPCHECK_TRY(OrStop(kExitUsage, CheckDump(options)));
  const Bench bench = WARPCHECK_TRY(BenchFor(options, ClearProgressLine));
  const Grade shown = WARPCHECK_TRY(GradeOnce(bench, options));
  return ExitStatus(shown, options.fail_under);
}

// Grades until an interrupt ends the program, or the files cannot be watched any more.
tl::expected<int, Stop> CheckAndWatch(const CheckOptions& options) {
  WARPCHECK_TRY(OrStop(kExitUsage, CheckUsage(options)));
  WARPCHECK_TRY(OrStop(kExitUsage, CheckDump(options)));
  auto files =
      WARPCHECK_TRY(OrStop(kExitUsage, SavedFiles::Watch(options.submission, OutputsOf(options))));
  const auto page = options.reports.find(kPage);
  WatchLoop loop(std::move(files), options.submission,
                 page != options.reports.end() ? page->second : std::filesystem::path(),
                 StyleOf(STDOUT_FILENO).width);
  const Bench bench = WARPCHECK_TRY(BenchFor(options, [&loop] {
    ClearProgressLine();
    if (const auto status = loop.End()) ::_exit(*status);
  }));
  const Error why = loop.Run([&]() -> WatchLoop::Outcome {
    const auto shown = GradeOnce(bench, options);
    if (!shown) {
      return {.shown = {}, .status = Complain(shown.error().error, shown.error().status)};
    }
    return {.shown = *shown, .status = ExitStatus(*shown, options.fail_under)};
  });
  loop.End();
  return tl::unexpected(Stop{why, kExitUsage});
}

}  // namespace

int CheckCommand(const CheckOptions& options) {
  return StatusOf(options.watch ? CheckAndWatch(options) : Check(options));
}

}  // namespace warpcheck
