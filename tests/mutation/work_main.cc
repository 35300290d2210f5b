// Grades every test submission again with more work in it (more_work.h). Exits 0 if that raises no
// score, 1 if it does, 2 on wrong usage, 3 where grading failed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "grader.h"
#include "more_work.h"
#include "raised.h"
#include "run.h"

namespace warpcheck::mutation {
namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;
constexpr int kFault = 3;

struct Options {
  std::vector<std::string> assignments;
  std::size_t sample = 0;
  std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  bool no_sandbox = false;
};

const fs::path kRoot = WARPCHECK_SOURCE_DIR;

// The build that this program belongs to.
fs::path Programs() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::vector<fs::path> ProgramsOf(const std::string& assignment) {
  std::vector<fs::path> programs;
  const fs::path folder = kRoot / "tests/submissions" / assignment;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") programs.push_back(entry.path());
  }
  programs.push_back(kRoot / "reference" / (assignment + ".cu"));
  std::sort(programs.begin(), programs.end());
  return programs;
}

Result<Source> Read(const fs::path& path) {
  auto text = ReadFile(path);
  if (!text) return Fail(text.error());
  return Source::Parse(*std::move(text), path.string());
}

struct Tried {
  std::size_t programs = 0;
  std::size_t changes = 0;
  std::size_t uncompiled = 0;
  std::size_t repaired = 0;
  std::vector<std::string> complaints;
  bool fault = false;

  void Add(const Grading& before, const Trial& trial, const std::string& name) {
    ++changes;
    const Grading& after = trial.grading;
    if (after.outcome == Grading::Outcome::kUncompiled) {
      ++uncompiled;
    } else if (after.outcome == Grading::Outcome::kFault) {
      fault = true;
      complaints.push_back(fmt::format("{}, {}: {}", name, trial.mutant.change, after.detail));
    } else if (Repaired(before.criteria, after.criteria)) {
      ++repaired;
    } else if (const std::string raised = Raised(before.criteria, after.criteria);
               !raised.empty()) {
      complaints.push_back(fmt::format("{}, {}: {} before, {} now: {}", name, trial.mutant.change,
                                       before.detail, after.detail, raised));
    }
  }
};

// Grades one program as it is, and then with each change.
void TryProgram(const fs::path& path, const std::vector<std::string>& functions,
                const Grader& grader, const Options& options, Tried& tried) {
  const std::string name = path.lexically_relative(kRoot).string();
  const auto source = Read(path);
  if (!source || source->tokens().empty()) return;  // one that shall not compile
  const Grading before = grader(source->text(), 0);
  if (before.outcome == Grading::Outcome::kUncompiled) return;
  ++tried.programs;
  if (before.outcome == Grading::Outcome::kFault) {
    tried.fault = true;
    tried.complaints.push_back(fmt::format("{}: {}", name, before.detail));
    return;
  }
  std::vector<Mutant> mutants = MoreWorkOf(*source, functions, before.blamed);
  for (const Trial& trial :
       GradeMutants(*source, std::move(mutants), grader, options.workers, [](const Trial&) {})) {
    tried.Add(before, trial, name);
  }
}

int RunOne(const std::string& assignment, const Options& options) {
  const auto header = Read(kRoot / "assignments" / assignment / (assignment + ".h"));
  if (!header) {
    fmt::print(stderr, "work: {}\n", header.error().Text());
    return kFault;
  }
  const Grader grader =
      MakeGrader({Programs() / "warpcheck", Programs() / "work", !options.no_sandbox}, assignment);
  Tried tried;
  for (const fs::path& path : Sample(ProgramsOf(assignment), options.sample)) {
    TryProgram(path, FunctionsOf(*header), grader, options, tried);
  }
  fmt::print(
      "{}: {} programs, {} changes tried, {} do not compile, {} made a wrong program right; "
      "{} raised a score\n",
      assignment, tried.programs, tried.changes, tried.uncompiled, tried.repaired,
      tried.complaints.size());
  for (const std::string& complaint : tried.complaints) fmt::print("  {}\n", complaint);
  std::fflush(stdout);
  if (tried.fault) return kFault;
  return tried.complaints.empty() ? 0 : 1;
}

std::vector<std::string> AllAssignments() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kRoot / "reference")) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Grades the test submissions with more work in them: no score may rise.");
  app.add_option("assignments", options.assignments, "all, unless some are named");
  app.add_option("--sample", options.sample, "this many programs of each, always the same");
  app.add_option("--jobs", options.workers, "programs graded at once")->check(CLI::Range(1, 256));
  app.add_flag("--no-sandbox", options.no_sandbox, "for a machine without bubblewrap");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  if (options.assignments.empty()) options.assignments = AllAssignments();
  int worst = 0;
  for (const std::string& assignment : options.assignments) {
    worst = std::max(worst, RunOne(assignment, options));
  }
  return worst;
}

}  // namespace
}  // namespace warpcheck::mutation

int main(int argc, char** argv) {
  try {
    return warpcheck::mutation::Main(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "work: %s\n", exception.what());
    return warpcheck::mutation::kFault;
  }
}
