// What a grading is told. A GradingPlan holds every option of it and travels whole: from the
// command line to the checks program, through a batch's journal, its workers and Slurm. A new
// option is one field here, and a line in WARPCHECK_FIELDS.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/kernel_resources.h"

namespace warpcheck {

struct GradingPlan {
  std::string device = "emulator";  // or "gpu": the device that judges
  std::string device_remark;        // what to know of that device, for reports; may be empty
  // A GPU of this machine, if there is one, makes the same calls beside the emulator
  // (grading/witness.h). It gives and takes no points.
  bool witness = false;
  int ptx_target = 90;     // compute capability * 10 that is compiled for
  std::uint64_t seed = 0;  // of the random inputs, and of the order of blocks and warps
  bool sandboxed = true;
  bool count_every_launch = false;  // also where no case asks for counters

  friend bool operator==(const GradingPlan&, const GradingPlan&) = default;
};
WARPCHECK_FIELDS(GradingPlan, device, device_remark, witness, ptx_target, seed, sandboxed,
                 count_every_launch);

// What a checks program is told, in a file.
struct ChecksOrder {
  GradingPlan plan;
  std::filesystem::path submission_host;  // the program that loads the submission
  std::filesystem::path gpu_host;         // the program that holds a GPU: for device "gpu"
  bool as_witness = false;                // on a GPU: another run judges, on the emulator
  std::filesystem::path shared_object;    // the built submission
  std::vector<std::string> sources;       // names as in the PTX's .file table; empty: every file
  std::vector<ModuleResources> modules;   // what ptxas gives its kernels
  std::vector<std::string> cases;         // to run; empty: all
  std::filesystem::path results;          // where they go (results_file.h)

  friend bool operator==(const ChecksOrder&, const ChecksOrder&) = default;
};
WARPCHECK_FIELDS(ChecksOrder, plan, submission_host, gpu_host, as_witness, shared_object, sources,
                 modules, cases, results);

Result<> WriteOrder(const std::filesystem::path& path, const ChecksOrder& order);
// Fails on one that cannot be carried out, too.
Result<ChecksOrder> ReadOrder(const std::filesystem::path& path);

}  // namespace warpcheck
