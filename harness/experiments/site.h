// A Site is one instruction that a student's line became, with what proposals need to know of it.
// The functions that propose changes of a site are in kinds/, one file for each subject.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::experiments {

// The registers that hold addresses of memory, by ptx::RegisterId: the bases of accesses, and what
// is added to make them. Sums and differences of the program's own numbers are none.
std::vector<bool> AddressesOf(const ptx::Function& function);

// A Meaning says what a register holds during the whole kernel. It comes from the one instruction
// that writes the register.
struct Meaning {
  enum class Of : std::uint8_t {
    kParameter,  // an integer or pointer that is parameter `number` of the kernel
    kPlace,      // an integer that is computed from threadIdx, blockIdx and parameters alone
  };
  Of of = Of::kPlace;
  std::uint32_t number = 0;  // the parameter, or the place's instruction
  std::uint32_t bytes = 4;
  bool of_thread = false;  // true if it is computed from threadIdx, blockIdx or the like
};

// The registers of a function with a meaning, by ptx::RegisterId. Only registers that one
// instruction writes have one.
using Meanings = std::vector<std::optional<Meaning>>;
Meanings MeaningsOf(const ptx::Function& function);

struct Site {
  const ptx::Function& function;
  std::uint32_t at = 0;
  const Meanings& meanings;
  const std::vector<bool>& addresses;

  const ptx::Instruction& instruction() const { return function.body[at]; }
  // Returns true if the compiler computes an address here, rather than the program a number.
  bool IsOfAnAddress() const;
};

// Takes a proposal: what it changes in words, and the instruction that runs instead.
using Propose = std::function<void(std::string text, ptx::Instruction instead)>;

void ProposeComparisons(const Site& site, const Propose& propose);
void ProposeConstants(const Site& site, const Propose& propose);
void ProposeOperations(const Site& site, const Propose& propose);
void ProposeCoordinates(const Site& site, const Propose& propose);
void ProposeFirstValues(const Site& site, const Propose& propose);
void ProposeGuards(const Site& site, const Propose& propose);
void ProposeVariables(const Site& site, const Propose& propose);
void ProposeNoBarriers(const Site& site, const Propose& propose);

// The instructions of one line that change together, by their indices.
using LineChange = std::vector<std::pair<std::uint32_t, ptx::Instruction>>;
// Returns the changes that exchange two variables in the instructions of one line.
std::vector<LineChange> ExchangesIn(const ptx::Function& function,
                                    const std::vector<std::uint32_t>& line,
                                    const Meanings& meanings);
// Returns the changes that use another variable in place of one, in the instructions of one line.
std::vector<LineChange> ReplacementsIn(const ptx::Function& function,
                                       const std::vector<std::uint32_t>& line,
                                       const Meanings& meanings);

// Returns an instruction that does nothing, in the place of that of the site.
ptx::Instruction Nothing(const Site& site);

}  // namespace warpcheck::experiments
