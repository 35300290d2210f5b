// ReachingWrites finds the instructions of a function that may have written a register last, as
// another instruction reads it.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::ptx {

class ReachingWrites {
 public:
  // `function` must outlive this object.
  explicit ReachingWrites(const Function& function);

  // Returns the instructions whose writes of `reg` reach instruction `at`, sorted. Each instruction
  // that is looked at takes 1 from `*work`; once that is 0, the result may lack some.
  std::vector<std::size_t> Of(RegisterId reg, std::size_t at, std::size_t* work) const;

 private:
  const Function& function_;
  std::map<RegisterId, std::vector<std::size_t>> writers_;  // sorted
  // The instructions from which control comes to each instruction, and to one past the last.
  std::vector<std::vector<std::size_t>> ways_in_;
};

}  // namespace warpcheck::ptx
