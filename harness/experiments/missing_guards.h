// Finds guards that may be missing: threads whose place is not below a parameter then end.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/site.h"
#include "ptx/module.h"

namespace warpcheck::experiments {

// A MissingGuard stands behind the instruction that computes a place of the thread.
struct MissingGuard {
  std::uint32_t after = 0;
  // The instruction whose line the guard belongs to: that of the first comparison which follows at
  // once, because the guard is then a missing part of its condition.
  std::uint32_t owner = 0;
  std::vector<ptx::Instruction> instructions;
};

// Returns guards that compare one place with one parameter, then those that compare two places with
// two parameters. There are few of each.
std::vector<MissingGuard> MissingGuardsOf(const ptx::Module& module, const ptx::Function& function,
                                          const Meanings& meanings);

}  // namespace warpcheck::experiments
