// A function of the module to a Program.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/code/address_origins.h"
#include "emulator/code/isa.h"
#include "emulator/code/liveness.h"
#include "emulator/code/preparation.h"
#include "emulator/code/program.h"

namespace warpcheck::emulator {

// What a kernel's functions are decoded against.
struct DecodeContext {
  const ptx::Module& module;
  const Isa& isa;
  // Of each symbol: the address of a .global or .const variable in the heap; unused for the others.
  const std::vector<std::uint64_t>& addresses;
  // Of the kernel's .shared variables: offsets in the block's shared memory.
  const std::map<ptx::SymbolId, std::uint64_t>& shared;
  Preparation& preparation;

  std::uint64_t AddressOf(ptx::SymbolId id) const {
    const auto in_shared = shared.find(id);
    return in_shared != shared.end() ? in_shared->second : addresses[id];
  }
};

// Always gives a program; one that cannot be executed says so in Program::error. An instruction
// that the emulator does not have ends a launch when it is executed, not before.
Program DecodeFunction(const DecodeContext& context, ptx::FunctionId id);

class FunctionDecoder {
 public:
  FunctionDecoder(const DecodeContext& context, Program& program);

  void Decode();

  const ptx::Module& module() const { return context_.module; }
  Program& program() { return program_; }
  const ptx::Function& function() const { return *program_.function; }
  bool IsRead(ptx::RegisterId id) const { return liveness_.read[id] != 0; }
  BlockId BlockAt(std::uint32_t instruction) const { return flow_.block_at[instruction]; }

  Slot RegisterSlot(ptx::RegisterId id) const { return registers_[id]; }
  std::uint32_t RegisterBytes(ptx::RegisterId id) const;
  // 32 times `bits`, `bytes` wide.
  Slot Constant(std::uint64_t bits, std::uint32_t bytes);
  Slot Special(ptx::SpecialRegister which, std::uint32_t bytes);
  Slot LocalAddress(std::uint64_t offset, std::uint32_t bytes);
  Slot Scratch(std::uint32_t bytes);
  // The address of a symbol in its own state space (generic for parameters).
  Slot SymbolAddress(ptx::SymbolId id, std::int64_t offset, std::uint32_t bytes);
  // The shared variables that an address may mean, all of shared memory where that is not known.
  SharedRange SharedRangeOf(const ptx::Operand& address) const;
  // True for a parameter of the kernel itself, which is the same for all lanes.
  bool IsKernelParameter(ptx::SymbolId id) const;
  ParamArea Area(ptx::SymbolId id);

  // The instruction cannot be executed: "is not supported ...".
  void Refuse(std::string_view why);

 private:
  // False where it takes more work than is left.
  bool Analyse();
  void LayOutRegisters();
  void LayOutLocals();
  void DecodeInstruction(std::uint32_t index);
  Slot Grow(std::uint64_t bytes);
  std::string Text(std::string_view why) const;
  // No instruction of the function can be executed.
  void RefuseAll(std::string_view why);

  const DecodeContext& context_;
  Program& program_;
  ControlFlow flow_;
  Liveness liveness_;
  AddressOrigins origins_;
  std::uint32_t current_ = 0;  // instruction
  std::string refusal_;        // why that cannot be executed; empty where it can
  std::vector<Slot> registers_;
  std::map<ptx::SymbolId, std::uint64_t> locals_;  // offset in the function's local memory
  std::map<ptx::SymbolId, ParamArea> areas_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> constants_;
  std::map<std::pair<int, std::uint32_t>, Slot> specials_;
  std::map<std::uint32_t, Slot> scratch_;
};

}  // namespace warpcheck::emulator
