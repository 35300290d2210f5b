// Computes the values of the registers of a PTX function, at the places where they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx/analysis/reaching_writes.h"
#include "ptx/module.h"
#include "similarity/index_value.h"

namespace warpcheck::similarity {

// Several instructions may write one register of PTX, especially in loops. Which of them a reader
// sees depends on the ways that lead to it. The work is limited by the function's length; values
// beyond the limit are "?". If the value of a loop has no sum, it is "either".
class RegisterValues {
 public:
  // `function` and `work` must outlive this object. Each step subtracts its cost from `work`. Once
  // `work` is used up, all values are unknown. A function may take only its share of the work, by
  // its size.
  RegisterValues(const ptx::Function& function, std::size_t& work);
  RegisterValues(const RegisterValues&) = delete;
  RegisterValues& operator=(const RegisterValues&) = delete;
  ~RegisterValues() { all_work_ -= given_ - work_; }

  // Returns the value of an operand, as instruction `at` of the function reads it. `type` is the
  // type of the read.
  IndexValue ValueOf(const ptx::Operand& operand, std::size_t at, ptx::Type type = ptx::Type::kB32);
  IndexValue AddressOf(const ptx::Operand& operand, std::size_t at);
  // Returns the instructions that may have written the register as `at` reads it, sorted.
  std::vector<std::size_t> WritersOf(ptx::RegisterId id, std::size_t at) {
    return writes_.Of(id, at, &work_);
  }

 private:
  using Writers = std::vector<std::size_t>;

  IndexValue ValueBy(const Writers& writers);
  IndexValue LoopValue(const Writers& writers);
  IndexValue Result(std::size_t at);
  IndexValue UpperHalf(std::size_t at);
  IndexValue Shifted(std::size_t at);
  IndexValue Masked(std::size_t at);

  const ptx::Function& function_;
  std::map<Writers, IndexValue> known_;  // by the instructions that write it
  std::map<Writers, IndexValue> while_;  // those that depend on the innermost of loops_
  std::vector<Writers> loops_;           // the loops that are being computed
  // Upper halves of products by their Text(): the number that was multiplied, and the
  // multiplier.
  std::map<std::string, std::pair<IndexValue, std::uint32_t>> upper_halves_;
  std::size_t depth_ = 0;
  std::size_t& all_work_;
  const std::size_t given_;
  std::size_t work_ = given_;  // what may still be used
  ptx::ReachingWrites writes_;
};

// Returns the state space of an access, such as "shared" or "generic".
std::string SpaceOf(const ptx::Instruction& step);
bool ComputesFloats(const ptx::Instruction& step);

}  // namespace warpcheck::similarity
