#include "emulator/decode/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/round_up.h"
#include "emulator/decode/control_flow.h"
#include "emulator/decode/operands.h"
#include "emulator/decode/spin_loops.h"
#include "emulator/memory/device_memory.h"
#include "ptx/usage.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kSlotAlignment = 32;  // the bytes of one AVX2 register
// The sizes of the frame and of a thread's local memory are limited, so that no module can exhaust
// the host's memory.
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{16} << 20;

constexpr std::uint64_t kStepsOfAFunction = 2000;
constexpr std::uint64_t kStepsOfAnInstruction = 200;
constexpr std::uint64_t kStepsOfARegister = 4;

}  // namespace

Program DecodeFunction(const DecodeContext& context, ptx::FunctionId id) {
  Program program;
  program.function = &context.module.functions[id];
  program.id = id;
  FunctionDecoder(context, program).Decode();
  return program;
}

FunctionDecoder::FunctionDecoder(const DecodeContext& context, Program& program)
    : context_(context), program_(program), origins_(context.module, [](const ptx::Symbol& symbol) {
        return symbol.space == ptx::Space::kShared;
      }) {}

bool FunctionDecoder::Analyse() {
  Preparation& preparation = context_.preparation;
  const std::uint64_t steps = kStepsOfAFunction + kStepsOfAnInstruction * function().body.size() +
                              kStepsOfARegister * function().registers.size();
  if (!preparation.Spend(steps)) return false;
  known_addresses_.Find(function());
  flow_ = AnalyseControlFlow(function(), preparation);
  if (preparation.spent()) return false;
  liveness_ = ptx::AnalyseLiveness(function(), flow_.graph, preparation);
  return !preparation.spent() && origins_.Find(function(), preparation);
}

void FunctionDecoder::Decode() {
  if (!Analyse()) {
    program_.error = fmt::format(
        "{}, with {} instructions and {} registers, takes more work to prepare than the grader has "
        "left for the kernels of this program",
        function().name, function().body.size(), function().registers.size());
    return;
  }
  program_.blocks = flow_.blocks;
  MarkSpinLoops(function(), flow_.graph.block_at, program_.blocks);
  program_.live_registers = liveness_.most_live_words;
  LayOutRegisters();
  program_.register_slots = registers_;
  LayOutLocals();
  for (const ptx::SymbolId id : function().parameters) {
    if (!function().is_entry) program_.parameters.push_back(Area(id));
  }
  for (const ptx::SymbolId id : function().returns) program_.returns.push_back(Area(id));
  for (const ptx::SymbolId id : function().locals) {
    if (module().symbols[id].space == ptx::Space::kParam) Area(id);
  }
  program_.constants_begin = program_.frame_bytes;
  program_.steps.resize(function().body.size());
  for (std::uint32_t i = 0; i < function().body.size() && program_.error.empty(); ++i) {
    DecodeInstruction(i);
  }
  program_.constants.resize(program_.frame_bytes - program_.constants_begin);
}

void FunctionDecoder::DecodeInstruction(std::uint32_t index) {
  current_ = index;
  const ptx::Instruction& instruction = function().body[index];
  Step& step = program_.steps[index];
  step.index = index;
  if (instruction.guard) {
    step.guard = registers_[instruction.guard->predicate];
    step.guard_flip = instruction.guard->negated ? kAllLanes : 0;
  } else {
    step.guard = Constant(~std::uint64_t{0}, sizeof(LaneMask));
  }
  refusal_.clear();
  const auto decode = context_.isa.decoder(instruction.opcode);
  if (instruction.opcode == ptx::Opcode::kUnknown) {
    Refuse("is not supported by the emulator");
  } else if (decode == nullptr) {
    Refuse("is not supported by the emulator; it is " + ptx::HowCommon(instruction.opcode));
  } else {
    Operands operands(*this, instruction);
    step.function = decode(operands, step);
    if (step.function == nullptr)
      Refuse("is not supported by the emulator with these types or modifiers");
  }
  if (!refusal_.empty()) {
    // An instruction that ends a basic block is not executed by its step's function, so it cannot
    // fail there.
    if (EndingOf(instruction) != Ending::kFall) return RefuseAll(refusal_);
    step.function = context_.isa.unsupported;
    step.data = program_.refusals.size();
    step.members = kNoMembers;
    program_.refusals.push_back(Text(refusal_));
    return;
  }
  const ptx::Modifiers& modifiers = instruction.modifiers;
  if (instruction.opcode == ptx::Opcode::kAtom && modifiers.space != ptx::Space::kShared &&
      program_.memory[step.memory].kind == MemoryInfo::Kind::kAtomic) {
    program_.blocks[BlockAt(index)].may_draw = true;
  }
  if (step.members != kNoMembers) {
    program_.blocks[BlockAt(index)].reconvergence_mask = kAllLanes;
  } else if (modifiers.sync && modifiers.aligned && EndingOf(instruction) == Ending::kFall) {
    step.members = kAllMembers;
  }
}

void FunctionDecoder::Refuse(std::string_view why) {
  if (refusal_.empty()) refusal_ = why;
}

void FunctionDecoder::RefuseAll(std::string_view why) {
  if (!program_.error.empty()) return;
  program_.error = Text(why);
  program_.error_instruction = current_;
}

std::string FunctionDecoder::Text(std::string_view why) const {
  const ptx::Instruction& instruction = function().body[current_];
  if (instruction.opcode == ptx::Opcode::kUnknown) {
    const Error& error = module().refusals[instruction.refusal];
    return fmt::format("'{}' in line {} of the PTX {}: {}", error.hint, instruction.ptx_line, why,
                       error.message);
  }
  std::string text(ptx::Text(instruction.opcode));
  for (const std::string& suffix : instruction.modifiers.suffixes) text += "." + suffix;
  return fmt::format("the instruction {} in line {} of the PTX {}", text, instruction.ptx_line,
                     why);
}

Slot FunctionDecoder::Grow(std::uint64_t bytes) {
  const std::uint64_t begin = program_.frame_bytes;
  if (begin + bytes > kMaxFrameBytes) {
    RefuseAll("needs more registers than the emulator has");
    return 0;
  }
  program_.frame_bytes = static_cast<std::uint32_t>(RoundUp(begin + bytes, kSlotAlignment));
  return static_cast<Slot>(begin);
}

void FunctionDecoder::LayOutRegisters() {
  for (ptx::RegisterId id = 0; id < function().registers.size(); ++id) {
    registers_.push_back(Grow(function().registers[id].type == ptx::Type::kPred
                                  ? sizeof(LaneMask)
                                  : std::uint64_t{kLanes} * RegisterBytes(id)));
  }
  for (const ptx::RegisterId id : liveness_.at_entry) {
    const bool predicate = function().registers[id].type == ptx::Type::kPred;
    program_.read_before_written.push_back(
        {registers_[id], predicate ? std::uint32_t{sizeof(LaneMask)} : kLanes * RegisterBytes(id)});
  }
}

void FunctionDecoder::LayOutLocals() {
  std::uint64_t bytes = 0;
  for (const ptx::SymbolId id : function().locals) {
    const ptx::Symbol& symbol = module().symbols[id];
    if (symbol.space != ptx::Space::kLocal) continue;
    bytes = RoundUp(bytes, symbol.align);
    locals_[id] = bytes;
    bytes += symbol.bytes;
    if (bytes > kMaxLocalBytes) {
      program_.error = fmt::format("{} needs more than {} bytes of local memory a thread",
                                   function().name, kMaxLocalBytes);
      return;
    }
  }
  program_.local_bytes = static_cast<std::uint32_t>(RoundUp(bytes, 16));
}

std::uint32_t FunctionDecoder::RegisterBytes(ptx::RegisterId id) const {
  return ptx::Bytes(function().registers[id].type);
}

Slot FunctionDecoder::Constant(std::uint64_t bits, std::uint32_t bytes) {
  const auto [found, added] = constants_.try_emplace({bits, bytes}, 0);
  if (!added) return found->second;
  const Slot slot = Grow(std::uint64_t{kLanes} * bytes);
  found->second = slot;
  program_.constants.resize(program_.frame_bytes - program_.constants_begin);
  std::byte* to = program_.constants.data() + (slot - program_.constants_begin);
  for (int lane = 0; lane < kLanes; ++lane, to += bytes) {
    std::memset(to, 0, bytes);
    std::memcpy(to, &bits, std::min<std::size_t>(bytes, sizeof bits));
  }
  return slot;
}

Slot FunctionDecoder::Special(ptx::SpecialRegister which, std::uint32_t bytes) {
  const auto [found, added] = specials_.try_emplace({static_cast<int>(which), bytes}, 0);
  if (added) {
    found->second = Grow(std::uint64_t{kLanes} * bytes);
    program_.specials.push_back({which, found->second, bytes});
  }
  return found->second;
}

Slot FunctionDecoder::LocalAddress(std::uint64_t offset, std::uint32_t bytes) {
  const Slot slot = Grow(std::uint64_t{kLanes} * bytes);
  program_.local_addresses.push_back({offset, slot, bytes});
  return slot;
}

Slot FunctionDecoder::Scratch(std::uint32_t bytes) {
  const auto [found, added] = scratch_.try_emplace(bytes, 0);
  if (added) found->second = Grow(std::uint64_t{kLanes} * bytes);
  return found->second;
}

SharedRange FunctionDecoder::SharedRangeOf(const ptx::Operand& address) const {
  std::vector<ptx::SymbolId> variables;
  if (address.base == ptx::AddressBase::kRegister) variables = origins_.Of(address.reg);
  if (address.base == ptx::AddressBase::kSymbol) variables = {address.symbol};
  SharedRange range;
  bool first = true;
  for (const ptx::SymbolId id : variables) {
    const ptx::Symbol& symbol = module().symbols[id];
    if (symbol.space != ptx::Space::kShared) return {};
    const std::uint64_t begin = context_.AddressOf(id);
    const std::uint64_t end = symbol.bytes == 0 ? SharedRange{}.end : begin + symbol.bytes;
    range = first ? SharedRange{begin, end}
                  : SharedRange{std::min(range.begin, begin), std::max(range.end, end)};
    first = false;
  }
  return range;
}

bool FunctionDecoder::IsKernelParameter(ptx::SymbolId id) const {
  // The parameters are sorted, because symbols are numbered in the order of their declarations.
  return function().is_entry && std::ranges::binary_search(function().parameters, id);
}

Slot FunctionDecoder::SymbolAddress(ptx::SymbolId id, std::int64_t offset, std::uint32_t bytes) {
  const ptx::Symbol& symbol = module().symbols[id];
  const auto add = static_cast<std::uint64_t>(offset);
  switch (symbol.space) {
    case ptx::Space::kLocal:
      return LocalAddress(locals_[id] + add, bytes);
    case ptx::Space::kParam:
      if (IsKernelParameter(id)) {
        return Constant(kParamWindow.begin + symbol.param_offset + add, bytes);
      }
      Refuse("takes the address of a parameter of a device function, which is not supported");
      return 0;
    default:
      return Constant(context_.AddressOf(id) + add, bytes);
  }
}

ParamArea FunctionDecoder::Area(ptx::SymbolId id) {
  const auto found = areas_.find(id);
  if (found != areas_.end()) return found->second;
  const ptx::Symbol& symbol = module().symbols[id];
  ParamArea area;
  area.bytes = static_cast<std::uint32_t>(symbol.bytes);
  area.stride = static_cast<std::uint32_t>(RoundUp(std::max<std::uint64_t>(symbol.bytes, 1), 16));
  if (symbol.bytes > kMaxFrameBytes / kLanes) {
    RefuseAll("passes a parameter that is too large");
    return area;
  }
  area.slot = Grow(std::uint64_t{kLanes} * area.stride);
  areas_[id] = area;
  return area;
}

}  // namespace warpcheck::emulator
