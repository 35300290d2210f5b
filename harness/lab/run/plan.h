// Plans a lab: computes the sizes and arguments of each launch before the first one is made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/lab.h"
#include "lab/launch/kernel_call.h"
#include "lab/run/kernels.h"
#include "lab/run/row.h"
#include "lab/run/schedule.h"

namespace warpcheck::lab {

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

// Returns the tasks of a line of the table in the order in which they are started. Each phase (the
// copies before, the kernel, the copies after) has the length 1, of which each piece has its share.
std::vector<Task> TasksOf(const Planned& planned);

// Returns the launches of a lab in the order of its table, and adds the names of their kernels.
// Fails, with the place in lab.toml, if a size is no whole number or out of its range, or does not
// fit to another one.
Result<std::vector<Planned>> Plan(const Lab& lab, const Chosen& chosen, bool gpu,
                                  KernelNames& names);

}  // namespace warpcheck::lab
