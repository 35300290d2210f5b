#include "cli/check_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/files.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "compile/builder.h"
#include "grading/grader.h"
#include "grading/student_view.h"
#include "hardware/generations.h"
#include "host/courses.h"
#include "host/local_grader.h"
#include "host/plan.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

// Checks everything in advance that would otherwise fail only after the work is done.
Result<> CheckUsage(const CheckOptions& options) {
  std::error_code error;
  if (!std::filesystem::exists(options.submission, error)) {
    return Fail(fmt::format("no such file or folder: {}", options.submission.string()));
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
          : fmt::format("{} cases done  {:.60}", progress.cases_done, progress.case_name));
}

int ExitStatus(const Grade& grade, std::optional<double> fail_under) {
  if (!grade.score_is_final) return kExitFault;
  const double needed =
      fail_under.value_or(100) * static_cast<double>(grade.max_score.hundredths());
  return static_cast<double>(grade.score.hundredths()) * 100 >= needed ? kExitFull : kExitLost;
}

// `shown` is what the reader of the terminal may see.
Result<> WriteReports(const Grade& grade, const Grade& shown, const CheckOptions& options) {
  for (const ReportFormat& format : ReportFormats()) {
    const auto path = options.reports.find(format.name);
    if (path == options.reports.end()) continue;
    WARPCHECK_TRY(
        WriteFile(path->second, format.write(format.reader == Reader::kPlatform ? grade : shown)));
  }
  return {};
}

tl::expected<Grade, compile::Failure> GradeIt(const CheckOptions& options, GradingPlan plan,
                                              const Assignment& assignment) {
  LocalGrader::Settings settings;
  settings.plan = std::move(plan);
  if (CanShowProgress()) settings.progress = ShowProgress;
  settings.at_interrupt = ClearProgressLine;
  WarnIfUnsandboxed(settings.plan.sandboxed);
  const auto grader = LocalGrader::Make(std::move(settings));
  if (!grader) {
    return tl::unexpected(compile::Failure{grader.error(), compile::Failure::Blame::kMachine});
  }
  auto grade = (*grader)->GradeIt(assignment, options.submission);
  ClearProgressLine();
  return grade;
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

tl::expected<int, Stop> Check(const CheckOptions& options) {
  WARPCHECK_TRY(OrStop(kExitUsage, CheckUsage(options)));
  const auto assignment = WARPCHECK_TRY(OrStop(kExitUsage, AssignmentNamed(options.assignment)));
  const auto rubric = WARPCHECK_TRY(OrStop(kExitFault, RubricOf(assignment)));
  auto plan = WARPCHECK_TRY(OrStop(kExitUsage, PlanFor(options.device, rubric)));
  if (options.target) WARPCHECK_TRY(OrStop(kExitUsage, SetTarget(plan, *options.target)));
  plan.seed = options.seed ? *options.seed : WARPCHECK_TRY(OrStop(kExitFault, RandomSeed()));
  plan.sandboxed = !options.no_sandbox;
  const auto grade = GradeIt(options, std::move(plan), assignment);
  if (!grade) {
    const bool theirs = grade.error().blame == compile::Failure::Blame::kSubmission;
    return tl::unexpected(Stop{grade.error(), theirs ? kExitUsage : kExitFault});
  }
  const Grade shown = options.staff ? StaffView(*grade) : StudentView(*grade);
  fmt::print("{}", TerminalReport(shown, StyleOf(STDOUT_FILENO)));
  WARPCHECK_TRY(OrStop(kExitFault, WriteReports(*grade, shown, options)));
  return ExitStatus(shown, options.fail_under);
}

}  // namespace

int CheckCommand(const CheckOptions& options) { return StatusOf(Check(options)); }

}  // namespace warpcheck
