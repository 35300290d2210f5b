// What a decode function sees of its instruction: operands as slots.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/code/program.h"
#include "emulator/code/step.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class FunctionDecoder;  // emulator/code/decoder.h

class Operands {
 public:
  Operands(FunctionDecoder& decoder, const ptx::Instruction& instruction)
      : decoder_(decoder), instruction_(instruction) {}

  const ptx::Instruction& instruction() const { return instruction_; }
  const ptx::Modifiers& modifiers() const { return instruction_.modifiers; }
  ptx::Type type() const { return instruction_.modifiers.type; }
  std::size_t size() const { return instruction_.operands.size(); }
  const ptx::Operand& operator[](std::size_t index) const { return instruction_.operands[index]; }
  // False for an operand that is missing or "_".
  bool Present(std::size_t index) const;
  // False where Present is, and for a destination register that nobody reads.
  bool Wanted(std::size_t index) const;

  // 32 values of `bytes` each (1, 2, 4, 8, 16): a register of that width, an immediate, a special
  // register, the address of a symbol or function.
  Slot Source(std::size_t index, std::uint32_t bytes);
  // A register of that width; a slot that nobody reads for "_".
  Slot Destination(std::size_t index, std::uint32_t bytes);
  // Predicates: one mask. `flip` becomes all ones for "!%p", which the caller xors to the mask.
  Slot SourcePredicate(std::size_t index, LaneMask& flip);
  Slot DestinationPredicate(std::size_t index);
  // The same for an operand that need not be one of the instruction's own: a vector's element.
  Slot SourceOf(const ptx::Operand& operand, std::uint32_t bytes);
  Slot DestinationOf(const ptx::Operand& operand, std::uint32_t bytes);

  // Bytes of a value of the register at `index`, which may be wider than the instruction's type in
  // ld, st and cvt; 0 where the operand is no register.
  std::uint32_t RegisterBytes(std::size_t index) const;
  std::uint32_t RegisterBytesOf(const ptx::Operand& operand) const;

  // The instruction cannot be executed: "is not supported ...".
  void Refuse(std::string_view why);

  FunctionDecoder& decoder() { return decoder_; }

 private:
  FunctionDecoder& decoder_;
  const ptx::Instruction& instruction_;
};

// The part of a memory instruction that says where it accesses, and how.

// Decodes the address [base + offset] at operand `index`: step.a is the slot of the base, step.data
// the offset, step.memory the entry of Program::memory that is added. `bytes`: a lane, all
// elements.
MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind);

// Of a fence or an access, by its suffixes; of the device where they name none.
MemoryScope ScopeOf(const ptx::Suffixes& suffixes);

}  // namespace warpcheck::emulator
