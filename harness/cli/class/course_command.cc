// `warpcheck new` copies its files from share/warpcheck/new; `warpcheck build` compiles the
// checks of a course with CMake, against what is installed (cmake/warpcheck-config.cmake).
#include "cli/class/course_command.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/files.h"
#include "base/programs.h"
#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/run/child_program.h"
#include "cli/stop.h"
#include "host/nvcc.h"
#include "host/places.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// The name of the assignment in the files that are copied.
constexpr char kPlaceholder[] = "NAME";
constexpr char kFirstAssignment[] = "saxpy";  // the assignment of a new course

fs::path Templates() { return CourseFiles() / "new"; }

std::string Named(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(kPlaceholder, at)) != std::string::npos;) {
    text.replace(at, std::string_view(kPlaceholder).size(), name);
    at += name.size();
  }
  return text;
}

// Copies every file below `from` to the same place below `to`. Writes nothing if one of them
// exists already.
Result<std::vector<fs::path>> CopyTemplate(const fs::path& from, const fs::path& to,
                                           const std::string& name) {
  std::vector<std::pair<fs::path, std::string>> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(from, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file()) continue;
    auto text = WARPCHECK_TRY(ReadFile(at->path()));
    const fs::path path = to / Named(fs::relative(at->path(), from).string(), name);
    std::error_code absent;
    if (fs::exists(path, absent)) return Fail(path.string() + " is there already");
    files.emplace_back(path, Named(std::move(text), name));
  }
  if (error || files.empty()) {
    return Fail(fmt::format("there are no templates in {}", from.string()), {},
                "install warpcheck again");
  }
  std::vector<fs::path> made;
  for (const auto& [path, text] : files) {
    fs::create_directories(path.parent_path(), error);
    WARPCHECK_TRY(WriteFile(path, text));
    made.push_back(path);
  }
  return made;
}

Result<> CheckName(const std::string& name) {
  bool fits = !name.empty() && (name[0] < '0' || name[0] > '9');
  for (const char c : name) fits = fits && IsOfIdentifier(c);
  if (fits) return {};
  return Fail(fmt::format("\"{}\" cannot be the name of an assignment", name), {},
              "use a C++ identifier: letters, digits and _");
}

// Returns the folder of the course: the folder that --course names, or else the current folder.
Result<fs::path> CourseFolder() {
  const std::string named = Environment("WARPCHECK_COURSE");
  const fs::path folder = fs::absolute(named.empty() ? "." : named).lexically_normal();
  std::error_code error;
  if (fs::exists(folder / "CMakeLists.txt", error)) return folder;
  return Fail(fmt::format("{} is not a course: it has no CMakeLists.txt", folder.string()), {},
              "go to the course's folder, name it by --course, or make one: warpcheck new course "
              "DIR");
}

Result<std::vector<fs::path>> MakeCourse(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    return Fail(folder.string() + " is not empty");
  }
  auto made = CopyTemplate(Templates() / "course", folder, kPlaceholder);
  if (!made) return made;
  auto first = CopyTemplate(Templates() / "assignment", folder, kFirstAssignment);
  if (first) made->insert(made->end(), first->begin(), first->end());
  return first ? made : first;
}

Result<std::vector<fs::path>> MakeAssignment(const std::string& name) {
  WARPCHECK_TRY(CheckName(name));
  const auto course = WARPCHECK_TRY(CourseFolder());
  return CopyTemplate(Templates() / "assignment", course, name);
}

Result<int> Build(const fs::path& course) {
  const fs::path prefix = Programs().parent_path().parent_path();
  const fs::path package = prefix / "lib/cmake/warpcheck";
  std::error_code error;
  if (!fs::is_directory(package, error)) {
    return Fail("this warpcheck is not installed, so it cannot build a course", {},
                "run cmake --install build --prefix DIR, and use DIR/bin/warpcheck");
  }
  const auto cmake = OnPath("cmake");
  if (!cmake) return Fail("cmake is not found on PATH", {}, "apt install cmake ninja-build");
  const auto nvcc = WARPCHECK_TRY(Nvcc());
  const fs::path build = course / "build";
  std::vector<std::string> configure = {"cmake",
                                        "-S",
                                        course.string(),
                                        "-B",
                                        build.string(),
                                        "-Dwarpcheck_DIR=" + package.string(),
                                        "-DWARPCHECK_NVCC=" + nvcc.string(),
                                        "--log-level=WARNING"};
  if (!fs::exists(build / "CMakeCache.txt", error) && OnPath("ninja")) {
    configure.insert(configure.end(), {"-G", "Ninja"});
  }
  const std::vector<std::string> compile = {"cmake", "--build", build.string(), "--parallel"};
  for (const auto& arguments : {configure, compile}) {
    const auto ended = WARPCHECK_TRY(RunInForeground(*cmake, arguments, {}));
    if (const int status = EndLike(ended); status != 0) return kExitFault;
  }
  return kExitFull;
}

}  // namespace

int NewCommand(const NewOptions& options) {
  const auto made =
      options.course.empty() ? MakeAssignment(options.assignment) : MakeCourse(options.course);
  if (!made) return Complain(made.error(), kExitUsage);
  for (const fs::path& path : *made) fmt::print("{}\n", path.string());
  return kExitFull;
}

int BuildCommand() {
  const auto course = CourseFolder();
  if (!course) return Complain(course.error(), kExitUsage);
  const auto built = Build(*course);
  return built ? *built : Complain(built.error(), kExitFault);
}

}  // namespace warpcheck
