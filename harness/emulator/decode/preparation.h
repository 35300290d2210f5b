// Preparation is the budget for making kernels of the modules that a submission loads: work, and
// memory. Both are counted, so that a text that takes too long to analyse fails at the same place
// on every machine, as a mistake of its author.
#pragma once

#include <cstdint>

#include "ptx/analysis/work_budget.h"

namespace warpcheck::emulator {

class Preparation : public ptx::WorkBudget {
 public:
  // A kernel of 1,000 instructions takes some 300,000 steps.
  static constexpr std::uint64_t kSteps = 2'000'000'000;
  static constexpr std::uint64_t kBytes = std::uint64_t{192}
                                          << 20;  // the memory of all kernels that are loaded

  Preparation() : WorkBudget(kSteps) {}

  bool Hold(std::uint64_t bytes) {
    bytes_ += bytes;
    return bytes_ <= kBytes;
  }
  void GiveBack(std::uint64_t bytes) { bytes_ -= bytes; }

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace warpcheck::emulator
