// Proposes other first values of a variable that holds floats, or a count.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "experiments/site.h"

namespace warpcheck::experiments {
namespace {

constexpr float kUnbounded = std::numeric_limits<float>::infinity();
constexpr std::array kFloats = {0.0F, 1.0F, -kUnbounded, kUnbounded, -1.0F, 0.5F, 2.0F, 0.25F};

}  // namespace

void ProposeFirstValues(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  if (!ptx::IsFloat(one.modifiers.type) || ptx::Bytes(one.modifiers.type) < 4) return;
  const bool is_double = one.modifiers.type == ptx::Type::kF64;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    if (one.operands[i].kind != ptx::OperandKind::kImmediate) continue;
    for (const float value : kFloats) {
      const std::uint64_t bits = is_double ? std::bit_cast<std::uint64_t>(double{value})
                                           : std::bit_cast<std::uint32_t>(value);
      if (bits == one.operands[i].bits) continue;
      ptx::Instruction instead = one;
      instead.operands[i].bits = bits;
      propose(fmt::format("{} as this number", value), std::move(instead));
    }
  }
}

}  // namespace warpcheck::experiments
