#include "proof/parity/submissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "base/files.h"
#include "base/text/glob.h"
#include "grading/rubric.h"

namespace warpcheck::parity {
namespace {

namespace fs = std::filesystem;

// The seed of the inputs, equal for every device, so that both run the same launches.
constexpr std::uint64_t kSeed = 1;

Result<std::vector<std::string>> ChosenCases(const Subject& subject, ChecksProgram& checks) {
  auto cases = checks.List(subject.assignment.checks, 0);
  if (!cases) return cases;
  std::erase_if(*cases, [&](const auto& name) { return !FilterMatches(subject.cases, name); });
  if (cases->empty()) {
    return Fail(
        fmt::format("no case of {} matches \"{}\"", subject.assignment.name, subject.cases));
  }
  return cases;
}

std::vector<MeasuredLaunch> LaunchesOf(const Subject& subject, const ChecksReport& report) {
  std::vector<MeasuredLaunch> launches;
  std::map<std::string, std::uint32_t> made;  // launches by case
  for (const CaseLaunch& launch : report.launches) {
    launches.push_back(
        FromRecord(subject.name, launch.case_name, made[launch.case_name]++, launch.record));
  }
  return launches;
}

}  // namespace

Result<std::vector<Subject>> SubjectsOf(const CheckedAssignment& checked, const fs::path& home) {
  std::vector<fs::path> files = {home / "reference" / (checked.name + ".cu")};
  const fs::path folder = home / "tests/submissions" / checked.name;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const bool runs = at->path().parent_path().filename() != "error";
    if (runs && at->path().extension() == ".cu") files.push_back(at->path());
  }
  if (error) return Fail(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  std::vector<Subject> subjects;
  for (const fs::path& file : files) {
    subjects.push_back({file.lexically_relative(home).string(), file, {}, checked.cases});
  }
  return subjects;
}

Result<std::vector<MeasuredLaunch>> Measure(const Subject& subject, const SubmissionTools& tools) {
  const auto toml = WARPCHECK_TRY(ReadFile(subject.assignment.rubric));
  const auto rubric = WARPCHECK_TRY(ParseRubric(toml, subject.assignment.rubric.string()));
  const auto built = tools.build({.submission = subject.file,
                                  .headers = {subject.assignment.header},
                                  .language = rubric.language});
  if (!built) return Fail(built.error());
  if (!built->artifact) return std::vector<MeasuredLaunch>{};
  auto cases = WARPCHECK_TRY(ChosenCases(subject, *tools.checks));
  ChecksCommand command;
  command.program = subject.assignment.checks;
  ChecksOrder& order = command.order;
  order.plan.device = tools.device;
  order.plan.seed = kSeed;
  order.plan.sandboxed = tools.sandboxed;
  order.plan.count_every_launch = true;
  order.submission_host = tools.submission_host;
  if (tools.device == "gpu") order.gpu_host = tools.gpu_host;
  order.shared_object = built->artifact->shared_object;
  order.sources = built->artifact->sources;
  order.modules = built->artifact->modules;
  order.cases = std::move(cases);
  const auto run = WARPCHECK_TRY(tools.checks->Run(command, {}));
  if (!run.finished) {
    return Fail(fmt::format("the checks of {} did not finish: the program {}\n{}", subject.name,
                            run.ending, run.output));
  }
  return LaunchesOf(subject, run.report);
}

}  // namespace warpcheck::parity
