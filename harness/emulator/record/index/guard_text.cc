// The basic idea: find this mistake in the code of the kernel.
//
//     if (threadIdx.x < n)                                  // the guard: the place in the block
//       a[blockIdx.x * blockDim.x + threadIdx.x] = 0;       // the access: the place in the grid
//
// 1. The index of the access is computed from blockIdx (AddressSources).
// 2. A branch that decides about the access tests the result of a setp (DecisionsBefore,
//    ComparisonsOf).
// 3. This setp compares threadIdx alone with an argument of the kernel (ComparisonIn).
// 4. The argument's value in this launch is a size of the array (IsExtent).
#include "emulator/record/index/guard_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

#include "emulator/decode/preparation.h"
#include "emulator/record/index/index_sources.h"
#include "emulator/record/source_lines.h"
#include "ptx/analysis/control_dependence.h"

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kMostGuarded = 20'000;  // kernels with more instructions are not analysed

// A comparison of the thread's place in its block with a number.
struct Comparison {
  Sources place = 0;                     // the components of threadIdx
  const ptx::Operand* number = nullptr;  // what they are compared with: an argument of the kernel
};

std::optional<Comparison> ComparisonIn(const IndexSources& registers, const ptx::Instruction& one) {
  if (one.operands.size() < 4) return std::nullopt;
  for (const std::size_t place : {std::size_t{2}, std::size_t{3}}) {
    const ptx::Operand& number = one.operands[5 - place];
    const Sources sources = registers.Of(one.operands[place]);
    const bool of_thread = sources != 0 && (sources & ~kThread) == 0;
    if (of_thread && registers.Of(number) == kParameter) {
      return Comparison{.place = sources, .number = &number};
    }
  }
  return std::nullopt;
}

// Returns the value of the kernel's argument that a register holds, if one load gives it to the
// register.
std::optional<std::uint64_t> ArgumentIn(const Launch& launch, const ptx::Function& function,
                                        const ptx::Operand& number) {
  if (!number.NamesRegister()) return std::nullopt;
  const ptx::Instruction* load = nullptr;
  for (const ptx::Instruction& one : function.body) {
    const bool writes = one.destinations == 1 && !one.operands.empty() &&
                        one.operands[0].NamesRegister() && one.operands[0].reg == number.reg;
    if (!writes) continue;
    if (load != nullptr) return std::nullopt;
    load = &one;
  }
  if (load == nullptr || load->opcode != ptx::Opcode::kLd || load->operands.size() < 2 ||
      load->operands[1].base != ptx::AddressBase::kSymbol) {
    return std::nullopt;
  }
  const ptx::Symbol& symbol = launch.kernel->module->symbols[load->operands[1].symbol];
  const std::uint64_t at =
      symbol.param_offset + static_cast<std::uint64_t>(load->operands[1].offset);
  std::uint32_t value = 0;
  const std::vector<std::byte>& arguments = launch.request->parameters;
  if (at > arguments.size() || arguments.size() - at < sizeof value) return std::nullopt;
  std::memcpy(&value, arguments.data() + at, sizeof value);
  return value;
}

// Returns whether the number counts the elements of the array, or those of one of its dimensions.
bool IsExtent(const Allocation& array, std::uint32_t element, std::uint64_t number) {
  const std::uint64_t bytes = array.element_bytes != 0 ? array.element_bytes : element;
  return number == array.bytes / bytes || std::ranges::count(array.extents, number) != 0;
}

std::string NamesOf(Sources places) {
  std::string names;
  const auto add = [&](Sources place, const char* name) {
    if ((places & place) == 0) return;
    names += (names.empty() ? "" : " and ") + std::string(name);
  };
  add(kThreadX, "threadIdx.x");
  add(kThreadY, "threadIdx.y");
  add(kThreadZ, "threadIdx.z");
  return names;
}

}  // namespace

std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction,
                      const Allocation& array, std::uint32_t bytes) {
  const ptx::Function& function = *program.function;
  if (function.body.size() > kMostGuarded) return {};
  const IndexSources registers(function);
  if (!registers.known()) return {};
  const Sources address = AddressSources(registers, function.body[instruction]);
  if ((address & kBlock) == 0 || (address & kElse) != 0) return {};
  Preparation budget;
  std::vector<std::uint32_t> guards;
  // A loop tests its condition once before its first round too, by a branch of its own.
  std::set<int> lines_of_loops;
  for (const ptx::Decision& decision : ptx::DecisionsBefore(function, instruction, budget)) {
    if (decision.of_loop) {
      lines_of_loops.insert(PlaceOf(launch, program, decision.branch).line);
    } else {
      guards.push_back(decision.branch);
    }
  }
  guards.push_back(instruction);
  Sources places = 0;
  int line = 0;
  for (const std::uint32_t guard : guards) {
    if (!function.body[guard].guard) continue;
    for (const std::uint32_t i :
         ptx::ComparisonsOf(function, function.body[guard].guard->predicate)) {
      const auto comparison = ComparisonIn(registers, function.body[i]);
      const int at = PlaceOf(launch, program, i).line;
      if (!comparison || lines_of_loops.contains(at) || (line != 0 && at != line)) continue;
      const auto number = ArgumentIn(launch, function, *comparison->number);
      if (!number || !IsExtent(array, bytes, *number)) continue;
      line = at;
      places |= comparison->place;
    }
  }
  if (places == 0) return {};
  return fmt::format(
      "the guard in line {} compares {}, which starts at 0 in every block: compare the index in "
      "the grid, blockIdx.x * blockDim.x + threadIdx.x, which the access uses",
      line, NamesOf(places));
}

std::vector<int> GuardLines(const Launch& launch, const Program& program,
                            std::uint32_t instruction) {
  const ptx::Function& function = *program.function;
  if (function.body.size() > kMostGuarded) return {};
  const IndexSources registers(function);
  if (!registers.known()) return {};
  Preparation budget;
  std::vector<std::uint32_t> guards = {instruction};
  for (const ptx::Decision& decision : ptx::DecisionsBefore(function, instruction, budget)) {
    guards.push_back(decision.branch);
  }
  std::set<int> lines;
  for (const std::uint32_t guard : guards) {
    if (!function.body[guard].guard) continue;
    for (const std::uint32_t i :
         ptx::ComparisonsOf(function, function.body[guard].guard->predicate)) {
      const auto& operands = function.body[i].operands;
      const bool of_thread = std::ranges::any_of(operands, [&](const ptx::Operand& operand) {
        const Sources sources = registers.Of(operand);
        return (sources & (kThread | kBlock)) != 0 && (sources & kFromMemory) == 0;
      });
      const int line = of_thread ? PlaceOf(launch, program, i).line : 0;
      if (line != 0) lines.insert(line);
    }
  }
  return {lines.begin(), lines.end()};
}

}  // namespace warpcheck::emulator
