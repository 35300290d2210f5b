// Says from what an index is computed: from the place of a thread, from arguments of the kernel, or
// from anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::emulator {

// The sources that a value is computed from, one bit each.
using Sources = std::uint8_t;
inline constexpr Sources kThreadX = 1, kThreadY = 2, kThreadZ = 4;
inline constexpr Sources kThread = kThreadX | kThreadY | kThreadZ;
inline constexpr Sources kBlock = 8;
inline constexpr Sources kParameter = 16;
inline constexpr Sources kChanging = 32;  // a variable that changes its value
inline constexpr Sources kFromMemory =
    64;  // what an access, a call or another special register gives
inline constexpr Sources kElse = kChanging | kFromMemory;

class IndexSources {
 public:
  explicit IndexSources(const ptx::Function& function);

  // Returns false if the function is too long to be analysed.
  bool known() const { return known_; }

  // Returns the sources of a value, or of an address.
  Sources Of(const ptx::Operand& operand) const;

 private:
  Sources OfResult(const ptx::Instruction& one) const;
  void Room(ptx::RegisterId reg);

  std::vector<Sources> sources_;  // by register
  std::vector<bool> written_;
  bool known_ = false;
};

// Returns the sources of the address of a memory instruction.
Sources AddressSources(const IndexSources& registers, const ptx::Instruction& access);

}  // namespace warpcheck::emulator
