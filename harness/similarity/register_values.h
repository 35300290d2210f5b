// What the registers of a PTX function hold, by where they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"
#include "similarity/index_value.h"

namespace warpcheck::similarity {

// PTX has registers that several instructions write, those of loops above all: which of them a
// reader sees is found on the ways that lead to it. What is worked out is bounded by the function's
// length; beyond, a value is "?". A loop that has no sum is "either".
class RegisterValues {
 public:
  // `function` has to outlive this object.
  // Takes what it does out of `work`, and knows nothing more where that is used up; no function may
  // take more than its share by size. Both outlive this.
  RegisterValues(const ptx::Function& function, std::size_t& work);
  RegisterValues(const RegisterValues&) = delete;
  RegisterValues& operator=(const RegisterValues&) = delete;
  ~RegisterValues() { all_work_ -= given_ - work_; }

  // As instruction `at` of the function reads them. `type`: of what is read.
  IndexValue ValueOf(const ptx::Operand& operand, std::size_t at, ptx::Type type = ptx::Type::kB32);
  IndexValue AddressOf(const ptx::Operand& operand, std::size_t at);
  // The instructions that may have written what `at` reads, sorted.
  std::vector<std::size_t> WritersOf(ptx::RegisterId id, std::size_t at);

 private:
  using Writers = std::vector<std::size_t>;

  void FindWaysIn();
  IndexValue ValueBy(const Writers& writers);
  IndexValue LoopValue(const Writers& writers);
  IndexValue Result(std::size_t at);
  IndexValue UpperHalf(std::size_t at);
  IndexValue Shifted(std::size_t at);
  IndexValue Masked(std::size_t at);

  const ptx::Function& function_;
  std::map<ptx::RegisterId, Writers> writers_;
  std::vector<Writers> ways_in_;         // by instruction, and one past the last
  std::map<Writers, IndexValue> known_;  // by who writes it
  std::map<Writers, IndexValue> while_;  // of the innermost of loops_
  std::vector<Writers> loops_;           // that are being worked out
  // By their Text(): what was multiplied, and by what.
  std::map<std::string, std::pair<IndexValue, std::uint32_t>> upper_halves_;
  std::size_t depth_ = 0;
  std::size_t& all_work_;
  const std::size_t given_;
  std::size_t work_ = given_;  // that may still be done
};

// "shared", "generic".
std::string SpaceOf(const ptx::Instruction& step);
bool ComputesFloats(const ptx::Instruction& step);

}  // namespace warpcheck::similarity
