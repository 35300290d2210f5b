// The checks program of one assignment as the grader sees it: a trusted process that may still die
// when a device does something unexpected.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "results/checks_order.h"
#include "results/results_file.h"

namespace warpcheck {

struct ChecksCommand {
  std::filesystem::path program;
  ChecksOrder order;  // but for its results, which are read here
};

struct ChecksRun {
  // Whose doing it is that a run came to no end.
  enum class Blame : std::uint8_t {
    kNobody,      // it came to its end
    kProgram,     // a mistake of its own: it crashed
    kSubmission,  // which let it use more memory or processor time than judging it may take
    kMachine,     // somebody killed it, or it was not let to run: it need not happen again
  };
  ChecksReport report;
  bool finished = false;  // ended by itself, with status 0, whatever the verdicts
  Blame blame = Blame::kNobody;
  std::string ending;  // "was killed by signal 11 (segmentation fault)"
  std::string output;  // the last of its stdout and stderr, bounded
};

class ChecksProgram {
 public:
  virtual ~ChecksProgram() = default;

  // Runs the cases that the command names; `progress` is called in this thread. Fails where the
  // program cannot be started or its results cannot be read.
  virtual Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) = 0;

  // The names of all cases, in their order.
  virtual Result<std::vector<std::string>> List(const std::filesystem::path& program) = 0;
};

// What judging one submission may take. Honest ones take seconds and some hundred megabytes, and
// whatever a submission asks for is counted before (CallLimits): beyond this, it got round that.
struct JudgeLimits {
  std::chrono::seconds cpu_time{600};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  // A guard against waiting for ever. What is reached sooner is counted: this is the machine's.
  std::chrono::milliseconds wall_time = std::chrono::minutes(50);
};

// As child processes, each in a process group of its own; results files are made in `scratch`, an
// existing folder.
std::unique_ptr<ChecksProgram> MakeChecksProcess(std::filesystem::path scratch,
                                                 const JudgeLimits& limits = {});

// Case names in what --gtest_list_tests prints, without disabled ones.
std::vector<std::string> ParseTestList(std::string_view text);

}  // namespace warpcheck
