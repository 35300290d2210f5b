// Runs a lab: launches each variant at each point of the axes on a device, and computes the
// columns.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "labs/lab/kernels.h"
#include "labs/lab/lab.h"

namespace warpcheck::lab {

// One line of a lab's table.
struct Row {
  std::vector<AxisValue> at;  // a value of each axis
  std::string variant;
  std::vector<std::optional<double>> cells;  // one for each column; nullopt if it was not measured
  std::string refused;                       // why the device refused the launch; otherwise empty
};

struct Measured {
  std::string device;  // such as "NVIDIA H200"
  std::vector<Row> rows;
  std::vector<std::string> notes;  // sentences about what is missing
  std::optional<Error> fault;      // why the lab ended before its last row
};

// The processes of gpu_host that measure a launch, as their arguments.
struct Bench {
  std::string device;
  std::vector<std::vector<std::string>> processes;
  std::vector<std::string> notes;
};

// The values of axes that the user has chosen.
using Chosen = std::map<std::string, std::vector<AxisValue>>;

// A launch with its numbers.
struct Planned {
  Row row;          // without cells
  KernelCall call;  // the kernel's name is as in lab.toml
  std::optional<KernelCall> check;
  std::vector<CallBuffer> buffers;
  Values values;  // of the axes, `bytes`, `blocks` and `threads`
};

// Returns the launches of a lab in the order of its table, and adds the names of their kernels.
// Fails if a size is no whole number from 0 to 2^32 - 1.
Result<std::vector<Planned>> Plan(const Lab& lab, const Chosen& chosen, bool gpu,
                                  KernelNames& names);

// Ends at the first launch that fails. A launch that the device refuses is a row as well.
Measured Measure(const Lab& lab, const std::vector<Planned>& plan, const Kernels& kernels,
                 const Bench& bench);

}  // namespace warpcheck::lab
