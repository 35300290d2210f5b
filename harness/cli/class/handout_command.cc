// The folder that a student receives contains the file to write, the assignment's text, a
// Makefile for `make check`, and a bundle of the assignment. The Makefile and the CI file name
// the bundle's SHA-256, so that only this bundle is used. For a platform that grades
// (platform_setup.h), the folder is the instructor's: it contains the platform's set-up, and the
// student's folder as an archive.
#include "cli/class/handout_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/programs.h"
#include "cli/class/filled_setting.h"
#include "cli/class/platform_setup.h"
#include "cli/class/wheel_address.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "grading/handouts/bundle.h"
#include "host/courses.h"
#include "host/places.h"
#include "host/version.h"
#include "process/run_program.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

using Files = HandoutFiles;

struct Service {
  std::string name;
  fs::path from;  // a path in CourseFiles()
  fs::path to;
};
const Service kServices[] = {
    {"github", "github/warpcheck.yml", ".github/workflows/warpcheck.yml"},
    {"classroom", "github/classroom.yml", ".github/workflows/classroom.yml"},
    {"gitlab", "gitlab/.gitlab-ci.yml", ".gitlab-ci.yml"},
    {"jenkins", "jenkins/Jenkinsfile", "Jenkinsfile"}};

constexpr std::string_view kFigures[] = {".svg", ".png", ".jpg", ".gif"};
constexpr std::chrono::minutes kBuildLimit{30};
constexpr std::size_t kShownOutput = 20'000;

// Returns the checks program. If warpcheck runs from its build folder, the program is built
// first.
Result<fs::path> BuiltChecks(const Assignment& assignment) {
  const fs::path programs = assignment.checks.parent_path();
  std::error_code error;
  if (!fs::exists(programs / "CMakeCache.txt", error)) return assignment.checks;
  const auto cmake = OnPath("cmake");
  if (!cmake) return Fail("cmake is not found on PATH", {}, "apt install cmake ninja-build");
  const auto built = RunProgram({.program = *cmake,
                                 .arguments = {"--build", programs.string(), "--parallel",
                                               "--target", assignment.name + "_checks"},
                                 .limit = kBuildLimit,
                                 .max_output = kShownOutput});
  if (!built) return Fail(built.error());
  if (built->Succeeded()) return assignment.checks;
  return Fail(fmt::format("the checks of {} cannot be built: cmake {}\n{}", assignment.name,
                          built->Text(kBuildLimit), built->output));
}

Result<> AddFile(const fs::path& from, const fs::path& to, Files& files) {
  files[to] = WARPCHECK_TRY(ReadFile(from));
  return {};
}

// Returns the course's own file for students if there is one, and otherwise warpcheck's.
fs::path ForStudents(const Assignment& assignment, const fs::path& name) {
  fs::path own = assignment.home / "student_template" / name;
  std::error_code error;
  return fs::exists(own, error) ? own : Home() / "student_template" / name;
}

Result<Files> Gather(const Assignment& assignment, const HandoutOptions& options,
                     const std::string& digest) {
  Files files;
  files[".gitignore"] = "results/\nresults.log\n.warpcheck/\n";
  const fs::path skeleton = assignment.name + ".cu";
  std::vector<std::pair<fs::path, fs::path>> wanted = {
      {assignment.home / "student_template" / skeleton, skeleton},
      {assignment.header, assignment.header.filename()},
      {assignment.readme, "HANDOUT.md"},
      {ForStudents(assignment, "README.md"), "README.md"},
      {ForStudents(assignment, ".vscode/settings.json"), ".vscode/settings.json"},
      {ForStudents(assignment, ".vscode/tasks.json"), ".vscode/tasks.json"},
      {ForStudents(assignment, "Makefile"), "Makefile"}};
  std::error_code error;
  for (fs::directory_iterator at(assignment.rubric.parent_path(), error), end; !error && at != end;
       at.increment(error)) {
    const std::string ending = at->path().extension().string();
    if (std::ranges::find(kFigures, ending) != std::end(kFigures)) {
      wanted.emplace_back(at->path(), at->path().filename());
    }
  }
  const auto service = std::ranges::find(kServices, options.service, &Service::name);
  if (service != std::end(kServices)) {
    wanted.emplace_back(CourseFiles() / service->from, service->to);
  }
  for (const auto& [from, to] : wanted) {
    WARPCHECK_TRY(AddFile(from, to, files));
  }
  std::string wheel;
  if (!options.wheel.empty()) {
    const std::string_view program(kVersion);
    wheel = WARPCHECK_TRY(WheelAddress(options.wheel, program.substr(program.rfind(' ') + 1)));
  }
  const fs::path settings[] = {"Makefile", service == std::end(kServices) ? "" : service->to};
  for (const fs::path& name : settings) {
    if (name.empty()) continue;
    auto text = WARPCHECK_TRY(FilledSetting(files[name], {assignment.name, digest}, name));
    files[name] = WARPCHECK_TRY(WithWheel(std::move(text), wheel, name));
  }
  return files;
}

Result<std::vector<fs::path>> HandOut(const HandoutOptions& options) {
  const auto assignment = WARPCHECK_TRY(AssignmentNamed(options.assignment));
  std::error_code error;
  if (fs::exists(options.folder, error) && !fs::is_empty(options.folder, error)) {
    return Fail(options.folder.string() + " is not empty");
  }
  const auto checks = WARPCHECK_TRY(BuiltChecks(assignment));
  auto bundle = WARPCHECK_TRY(PackBundle(assignment, checks, kVersion));
  auto files = WARPCHECK_TRY(Gather(assignment, options, FileDigest(bundle)));
  files.emplace(assignment.name + std::string(kBundleEnding), bundle);
  if (IsPlatform(options.service)) {
    const auto rubric = WARPCHECK_TRY(RubricOf(assignment));
    const auto grades = WARPCHECK_TRY(PackBundle(assignment, checks, kVersion, BundleFor::kStaff));
    files = WARPCHECK_TRY(PlatformSetup(options.service, {assignment.name, rubric, grades, files}));
  }
  std::vector<fs::path> made;
  for (const auto& [name, text] : files) {
    made.push_back(options.folder / name);
    fs::create_directories(made.back().parent_path(), error);
    WARPCHECK_TRY(WriteFile(made.back(), text));
  }
  return made;
}

}  // namespace

std::vector<std::string> HandoutServices() {
  std::vector<std::string> names;
  for (const Service& service : kServices) names.push_back(service.name);
  for (std::string& platform : Platforms()) names.push_back(std::move(platform));
  return names;
}

int HandoutCommand(const HandoutOptions& options) {
  const auto made = HandOut(options);
  if (!made) return Complain(made.error(), kExitUsage);
  for (const fs::path& path : *made) fmt::print("{}\n", path.string());
  return kExitFull;
}

}  // namespace warpcheck
