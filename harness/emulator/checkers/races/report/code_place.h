// A code place is an instruction of a kernel. The functions here say what it is to other threads: a
// barrier, a fence, an access that they see in a fixed order.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/checkers/races/report/instructions.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/code/program.h"

namespace warpcheck::emulator {

// Bounds how far instructions that belong together lie apart: the read and the write of "s[i]++",
// an access and the lock around it.
inline constexpr std::uint32_t kFarBack = 256;

struct CodePlace {
  const Program* program = nullptr;
  std::uint32_t index = 0;
  bool writes = false;

  const ptx::Instruction& instruction() const { return program->function->body[index]; }
};

// Returns the place of one of two accesses that race, without a program if it is unknown.
CodePlace CodePlaceOf(const InstructionNumbers& numbers, const RacingAccess& access);

bool IsBarrier(const ptx::Instruction& instruction);
bool IsFence(const ptx::Instruction& instruction);  // of any scope

// True for an atomic, and for a volatile, relaxed, acquiring or releasing load or store, unless it
// goes to shared memory.
bool IsStrong(const ptx::Instruction& instruction);
// True for a strong access, or a fence, that has no effect for other blocks.
bool HasBlockScope(const ptx::Instruction& instruction);
// True for a strong access that needs no fence before it, or behind it.
bool Releases(const ptx::Instruction& instruction);
bool Acquires(const ptx::Instruction& instruction);

struct Loop {
  std::uint32_t first = 0;  // the instruction with which a round starts
  std::uint32_t last = 0;   // the branch back to it
};

// Returns the smallest loop that contains both instructions of the program; `first` is higher up.
std::optional<Loop> LoopAround(const Program& program, std::uint32_t first, std::uint32_t second);

// True for a load, or an atomic, whose value an atomicCAS() of the same address compares, as in the
// loops that make an atomic of any function. An old value does no harm there: the atomic fails, and
// the loop goes on with the right one.
bool IsVerifiedByCas(const CodePlace& load);

// True if both instructions of the program have the same address: the same bytes behind one
// register or one variable, which other registers may have taken over.
bool SameAddress(const Program& program, const ptx::Instruction& a, const ptx::Instruction& b);

}  // namespace warpcheck::emulator
