#include "cli/measure/mutation_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/measure/changed_programs.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "proof/mutation/mutators.h"
#include "proof/mutation/sample.h"
#include "proof/mutation/where.h"

namespace warpcheck {
namespace {

using mutation::Equivalent;
using mutation::Grading;
using mutation::Mutant;
using mutation::Source;

namespace fs = std::filesystem;

struct Changed {
  Source source;
  std::vector<Equivalent> equivalents;
};

Result<Changed> ReadChanged(const Assignment& assignment) {
  const std::string reference = "reference/" + assignment.name + ".cu";
  auto text = WARPCHECK_TRY(ReadFile(assignment.home / reference));
  auto source = WARPCHECK_TRY(Source::Parse(std::move(text), reference));
  Changed subject{std::move(source), {}};
  const std::string list = "tests/mutation/" + assignment.name + ".toml";
  std::error_code error;
  if (!fs::exists(assignment.home / list, error)) return subject;
  const auto listed = WARPCHECK_TRY(ReadFile(assignment.home / list));
  subject.equivalents = WARPCHECK_TRY(mutation::ParseEquivalents(listed, list));
  return subject;
}

std::vector<std::string> Names(const std::vector<Mutant>& mutants) {
  std::vector<std::string> names;
  for (const Mutant& mutant : mutants) names.push_back(mutant.Name());
  return names;
}

std::vector<Mutant> Only(std::vector<Mutant> mutants, std::string_view begin) {
  std::erase_if(mutants, [begin](const Mutant& one) { return !one.Name().starts_with(begin); });
  return mutants;
}

// Shows the progress of a run, and writes one line for each finished mutant to a log file.
class Journal {
 public:
  Journal(std::string assignment, std::size_t all, const fs::path& file)
      : assignment_(std::move(assignment)), all_(all), file_(file) {}

  void Add(const mutation::Trial& trial) {
    static constexpr const char* kWords[] = {"killed", "survived", "uncompiled", "fault"};
    file_ << fmt::format("{:<11}{}  [{}] names lines [{}], takes [{}] for the mistake{}\n",
                         kWords[static_cast<std::size_t>(trial.grading.outcome)],
                         trial.mutant.Name(), trial.grading.detail,
                         fmt::join(trial.grading.blamed, " "), fmt::join(trial.grading.named, " "),
                         trial.grading.named_by_experiments ? " (tried)" : "")
          << std::flush;
    ++done_;
    if (!CanShowProgress()) return;
    ShowProgressLine(done_ == all_ ? ""
                                   : fmt::format("{}: {} of {} mutants", assignment_, done_, all_));
  }

 private:
  std::string assignment_;
  std::size_t all_ = 0;
  std::size_t done_ = 0;
  std::ofstream file_;
};

// Adds the mutants to `table`.
int TryChanges(const Assignment& assignment, const MutationOptions& options,
               mutation::WhereTable& table) {
  const auto subject = ReadChanged(assignment);
  if (!subject) return Complain(subject.error(), kExitFault);
  const std::vector<Mutant> all = mutation::MutantsOf(subject->source);
  const std::vector<std::string> names = Names(all);
  const std::vector<Mutant> tried =
      mutation::Sample(Only(all, options.only), options.sample, options.seed);
  if (tried.empty()) {
    return Complain({fmt::format("{} has no change whose name begins with \"{}\"", assignment.name,
                                 options.only)},
                    kExitUsage);
  }
  if (options.list) {
    for (const Mutant& mutant : tried) fmt::print("{} {}\n", assignment.name, mutant.Name());
    return kExitFull;
  }
  const auto begin = std::chrono::steady_clock::now();
  const fs::path scratch = ScratchOf(assignment, "mutation");
  const mutation::Grader grader = GraderOf(assignment, scratch, options);
  const Grading original = grader(subject->source.text(), 0);
  if (original.outcome != Grading::Outcome::kSurvived) {
    return Complain({fmt::format("the reference of {} does not get full marks: {}", assignment.name,
                                 original.detail)},
                    kExitFault);
  }
  Journal journal(assignment.name, tried.size(), scratch / (assignment.name + ".log"));
  const auto trials =
      GradeMutants(subject->source, tried, grader, WorkersOf(options),
                   [&journal](const mutation::Trial& trial) { journal.Add(trial); });
  const mutation::Tally tally =
      mutation::Judge(subject->source, trials, names, subject->equivalents);
  for (const mutation::Trial& trial : trials) AddTo(table, subject->source, trial);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{}: {} of {} tried; uncompiled: {}; {} killed, {} equivalent, {:.0f} s\n",
             assignment.name, trials.size(), Counted(all.size(), "mutant"), tally.uncompiled,
             tally.killed, tally.equivalent, seconds.count());
  for (const std::string& complaint : tally.complaints) fmt::print("  {}\n", complaint);
  std::fflush(stdout);
  return tally.complaints.empty() ? kExitFull : kExitLost;
}

}  // namespace

int MutationCommand(const MutationOptions& options) {
  mutation::WhereTable table;
  const int status = ForEach(options, [&](const Assignment& assignment) {
    return TryChanges(assignment, options, table);
  });
  if (options.where && !table.empty()) fmt::print("{}", TextOf(table));
  return status;
}

}  // namespace warpcheck
