// Runs a lab: launches each variant at each point of the axes on a device, and computes the
// columns.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/counters.h"
#include "device/launch_record.h"
#include "hardware/limiter_text.h"
#include "labs/lab/lab.h"
#include "labs/lab/run/kernels.h"
#include "labs/lab/run/schedule.h"

namespace warpcheck::lab {

// A step of one line of the table, and when it ran.
struct RowStep {
  std::uint32_t stream = 0;
  Engine engine = Engine::kKernel;
  double begin = 0, end = 0;  // in microseconds, or in phases without times
};

// One line of a lab's table.
struct Row {
  std::vector<AxisValue> at;  // a value of each axis
  std::string variant;
  std::vector<std::optional<double>> cells;  // one for each column; nullopt if it was not measured
  // This resource limits the launch. A GPU measures it (hardware/measured_limiter.h); without one
  // it is computed for a launch that fills the GPU (hardware/limiter.h).
  std::optional<Limiter> limiter;
  std::optional<LaunchUse> use;  // of a GPU
  std::string refused;           // the error of a launch that the device refused; otherwise empty
  std::string refusal;           // why, in a sentence
  std::vector<RowStep> steps;    // of a lab with steps
  bool timed = false;            // true if the steps have times
};

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

// The values of axes that the user has chosen.
using Chosen = std::map<std::string, std::vector<AxisValue>>;

// A copy of a part of a buffer to the same part of another one.
struct PlannedCopy {
  std::size_t from = 0, to = 0;  // the indices of the buffers
  std::uint64_t offset = 0, bytes = 0;
};

// The work on one piece: copies, a launch, copies.
struct Piece {
  std::uint32_t stream = 0;
  std::vector<PlannedCopy> before;
  KernelCall call;  // the kernel's name is as in lab.toml
  std::vector<PlannedCopy> after;
};

// One line of the table with its numbers.
struct Planned {
  Row row;                    // without cells
  std::vector<Piece> pieces;  // at least one
  bool has_steps = false;     // as in Lab; otherwise there is one piece without copies
  std::uint32_t register_limit = 0;
  std::optional<KernelCall> check;
  std::vector<CallBuffer> buffers;
  std::vector<CallTexture> textures;
  Values values;  // of the axes, and what is known before the launch

  const KernelCall& call() const { return pieces.front().call; }
};

// Returns the counters from which columns of the table are computed.
std::vector<Counter> CountersOf(const Lab& lab);

// Returns the tasks of a line of the table in the order in which they are started. Each phase (the
// copies before, the kernel, the copies after) has the length 1, of which each piece has its share.
std::vector<Task> TasksOf(const Planned& planned);

// Returns the launches of a lab in the order of its table, and adds the names of their kernels.
// Fails, with the place in lab.toml, if a size is no whole number or out of its range, or does not
// fit to another one.
Result<std::vector<Planned>> Plan(const Lab& lab, const Chosen& chosen, bool gpu,
                                  KernelNames& names);

// Stops at the first launch that fails. A launch that the device refuses does not stop it: its row
// says that it was refused.
Measured Measure(const Lab& lab, const std::vector<Planned>& plan, const Kernels& kernels,
                 const Bench& bench);

}  // namespace warpcheck::lab
