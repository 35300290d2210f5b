// WorkBudget bounds the work of analyses. Steps are counted instead of time, so that a text which
// takes too long is refused at the same place on every machine.
#pragma once

#include <cstdint>

namespace warpcheck::ptx {

class WorkBudget {
 public:
  // A step takes about 5 ns.
  explicit WorkBudget(std::uint64_t steps) : steps_(steps) {}

  // Pays for work. Returns false if less is left, and always from then on.
  bool Spend(std::uint64_t steps) {
    if (steps > steps_) spent_ = true;
    if (!spent_) steps_ -= steps;
    return !spent_;
  }
  bool spent() const { return spent_; }

 private:
  std::uint64_t steps_;
  bool spent_ = false;
};

}  // namespace warpcheck::ptx
