#include "experiments/missing_guards.h"

#include <algorithm>
#include <set>

#include "base/record.h"
#include "experiments/change.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::experiments {
namespace {

constexpr std::size_t kMost = 12;  // guards with one comparison, and as many with two

// A place of the thread, and the instruction that computes it.
struct ThreadsPlace {
  ptx::RegisterId reg = 0;
  std::uint32_t at = 0;
};

// Returns the places, without those that are only parts of others: the product in
// blockIdx.x * blockDim.x + threadIdx.x.
std::vector<ThreadsPlace> PlacesOf(const ptx::Function& function, const Meanings& meanings) {
  std::vector<ThreadsPlace> places;
  std::set<ptx::RegisterId> parts;
  for (std::uint32_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& one = function.body[at];
    if (one.destinations != 1 || one.operands.front().kind != ptx::OperandKind::kRegister) continue;
    const auto& meaning = meanings[one.operands.front().reg];
    if (!meaning || meaning->of != Meaning::Of::kPlace || !meaning->of_thread) continue;
    ptx::EachRead(one, [&](ptx::RegisterId reg) {
      const auto& part = meanings[reg];
      if (part && part->of == Meaning::Of::kPlace &&
          function.body[part->number].location == one.location) {
        parts.insert(reg);
      }
    });
    places.push_back({one.operands.front().reg, at});
  }
  std::erase_if(places, [&](const ThreadsPlace& place) { return parts.contains(place.reg); });
  return places;
}

std::uint32_t OwnerOf(const ptx::Function& function, std::uint32_t after) {
  using ptx::Opcode;
  for (std::uint32_t at = after + 1; at < function.body.size(); ++at) {
    const Opcode opcode = function.body[at].opcode;
    if (opcode == Opcode::kSetp) return at;
    if (IsOneOf(opcode, Opcode::kLd, Opcode::kSt, Opcode::kBra, Opcode::kRet)) break;
  }
  return after;
}

ptx::Operand RegisterOperand(ptx::RegisterId reg) {
  ptx::Operand operand;
  operand.kind = ptx::OperandKind::kRegister;
  operand.reg = reg;
  return operand;
}

// Adds: if (place >= parameter) return;
void AddGuard(const ptx::Function& function, const ThreadsPlace& place, ptx::SymbolId parameter,
              std::vector<ptx::Instruction>& guard) {
  ptx::Instruction blank;
  blank.location = function.body[place.at].location;
  blank.ptx_line = function.body[place.at].ptx_line;

  ptx::Instruction load = blank;
  load.opcode = ptx::Opcode::kLd;
  load.modifiers.space = ptx::Space::kParam;
  load.modifiers.type = ptx::Type::kU32;
  ptx::Operand from;
  from.kind = ptx::OperandKind::kAddress;
  from.base = ptx::AddressBase::kSymbol;
  from.symbol = parameter;
  load.operands = {RegisterOperand(NewInteger(function)), from};
  load.destinations = 1;

  ptx::Instruction compare = blank;
  compare.opcode = ptx::Opcode::kSetp;
  compare.modifiers.type = ptx::Type::kS32;
  compare.modifiers.compare = ptx::Compare::kGe;
  ptx::Operand sink;
  sink.kind = ptx::OperandKind::kSink;
  compare.operands = {RegisterOperand(NewPredicate(function)), sink, RegisterOperand(place.reg),
                      RegisterOperand(NewInteger(function))};
  compare.destinations = 2;

  ptx::Instruction end = blank;
  end.opcode = ptx::Opcode::kRet;
  end.guard = ptx::Guard{.predicate = NewPredicate(function)};
  guard.insert(guard.end(), {load, compare, end});
}

}  // namespace

std::vector<MissingGuard> MissingGuardsOf(const ptx::Module& module, const ptx::Function& function,
                                          const Meanings& meanings) {
  if (!function.is_entry) return {};
  std::vector<ptx::SymbolId> sizes;
  for (const ptx::SymbolId parameter : function.parameters) {
    if (IsOneOf(module.symbols[parameter].type, ptx::Type::kU32, ptx::Type::kS32,
                ptx::Type::kB32)) {
      sizes.push_back(parameter);
    }
  }
  const std::vector<ThreadsPlace> places = PlacesOf(function, meanings);
  const auto begin = [&](std::uint32_t after) {
    return MissingGuard{.after = after, .owner = OwnerOf(function, after), .instructions = {}};
  };
  std::vector<MissingGuard> guards;
  for (const ThreadsPlace& place : places) {
    for (const ptx::SymbolId size : sizes) {
      if (guards.size() == kMost) break;
      guards.push_back(begin(place.at));
      AddGuard(function, place, size, guards.back().instructions);
    }
  }
  const std::size_t singles = guards.size();
  for (std::size_t second = 1; second < places.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      for (const ptx::SymbolId one : sizes) {
        for (const ptx::SymbolId other : sizes) {
          if (one == other || guards.size() == singles + kMost) continue;
          guards.push_back(begin(places[second].at));
          AddGuard(function, places[first], one, guards.back().instructions);
          AddGuard(function, places[second], other, guards.back().instructions);
        }
      }
    }
  }
  return guards;
}

}  // namespace warpcheck::experiments
