// Grades small changes of the reference solutions. Exits 0 if each of them loses points or is
// listed as equivalent, 1 if one does not or a list is out of date, 2 on wrong usage, 3 where
// grading failed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "run.h"
#include "tool.h"

namespace warpcheck::mutation {
namespace {

namespace fs = std::filesystem;

struct Options : ToolOptions {
  bool list = false;
  std::string only;
};

struct Subject {
  Source source;
  std::vector<Equivalent> equivalents;
};

Result<Subject> ReadSubject(const std::string& assignment) {
  const std::string reference = "reference/" + assignment + ".cu";
  auto text = ReadFile(Repository() / reference);
  if (!text) return Fail(text.error());
  auto source = Source::Parse(*std::move(text), reference);
  if (!source) return Fail(source.error());
  Subject subject{*std::move(source), {}};
  const std::string list = "tests/mutation/" + assignment + ".toml";
  if (!fs::exists(Repository() / list)) return subject;
  const auto listed = ReadFile(Repository() / list);
  if (!listed) return Fail(listed.error());
  auto equivalents = ParseEquivalents(*listed, list);
  if (!equivalents) return Fail(equivalents.error());
  subject.equivalents = *std::move(equivalents);
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

// Shows how far a run is, and keeps one line a mutant in a file, as they end: for whoever wants to
// know more than the complaints.
class Journal {
 public:
  Journal(std::string assignment, std::size_t all, const fs::path& file)
      : assignment_(std::move(assignment)), all_(all), file_(file) {}

  void Add(const Trial& trial) {
    static constexpr const char* kWords[] = {"killed", "survived", "uncompiled", "fault"};
    file_ << fmt::format("{:<11}{}  [{}]\n",
                         kWords[static_cast<std::size_t>(trial.grading.outcome)],
                         trial.mutant.Name(), trial.grading.detail)
          << std::flush;
    ++done_;
    ShowProgress(done_ == all_ ? ""
                               : fmt::format("{}: {} of {} mutants", assignment_, done_, all_));
  }

 private:
  std::string assignment_;
  std::size_t all_ = 0;
  std::size_t done_ = 0;
  std::ofstream file_;
};

int RunOne(const std::string& assignment, const Options& options) {
  const auto subject = ReadSubject(assignment);
  if (!subject) {
    fmt::print(stderr, "mutation: {}\n", subject.error().Text());
    return kFault;
  }
  const std::vector<Mutant> all = MutantsOf(subject->source);
  const std::vector<std::string> names = Names(all);
  const std::vector<Mutant> tried = Sample(Only(all, options.only), options.sample);
  if (tried.empty()) {
    fmt::print(stderr, "mutation: {} has no mutant whose name begins with \"{}\"\n", assignment,
               options.only);
    return kUsage;
  }
  if (options.list) {
    for (const Mutant& mutant : tried) fmt::print("{} {}\n", assignment, mutant.Name());
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  const fs::path scratch = ScratchFolder("mutation");
  const Grader grader = MakeGrader(options, scratch, assignment);
  const Grading original = grader(subject->source.text(), 0);
  if (original.outcome != Grading::Outcome::kSurvived) {
    fmt::print(stderr, "mutation: the reference of {} does not get full marks: {}\n", assignment,
               original.detail);
    return kFault;
  }
  Journal journal(assignment, tried.size(), scratch / (assignment + ".log"));
  const auto trials = GradeMutants(subject->source, tried, grader, options.workers,
                                   [&journal](const Trial& trial) { journal.Add(trial); });
  const Tally tally = Judge(subject->source, trials, names, subject->equivalents);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{}: {} of {} mutants tried, {} do not compile; {} killed, {} equivalent, {:.0f} s\n",
             assignment, trials.size(), all.size(), tally.uncompiled, tally.killed,
             tally.equivalent, seconds.count());
  for (const std::string& complaint : tally.complaints) fmt::print("  {}\n", complaint);
  std::fflush(stdout);
  return tally.complaints.empty() ? 0 : 1;
}

}  // namespace
}  // namespace warpcheck::mutation

int main(int argc, char** argv) {
  using namespace warpcheck::mutation;
  try {
    Options options;
    CLI::App app(
        "Grades small changes of the reference solutions: which of them do the checks miss?");
    app.add_option("--only", options.only, "grade those whose names begin so: 18: for a line");
    app.add_flag("--list", options.list, "show the mutants and grade none");
    return RunTool(app, options, argc, argv, [&options](const std::string& assignment) {
      return RunOne(assignment, options);
    });
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "mutation: %s\n", exception.what());
    return kFault;
  }
}
