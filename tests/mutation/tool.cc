#include "tool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "grader.h"

namespace warpcheck::mutation {
namespace {

namespace fs = std::filesystem;

fs::path Programs() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::vector<std::string> AllAssignments() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(Repository() / "reference")) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

const fs::path& Repository() {
  static const fs::path kRepository = WARPCHECK_SOURCE_DIR;
  return kRepository;
}

fs::path ScratchFolder(const std::string& name) { return Programs() / name; }

Grader MakeGrader(const ToolOptions& options, const fs::path& scratch,
                  const std::string& assignment) {
  return MakeGrader({Programs() / "warpcheck", scratch, !options.no_sandbox}, assignment);
}

void ShowProgress(const std::string& text) {
  if (::isatty(STDERR_FILENO) != 1) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

int RunTool(CLI::App& app, ToolOptions& options, int argc, char** argv,
            const std::function<int(const std::string& assignment)>& run) {
  options.workers = std::max(1u, std::thread::hardware_concurrency());
  app.add_option("assignments", options.assignments, "all, unless some are named");
  app.add_option("--sample", options.sample, "this many of each, always the same");
  app.add_option("--jobs", options.workers, "programs graded at once")->check(CLI::Range(1, 256));
  app.add_flag("--no-sandbox", options.no_sandbox, "for a machine without bubblewrap");
  try {
    app.parse(argc, argv);
    if (options.assignments.empty()) options.assignments = AllAssignments();
    int worst = 0;
    for (const std::string& assignment : options.assignments) {
      worst = std::max(worst, run(assignment));
    }
    return worst;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
}

}  // namespace warpcheck::mutation
