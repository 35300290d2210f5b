// The checks program of one assignment as the grader sees it: a trusted process that may still die
// when a device does something unexpected.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/kernel_resources.h"
#include "results/results_file.h"

namespace warpcheck {

struct ChecksCommand {
  std::filesystem::path program;
  std::filesystem::path submission_host;
  std::filesystem::path shared_object;
  std::vector<std::string> sources;      // names as in the PTX's .file table
  std::vector<ModuleResources> modules;  // what ptxas gives its kernels
  std::string device;                    // "emulator", "gpu"
  std::uint64_t seed = 0;
  bool sandboxed = true;
  std::vector<std::string> cases;   // to run; empty: all
  std::filesystem::path gpu_host;   // the program that holds a GPU: for device "gpu"
  bool memcheck = true;             // looks for reads out of bounds on a GPU too, where it can
  bool count_every_launch = false;  // also where no case asks for counters
  // Keeps what the reference gives for others; a folder that no submission sees. Empty: nowhere.
  std::filesystem::path references;

  // The program's arguments but for `cases` and `modules`, its own name not among them.
  std::vector<std::string> Arguments(const std::filesystem::path& results) const;
};

struct ChecksRun {
  ChecksReport report;
  bool finished = false;  // ended by itself, with status 0, whatever the verdicts
  std::string ending;     // "was killed by signal 11 (Segmentation fault)"
  std::string output;     // the last of its stdout and stderr, bounded
};

// A case begins or has ended; called in the thread that called Run.
using CaseProgress = std::function<void(std::string_view case_name, bool ended)>;

class ChecksProgram {
 public:
  virtual ~ChecksProgram() = default;

  // Runs the cases that the command names. Fails where the program cannot be started or its results
  // cannot be read.
  virtual Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) = 0;

  // The names of all cases, in their order.
  virtual Result<std::vector<std::string>> List(const std::filesystem::path& program) = 0;
};

// As child processes, each in a process group of its own, ended after `wall_limit`; results files
// are made in `scratch`, an existing folder.
std::unique_ptr<ChecksProgram> MakeChecksProcess(std::filesystem::path scratch,
                                                 std::chrono::milliseconds wall_limit);

// Case names in what --gtest_list_tests prints, without disabled ones.
std::vector<std::string> ParseTestList(std::string_view text);

}  // namespace warpcheck
