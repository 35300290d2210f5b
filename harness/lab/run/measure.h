// Measures a lab: launches each variant at each point of the axes on a device, and computes the
// columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/counters.h"
#include "lab/lab.h"
#include "lab/run/kernels.h"
#include "lab/run/plan.h"
#include "lab/run/row.h"

namespace warpcheck::lab {

struct Measured {
  std::string device;  // such as "NVIDIA H200"
  std::vector<Row> rows;
  std::vector<std::string> notes;  // sentences about what is missing
  std::optional<Error> fault;      // why the lab ended before its last row
};

// A process of gpu_host that measures lines of the table.
struct BenchProcess {
  std::vector<std::string> arguments;
  // Each line has a process of its own, because CUPTI counts one launch of a process. Several of
  // these processes run at the same time, because counts do not depend on what else runs.
  bool of_one_line = false;
};

// Returns the process that counts sectors and wavefronts by the lines of the source. It counts on a
// GPU; the argument "--emulator" makes it the emulator.
BenchProcess LineCounting();

// The processes that measure a lab; each measures every line.
struct Bench {
  std::string device;
  std::vector<BenchProcess> processes;
  std::vector<std::string> notes;
};

// Returns the emulator.
Bench EmulatorBench();
// Returns the emulator for a lab whose kernels launch kernels. All launches are counted, so that
// there are only counters that add up.
Bench LaunchingKernelsBench();

// Returns the counters from which columns of the table are computed.
std::vector<Counter> CountersOf(const Lab& lab);

// Stops at the first launch that fails. A launch that the device refuses does not stop it: its row
// says that it was refused.
Measured Measure(const Lab& lab, const std::vector<Planned>& plan, const Kernels& kernels,
                 const Bench& bench);

}  // namespace warpcheck::lab
