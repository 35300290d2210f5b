// Grades every test submission again with more work in it (more_work.h). Exits 0 if that raises no
// score, 1 if it does, 2 on wrong usage, 3 where grading failed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "more_work.h"
#include "raised.h"
#include "run.h"
#include "tool.h"

namespace warpcheck::mutation {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> ProgramsOf(const std::string& assignment) {
  std::vector<fs::path> programs;
  const fs::path folder = Repository() / "tests/submissions" / assignment;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") programs.push_back(entry.path());
  }
  programs.push_back(Repository() / "reference" / (assignment + ".cu"));
  std::sort(programs.begin(), programs.end());
  return programs;
}

Result<Source> Read(const fs::path& path) {
  auto text = ReadFile(path);
  if (!text) return Fail(text.error());
  return Source::Parse(*std::move(text), path.string());
}

// What became of all programs. Several threads add to it.
class Tried {
 public:
  void AddProgram() {
    Locked([this] { ++programs_; });
  }

  void AddFault(const std::string& complaint) {
    Locked([&] {
      fault_ = true;
      complaints_.push_back(complaint);
    });
  }

  void Add(const Grading& before, const Mutant& mutant, const Grading& after,
           const std::string& name) {
    const bool faulty = after.outcome == Grading::Outcome::kFault;
    if (faulty) AddFault(fmt::format("{}, {}: {}", name, mutant.change, after.detail));
    Locked([&] {
      ++changes_;
      if (faulty) return;
      if (after.outcome == Grading::Outcome::kUncompiled) {
        ++uncompiled_;
      } else if (Repaired(before.criteria, after.criteria)) {
        ++repaired_;
      } else if (const std::string raised = Raised(before.criteria, after.criteria);
                 !raised.empty()) {
        complaints_.push_back(fmt::format("{}, {}: {} before, {} now: {}", name, mutant.change,
                                          before.detail, after.detail, raised));
      }
    });
  }

  void ShowProgressOf(const std::string& assignment, std::size_t of) {
    Locked([&] {
      ShowProgress(fmt::format("{}: {} of {} programs, {} changes tried", assignment, programs_, of,
                               changes_));
    });
  }

  void Print(const std::string& assignment) {
    fmt::print(
        "{}: {} programs, {} changes tried, {} do not compile, {} made a wrong program right; "
        "{} raised a score\n",
        assignment, programs_, changes_, uncompiled_, repaired_, complaints_.size());
    std::sort(complaints_.begin(), complaints_.end());
    for (const std::string& complaint : complaints_) fmt::print("  {}\n", complaint);
    std::fflush(stdout);
  }

  int Status() const { return fault_ ? kFault : complaints_.empty() ? 0 : 1; }

 private:
  void Locked(const std::function<void()>& change) {
    const std::lock_guard lock(mutex_);
    change();
  }

  std::mutex mutex_;
  std::size_t programs_ = 0;
  std::size_t changes_ = 0;
  std::size_t uncompiled_ = 0;
  std::size_t repaired_ = 0;
  std::vector<std::string> complaints_;
  bool fault_ = false;
};

// Grades one program as it is, and then with each change.
void TryProgram(const fs::path& path, const std::vector<std::string>& functions,
                const Grader& grader, std::size_t worker, Tried& tried) {
  const std::string name = path.lexically_relative(Repository()).string();
  const auto source = Read(path);
  if (!source || source->tokens().empty()) return;  // one that shall not compile
  const Grading before = grader(source->text(), worker);
  if (before.outcome == Grading::Outcome::kUncompiled) return;
  tried.AddProgram();
  if (before.outcome == Grading::Outcome::kFault) {
    tried.AddFault(fmt::format("{}: {}", name, before.detail));
    return;
  }
  for (const Mutant& mutant : MoreWorkOf(*source, functions, before.blamed)) {
    tried.Add(before, mutant, grader(mutant.Apply(source->text()), worker), name);
  }
}

int RunOne(const std::string& assignment, const ToolOptions& options) {
  const auto header = Read(Repository() / "assignments" / assignment / (assignment + ".h"));
  if (!header) {
    fmt::print(stderr, "work: {}\n", header.error().Text());
    return kFault;
  }
  const Grader grader = MakeGrader(options, ScratchFolder("work"), assignment);
  const std::vector<fs::path> programs = Sample(ProgramsOf(assignment), options.sample);
  const std::vector<std::string> functions = FunctionsOf(*header);
  Tried tried;
  InParallel(programs.size(), options.workers, [&](std::size_t i, std::size_t worker) {
    tried.ShowProgressOf(assignment, programs.size());
    TryProgram(programs[i], functions, grader, worker, tried);
  });
  ShowProgress("");
  tried.Print(assignment);
  return tried.Status();
}

}  // namespace
}  // namespace warpcheck::mutation

int main(int argc, char** argv) {
  using namespace warpcheck::mutation;
  try {
    ToolOptions options;
    CLI::App app("Grades the test submissions with more work in them: no score may rise.");
    return RunTool(app, options, argc, argv, [&options](const std::string& assignment) {
      return RunOne(assignment, options);
    });
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "work: %s\n", exception.what());
    return kFault;
  }
}
