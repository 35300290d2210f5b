// Decodes a function of a module to a Program.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/code/isa.h"
#include "emulator/code/program.h"
#include "emulator/decode/control_flow.h"
#include "emulator/decode/preparation.h"
#include "ptx/analysis/address_origins.h"
#include "ptx/analysis/known_addresses.h"
#include "ptx/analysis/liveness.h"

namespace warpcheck::emulator {

// The surroundings of the functions of a kernel, to which their code refers.
struct DecodeContext {
  const ptx::Module& module;
  const Isa& isa;
  // The address of each .global or .const variable, by symbol; unused for other symbols.
  const std::vector<std::uint64_t>& addresses;
  // The offsets of the kernel's .shared variables in the block's shared memory.
  const std::map<ptx::SymbolId, std::uint64_t>& shared;
  Preparation& preparation;

  std::uint64_t AddressOf(ptx::SymbolId id) const {
    const auto in_shared = shared.find(id);
    return in_shared != shared.end() ? in_shared->second : addresses[id];
  }
};

// Returns the program of a function. If it cannot be executed, Program::error says why. An
// instruction that the emulator does not have ends the launch only when it is executed.
Program DecodeFunction(const DecodeContext& context, ptx::FunctionId id);

class FunctionDecoder {
 public:
  FunctionDecoder(const DecodeContext& context, Program& program);

  void Decode();

  const ptx::Module& module() const { return context_.module; }
  Program& program() { return program_; }
  const ptx::Function& function() const { return *program_.function; }
  bool IsRead(ptx::RegisterId id) const { return liveness_.read[id] != 0; }
  BlockId BlockAt(std::uint32_t instruction) const { return flow_.graph.block_at[instruction]; }

  Slot RegisterSlot(ptx::RegisterId id) const { return registers_[id]; }
  std::uint32_t RegisterBytes(ptx::RegisterId id) const;
  // Returns the slot of a constant: `bits` in every lane, `bytes` wide.
  Slot Constant(std::uint64_t bits, std::uint32_t bytes);
  Slot Special(ptx::SpecialRegister which, std::uint32_t bytes);
  Slot LocalAddress(std::uint64_t offset, std::uint32_t bytes);
  Slot Scratch(std::uint32_t bytes);
  // Returns the slot of a symbol's address in its own state space (generic for parameters).
  Slot SymbolAddress(ptx::SymbolId id, std::int64_t offset, std::uint32_t bytes);
  // Returns the range of the shared variables that an address may belong to. Returns all of shared
  // memory if the variables are not known.
  SharedRange SharedRangeOf(const ptx::Operand& address) const;
  // Returns true for a parameter of the kernel itself, which is the same for all lanes.
  bool IsKernelParameter(ptx::SymbolId id) const;
  ParamArea Area(ptx::SymbolId id);
  // Returns true if `address` is in a register, and is that of a symbol at a distance which the
  // code tells.
  bool IsKnownAddress(const ptx::Operand& address) const {
    return address.base == ptx::AddressBase::kRegister && known_addresses_.Has(address.reg);
  }

  // Records that the current instruction cannot be executed. `why` continues its text: "is not
  // supported ...".
  void Refuse(std::string_view why);

 private:
  // Returns false if the analysis takes more work than the budget allows.
  bool Analyse();
  void LayOutRegisters();
  void LayOutLocals();
  void DecodeInstruction(std::uint32_t index);
  Slot Grow(std::uint64_t bytes);
  std::string Text(std::string_view why) const;
  // Records that the function cannot be executed.
  void RefuseAll(std::string_view why);

  const DecodeContext& context_;
  Program& program_;
  ControlFlow flow_;
  ptx::Liveness liveness_;
  ptx::AddressOrigins origins_;
  ptx::KnownAddresses known_addresses_;
  std::uint32_t current_ = 0;  // index of the instruction that is decoded
  std::string refusal_;        // why the current instruction cannot be executed; empty if it can
  std::vector<Slot> registers_;
  std::map<ptx::SymbolId, std::uint64_t> locals_;  // offsets in the function's local memory
  std::map<ptx::SymbolId, ParamArea> areas_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Slot> constants_;
  std::map<std::pair<int, std::uint32_t>, Slot> specials_;
  std::map<std::uint32_t, Slot> scratch_;
};

}  // namespace warpcheck::emulator
