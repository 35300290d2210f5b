// A GradingPlan has all options of a grading. It travels as a whole: from the command line to the
// checks program, and through a batch's journal, its workers and Slurm. A new option is one field
// here and one line in WARPCHECK_FIELDS.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/kernel_resources.h"
#include "hardware/generations.h"

namespace warpcheck {

// A submission is given little of this, so that any program uses up the budget of all calls.
// `warpcheck validate` finds out with it how the checks of an assignment judge calls that were
// ended or were not made.
enum class Shortage : std::uint8_t {
  kNone,
  kInstructions,  // kernels may execute few instructions
  kRequests,      // the host may make few requests to the device
  kBytes,         // these may move few bytes
  kHostTime,      // the host of each group of calls counts as if it had used much of its time
};
WARPCHECK_NAMES(Shortage, "none", "instructions", "requests", "bytes", "host_time");

struct GradingPlan {
  std::string device = "emulator";  // the device that judges: "emulator" or "gpu"
  std::string device_remark;        // a remark on that device for reports; may be empty
  // If true and the machine has a GPU, the GPU makes the same calls beside the emulator
  // (grading/witness.h). It does not affect points.
  bool witness = false;
  // Ten times the compute capability for which the submission is compiled. The emulator emulates
  // that GPU.
  int ptx_target = kDefaultTarget;
  std::uint64_t seed = 0;  // the seed of the random inputs, and of the order of blocks and warps
  bool sandboxed = true;
  bool count_every_launch = false;  // true to count launches even if no case needs counters
  // If true and the machine has a GPU and the reference, tests of speed are measured on it.
  bool speed = false;
  Shortage shortage = Shortage::kNone;
  // True to find out, after a failure, which small change makes the failed cases right, and how a
  // wrong element was made.
  bool experiments = false;
  // True to compare what the assignment promises of arguments with those of the calls.
  bool promises = false;

  friend bool operator==(const GradingPlan&, const GradingPlan&) = default;
};
WARPCHECK_FIELDS(GradingPlan, device, device_remark, witness, ptx_target, seed, sandboxed,
                 count_every_launch);
WARPCHECK_FIELDS_IF_CHANGED(GradingPlan, speed, shortage, promises, experiments);

// The order to a checks program. A file passes it on.
struct ChecksOrder {
  GradingPlan plan;
  std::filesystem::path submission_host;  // the program that loads the submission
  std::filesystem::path gpu_host;         // the program that serves a GPU, for the device "gpu"
  // True to run on a GPU while another run judges on the emulator.
  bool as_witness = false;
  std::filesystem::path shared_object;  // the compiled submission
  // File names as in the PTX's .file table; if empty, every file counts.
  std::vector<std::string> sources;
  std::vector<ModuleResources> modules;  // ptxas's resource figures of the kernels
  std::vector<std::string> cases;        // the cases to run; if empty, all cases
  std::filesystem::path results;         // the results file (results_file.h)
  // The file for compared arrays (array_dump.h); empty if they are not wanted.
  std::filesystem::path dump{};
  // The full names of the cases whose arrays are wanted; if empty, the first case with a wrong one.
  std::vector<std::string> dump_cases{};
  // The compiled reference, if the cases are tests of speed that shall be measured; otherwise
  // empty. The device is then a GPU that nothing else uses.
  std::filesystem::path reference{};
  // True to make experiments instead of judging: `cases` are those that failed, the cheapest first,
  // and `passed` those that must stay right.
  bool experiments = false;
  std::vector<std::string> passed{};
  // The PTX of the submission's kernels for experiments, compiled without optimisation. If empty,
  // `shared_object` is compiled so.
  std::filesystem::path plain_ptx{};
  // True to find out how a wrong element of `cases` was made, instead of judging.
  bool reason = false;
  // True for a witness that compares results alone, because another process has the GPU's counters.
  bool without_counters = false;

  friend bool operator==(const ChecksOrder&, const ChecksOrder&) = default;
};
WARPCHECK_FIELDS(ChecksOrder, plan, submission_host, gpu_host, as_witness, shared_object, sources,
                 modules, cases, results);
WARPCHECK_FIELDS_IF_CHANGED(ChecksOrder, dump, dump_cases, reference, without_counters, experiments,
                            passed, plain_ptx, reason);

Result<> WriteOrder(const std::filesystem::path& path, const ChecksOrder& order);
// Reads an order. Also fails if it cannot be carried out.
Result<ChecksOrder> ReadOrder(const std::filesystem::path& path);

}  // namespace warpcheck
