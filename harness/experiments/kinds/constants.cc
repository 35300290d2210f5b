// Proposes constants that are one larger or one smaller, and twice or half as large.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include "base/record.h"
#include "experiments/site.h"

namespace warpcheck::experiments {
namespace {

using ptx::Opcode;

bool IsInteger(ptx::Type type) {
  return IsOneOf(type, ptx::Type::kU32, ptx::Type::kS32, ptx::Type::kB32, ptx::Type::kU64,
                 ptx::Type::kS64, ptx::Type::kB64, ptx::Type::kU16, ptx::Type::kS16);
}

std::int64_t ValueOf(std::uint64_t bits, std::uint32_t bytes) {
  const int unused = 64 - 8 * static_cast<int>(bytes);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::uint64_t BitsOf(std::int64_t value, std::uint32_t bytes) {
  const int unused = 64 - 8 * static_cast<int>(bytes);
  return static_cast<std::uint64_t>(value) << unused >> unused;
}

// Proposes an address that is one element further on, or one less far.
void ProposeOffsets(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  const bool loads = one.opcode == Opcode::kLd;
  if (!loads && one.opcode != Opcode::kSt) return;
  if (one.modifiers.space == ptx::Space::kParam) return;
  const std::size_t address = loads ? 1 : 0;
  const std::int64_t element = ptx::Bytes(one.modifiers.type) * one.modifiers.vector;
  for (const int step : {1, -1}) {
    ptx::Instruction instead = one;
    instead.operands[address].offset += step * element;
    propose(step > 0 ? "an index that is larger by 1" : "an index that is smaller by 1",
            std::move(instead));
  }
}

// Returns what stands beside `value` in many programs: its double and half, the powers of two
// around it, and nothing.
std::vector<std::int64_t> Likely(std::int64_t value) {
  if (value <= 1 || value > (1 << 20)) return {};
  std::set<std::int64_t> likely = {2 * value, value / 2, 0};
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
  likely.insert({below, 2 * below});
  for (const std::int64_t known : {value - 1, value, value + 1}) likely.erase(known);
  return {likely.rbegin(), likely.rend()};
}

}  // namespace

void ProposeConstants(const Site& site, const Propose& propose) {
  ProposeOffsets(site, propose);
  const ptx::Instruction& one = site.instruction();
  if (!IsInteger(one.modifiers.type) || one.opcode == Opcode::kCvt) return;
  if (one.opcode != Opcode::kSetp && site.IsOfAnAddress()) return;
  const std::uint32_t bytes = ptx::Bytes(one.modifiers.type);
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    if (one.operands[i].kind != ptx::OperandKind::kImmediate) continue;
    const std::int64_t value = ValueOf(one.operands[i].bits, bytes);
    const auto add = [&](std::int64_t other) {
      if (other == 0 && IsOneOf(one.opcode, Opcode::kDiv, Opcode::kRem)) return;
      ptx::Instruction instead = one;
      instead.operands[i].bits = BitsOf(other, bytes);
      propose(fmt::format("{} in place of {}", other, value), std::move(instead));
    };
    add(value - 1);
    add(value + 1);
    for (const std::int64_t other : Likely(value)) add(other);
  }
}

}  // namespace warpcheck::experiments
