// Grades every test submission again with more work in it (more_work.h). Exits 0 if that raises no
// score, 1 if it does, 2 on wrong usage, 3 where grading failed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
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

// What became of one program, or of several.
struct Tried {
  std::size_t programs = 0;
  std::size_t changes = 0;
  std::size_t uncompiled = 0;
  std::size_t repaired = 0;
  std::size_t in_registers = 0;
  std::vector<std::string> complaints;
  bool fault = false;

  void Add(const Grading& before, const Mutant& mutant, const Grading& after,
           const std::string& name) {
    ++changes;
    if (after.outcome == Grading::Outcome::kUncompiled) {
      ++uncompiled;
    } else if (after.outcome == Grading::Outcome::kFault) {
      fault = true;
      complaints.push_back(fmt::format("{}, {}: {}", name, mutant.change, after.detail));
    } else if (Repaired(before.criteria, after.criteria)) {
      ++repaired;
    } else if (const std::string raised = Raised(before, after); !raised.empty()) {
      complaints.push_back(fmt::format("{}, {}: {} before, {} now: {}", name, mutant.change,
                                       before.detail, after.detail, raised));
    } else if (NeedsLessLocalMemory(before, after)) {
      ++in_registers;
    }
  }

  void Add(const Tried& other) {
    programs += other.programs;
    changes += other.changes;
    uncompiled += other.uncompiled;
    repaired += other.repaired;
    in_registers += other.in_registers;
    complaints.insert(complaints.end(), other.complaints.begin(), other.complaints.end());
    fault = fault || other.fault;
  }
};

// Grades one program as it is, and then with each change.
void TryProgram(const fs::path& path, const std::vector<std::string>& functions,
                const Grader& grader, std::size_t worker, Tried& tried) {
  const std::string name = path.lexically_relative(Repository()).string();
  const auto source = Read(path);
  if (!source || source->tokens().empty()) return;  // one that shall not compile
  const Grading before = grader(source->text(), worker);
  if (before.outcome == Grading::Outcome::kUncompiled) return;
  ++tried.programs;
  if (before.outcome == Grading::Outcome::kFault) {
    tried.fault = true;
    tried.complaints.push_back(fmt::format("{}: {}", name, before.detail));
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
  std::vector<Tried> of_program(programs.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> changes = 0;
  InParallel(programs.size(), options.workers, [&](std::size_t i, std::size_t worker) {
    ShowProgress(fmt::format("{}: {} of {} programs, {} changes tried", assignment, done.load(),
                             programs.size(), changes.load()));
    TryProgram(programs[i], functions, grader, worker, of_program[i]);
    ++done;
    changes += of_program[i].changes;
  });
  ShowProgress("");
  Tried tried;
  for (const Tried& one : of_program) tried.Add(one);
  fmt::print(
      "{}: {} programs, {} changes tried, {} do not compile, {} made a wrong program right, "
      "{} made ptxas need less local memory; {} raised a score\n",
      assignment, tried.programs, tried.changes, tried.uncompiled, tried.repaired,
      tried.in_registers, tried.complaints.size());
  for (const std::string& complaint : tried.complaints) fmt::print("  {}\n", complaint);
  std::fflush(stdout);
  if (tried.fault) return kFault;
  return tried.complaints.empty() ? 0 : 1;
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
