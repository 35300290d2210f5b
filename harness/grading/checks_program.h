// ChecksProgram runs the checks program of an assignment. The program is trusted, but it may crash
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
  ChecksOrder order;  // ChecksProgram sets its field `results`
};

struct ChecksRun {
  // Says who is to blame if a run was not completed.
  enum class Blame : std::uint8_t {
    kNobody,      // the run was completed
    kProgram,     // the checks program crashed by a mistake of its own
    kSubmission,  // judging the submission took too much memory or processor time
    kMachine,     // it was killed, or could not run; another try may succeed
  };
  ChecksReport report;
  bool finished = false;  // true if it ended by itself with status 0, whatever the verdicts
  Blame blame = Blame::kNobody;
  std::string ending;  // such as "was killed by signal 11 (segmentation fault)"
  std::string output;  // the end of its stdout and stderr
};

class ChecksProgram {
 public:
  virtual ~ChecksProgram() = default;

  // Runs the cases that the command names, and calls `progress` in this thread. Fails if the
  // program cannot be started or its results cannot be read.
  virtual Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) = 0;

  // Returns the names of all cases, in their order. The names of drawn shapes depend on the seed.
  virtual Result<std::vector<std::string>> List(const std::filesystem::path& program,
                                                std::uint64_t seed) = 0;
};

// The most that judging one submission may take. CallLimits limit the work of a submission first,
// and judging an honest one takes seconds and some hundred megabytes. A submission that reaches
// these limits has evaded CallLimits.
struct JudgeLimits {
  std::chrono::seconds cpu_time{600};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  // Ends a program that waits forever. The other limits end a working program sooner, so reaching
  // this one is a fault of the machine.
  std::chrono::milliseconds wall_time = std::chrono::minutes(50);
};

// Returns a ChecksProgram that runs child processes, each in a process group of its own. Results
// files are made in `scratch`, an existing folder.
std::unique_ptr<ChecksProgram> MakeChecksProcess(std::filesystem::path scratch,
                                                 const JudgeLimits& limits = {});

// Returns the names of cases in the output of --gtest_list_tests, without disabled cases.
std::vector<std::string> ParseTestList(std::string_view text);

}  // namespace warpcheck
