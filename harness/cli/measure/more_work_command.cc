#include "cli/measure/more_work_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/in_parallel.h"
#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/measure/changed_programs.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "proof/mutation/more_work.h"
#include "proof/mutation/raised.h"
#include "proof/mutation/sample.h"

namespace warpcheck {
namespace {

using mutation::Grading;
using mutation::Mutant;
using mutation::Source;

namespace fs = std::filesystem;

std::vector<fs::path> ProgramsOf(const Assignment& assignment) {
  std::vector<fs::path> programs;
  const fs::path folder = assignment.home / "tests/submissions" / assignment.name;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".cu") programs.push_back(at->path());
  }
  programs.push_back(assignment.home / "reference" / (assignment.name + ".cu"));
  std::sort(programs.begin(), programs.end());
  return programs;
}

Result<Source> ParsedFile(const fs::path& path) {
  auto text = WARPCHECK_TRY(ReadFile(path));
  return Source::Parse(std::move(text), path.string());
}

// The results of one program, or the sums over several.
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
    } else if (mutation::Repaired(before.criteria, after.criteria)) {
      ++repaired;
    } else if (const std::string raised = mutation::Raised(before, after); !raised.empty()) {
      complaints.push_back(fmt::format("{}, {}: {} before, {} now: {}", name, mutant.change,
                                       before.detail, after.detail, raised));
    } else if (mutation::NeedsLessLocalMemory(before, after)) {
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

// Grades one program unchanged, and then with each change.
void TryProgram(const fs::path& path, const std::string& name,
                const std::vector<std::string>& functions, const mutation::Grader& grader,
                std::size_t worker, Tried& tried) {
  const auto source = ParsedFile(path);
  // The test submission is a program that must not compile.
  if (!source || source->tokens().empty()) return;
  const Grading before = grader(source->text(), worker);
  if (before.outcome == Grading::Outcome::kUncompiled) return;
  ++tried.programs;
  if (before.outcome == Grading::Outcome::kFault) {
    tried.fault = true;
    tried.complaints.push_back(fmt::format("{}: {}", name, before.detail));
    return;
  }
  for (const Mutant& mutant : mutation::MoreWorkOf(*source, functions, before.blamed)) {
    tried.Add(before, mutant, grader(mutant.Apply(source->text()), worker), name);
  }
}

int TryMoreWork(const Assignment& assignment, const ChangedPrograms& options) {
  const auto header = ParsedFile(assignment.header);
  if (!header) return Complain(header.error(), kExitFault);
  const mutation::Grader grader = GraderOf(assignment, ScratchOf(assignment, "work"), options);
  const std::vector<fs::path> programs =
      mutation::Sample(ProgramsOf(assignment), options.sample, options.seed);
  const std::vector<std::string> functions = mutation::FunctionsOf(*header);
  std::vector<Tried> of_program(programs.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> changes = 0;
  InParallel(programs.size(), WorkersOf(options), [&](std::size_t i, std::size_t worker) {
    if (CanShowProgress()) {
      ShowProgressLine(fmt::format("{}: {} of {} programs, {} changes tried", assignment.name,
                                   done.load(), programs.size(), changes.load()));
    }
    const std::string name = programs[i].lexically_relative(assignment.home).string();
    TryProgram(programs[i], name, functions, grader, worker, of_program[i]);
    ++done;
    changes += of_program[i].changes;
  });
  if (CanShowProgress()) ShowProgressLine("");
  Tried tried;
  for (const Tried& one : of_program) tried.Add(one);
  fmt::print(
      "{}: {}, {} tried; uncompiled: {}; {} made a wrong program right, "
      "{} made ptxas need less local memory; {} raised a score\n",
      assignment.name, Counted(tried.programs, "program"), Counted(tried.changes, "change"),
      tried.uncompiled, tried.repaired, tried.in_registers, tried.complaints.size());
  for (const std::string& complaint : tried.complaints) fmt::print("  {}\n", complaint);
  std::fflush(stdout);
  if (tried.fault) return kExitFault;
  return tried.complaints.empty() ? kExitFull : kExitLost;
}

}  // namespace

int MoreWorkCommand(const ChangedPrograms& options) {
  return ForEach(options,
                 [&](const Assignment& assignment) { return TryMoreWork(assignment, options); });
}

}  // namespace warpcheck
