// The budget for making kernels of the modules that a submission loads: work, and memory. Both are
// counted, so that a text that takes too long to analyse fails as its author's mistake, at the same
// place on every machine.
#pragma once

#include <cstdint>

namespace warpcheck::emulator {

class Preparation {
 public:
  // A step takes about 5 ns. A kernel of 1,000 instructions takes some 300,000 steps.
  static constexpr std::uint64_t kSteps = 2'000'000'000;
  static constexpr std::uint64_t kBytes = std::uint64_t{192}
                                          << 20;  // of all kernels that are loaded

  // Pays for work. Returns false if less is left, and always from then on.
  bool Spend(std::uint64_t steps) {
    if (steps > steps_) spent_ = true;
    if (!spent_) steps_ -= steps;
    return !spent_;
  }
  bool spent() const { return spent_; }

  bool Hold(std::uint64_t bytes) {
    bytes_ += bytes;
    return bytes_ <= kBytes;
  }
  void GiveBack(std::uint64_t bytes) { bytes_ -= bytes; }

 private:
  std::uint64_t steps_ = kSteps;
  std::uint64_t bytes_ = 0;
  bool spent_ = false;
};

}  // namespace warpcheck::emulator
