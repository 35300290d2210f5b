// Operands gives a decode function the operands of an instruction as slots.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/code/program.h"
#include "emulator/code/step.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class FunctionDecoder;  // defined in emulator/decode/decoder.h

class Operands {
 public:
  Operands(FunctionDecoder& decoder, const ptx::Instruction& instruction)
      : decoder_(decoder), instruction_(instruction) {}

  const ptx::Instruction& instruction() const { return instruction_; }
  const ptx::Modifiers& modifiers() const { return instruction_.modifiers; }
  ptx::Type type() const { return instruction_.modifiers.type; }
  std::size_t size() const { return instruction_.operands.size(); }
  const ptx::Operand& operator[](std::size_t index) const { return instruction_.operands[index]; }
  // Returns false for an operand that is missing or "_".
  bool Present(std::size_t index) const;
  // Returns false if Present does, and for a destination register that no instruction reads.
  bool Wanted(std::size_t index) const;

  // Returns the slot of 32 values of `bytes` bytes (1, 2, 4, 8, 16): a register of that width, an
  // immediate, a special register, or the address of a symbol or function.
  Slot Source(std::size_t index, std::uint32_t bytes);
  // Returns the slot of a register of that width; for "_", returns a slot that no instruction
  // reads.
  Slot Destination(std::size_t index, std::uint32_t bytes);
  // These return the slot of a predicate, which is one mask. `flip` becomes all ones for "!%p"; the
  // caller must xor it to the mask.
  Slot SourcePredicate(std::size_t index, LaneMask& flip);
  Slot DestinationPredicate(std::size_t index);
  // These return the slot of any operand, such as an element of a vector.
  Slot SourceOf(const ptx::Operand& operand, std::uint32_t bytes);
  Slot DestinationOf(const ptx::Operand& operand, std::uint32_t bytes);

  // These return the width of a register in bytes, or 0 if the operand is not a register. In ld, st
  // and cvt the width may exceed that of the instruction's type.
  std::uint32_t RegisterBytes(std::size_t index) const;
  std::uint32_t RegisterBytesOf(const ptx::Operand& operand) const;

  // Records that the instruction cannot be executed. `why` continues its text: "is not supported
  // ...".
  void Refuse(std::string_view why);

  FunctionDecoder& decoder() { return decoder_; }

 private:
  FunctionDecoder& decoder_;
  const ptx::Instruction& instruction_;
};

}  // namespace warpcheck::emulator
