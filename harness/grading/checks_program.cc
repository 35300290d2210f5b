#include "grading/checks_program.h"

#include <fmt/format.h>

#include "base/files.h"
#include "compile/large_pages.h"
#include "process/run_program.h"

namespace warpcheck {

std::vector<std::string> ParseTestList(std::string_view text) {
  std::vector<std::string> names;
  std::string suite;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const bool is_case = line.starts_with("  ");
    if (is_case) line.remove_prefix(2);
    // The text after these words is a remark on the parameter.
    line = line.substr(0, line.find("  #"));
    if (!is_case) {
      suite = line.ends_with('.') ? std::string(line) : std::string();
    } else if (!suite.empty() && !suite.starts_with("DISABLED_") &&
               suite.find("/DISABLED_") == std::string::npos && !line.starts_with("DISABLED_")) {
      names.push_back(suite + std::string(line));
    }
  }
  return names;
}

namespace {

constexpr std::size_t kMaxRunOutput = std::size_t{16} << 10;
constexpr std::size_t kMaxListOutput = std::size_t{16} << 20;

class ChecksProcess : public ChecksProgram {
 public:
  ChecksProcess(std::filesystem::path scratch, const JudgeLimits& limits)
      : scratch_(std::move(scratch)), limits_(limits) {}

  Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) override {
    const std::filesystem::path results = scratch_ / fmt::format("results-{}.jsonl", ++runs_);
    const std::filesystem::path order = scratch_ / fmt::format("order-{}.json", runs_);
    ChecksOrder whole = command.order;
    whole.results = results;
    WARPCHECK_TRY(WriteOrder(order, whole));
    ResultsReader reader(results);
    const auto end = WARPCHECK_TRY(RunProgram({.program = command.program,
                                               .arguments = {"--order=" + order.string()},
                                               .limit = limits_.wall_time,
                                               .cpu_limit = limits_.cpu_time,
                                               .max_output = kMaxRunOutput,
                                               .environment = {compile::kLargePages}},
                                              [&] { reader.Read(progress); }));
    reader.Read(progress);
    ChecksRun run;
    run.finished = end.Succeeded();
    run.blame = BlameFor(end);
    run.ending = EndingOf(end);
    run.output = end.output;
    std::error_code error;
    if (!std::filesystem::exists(results, error)) {
      if (!run.finished) return run;
      return Fail(fmt::format("{} wrote no results: it {}\n{}", command.program.filename().string(),
                              run.ending, run.output));
    }
    run.report = WARPCHECK_TRY(reader.Take());
    return run;
  }

  Result<std::vector<std::string>> List(const std::filesystem::path& program,
                                        std::uint64_t seed) override {
    const auto end = WARPCHECK_TRY(
        RunProgram({.program = program,
                    .arguments = {"--gtest_list_tests", fmt::format("--seed={}", seed)},
                    .limit = limits_.wall_time,
                    .max_output = kMaxListOutput}));
    if (!end.Succeeded()) {
      return Fail(fmt::format("{} cannot list its tests: it {}", program.filename().string(),
                              end.Text(limits_.wall_time)));
    }
    return ParseTestList(end.output);
  }

 private:
  // If the judge was killed, the machine is to blame, unless the judge was larger than an honest
  // submission makes it. Then the submission is to blame.
  ChecksRun::Blame BlameFor(const ProgramEnd& end) const {
    using Blame = ChecksRun::Blame;
    const bool large = end.child.peak_memory_bytes >= limits_.memory_bytes;
    if (end.timed_out) return Blame::kMachine;
    if (end.UsedUpItsTime() || (end.child.signaled && large)) return Blame::kSubmission;
    if (end.KilledByOthers()) return Blame::kMachine;
    if (end.child.signaled) return Blame::kProgram;
    if (end.child.code == kNotGradedStatus) return Blame::kMachine;
    return end.child.code == 0 ? Blame::kNobody : Blame::kProgram;
  }

  // If a program cannot continue, its last line says why.
  std::string EndingOf(const ProgramEnd& end) const {
    if (end.timed_out || end.child.signaled || end.child.code != kNotGradedStatus) {
      return end.Text(limits_.wall_time);
    }
    std::string_view said = end.output;
    while (said.ends_with('\n')) said.remove_suffix(1);
    return "gave up: " + std::string(said.substr(said.rfind('\n') + 1));
  }

  std::filesystem::path scratch_;
  JudgeLimits limits_;
  int runs_ = 0;
};

}  // namespace

std::unique_ptr<ChecksProgram> MakeChecksProcess(std::filesystem::path scratch,
                                                 const JudgeLimits& limits) {
  return std::make_unique<ChecksProcess>(std::move(scratch), limits);
}

}  // namespace warpcheck
