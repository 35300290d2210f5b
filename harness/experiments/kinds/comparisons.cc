// Proposes other comparisons: first the ones that differ for equal values alone.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "experiments/site.h"

namespace warpcheck::experiments {
namespace {

using ptx::Compare;

// The comparisons of one family, and how C++ writes them.
constexpr std::array kSigns = {"==", "!=", "<", "<=", ">", ">="};
constexpr std::array<std::array<Compare, 6>, 3> kFamilies = {{
    {Compare::kEq, Compare::kNe, Compare::kLt, Compare::kLe, Compare::kGt, Compare::kGe},
    {Compare::kEq, Compare::kNe, Compare::kLo, Compare::kLs, Compare::kHi, Compare::kHs},
    {Compare::kEqu, Compare::kNeu, Compare::kLtu, Compare::kLeu, Compare::kGtu, Compare::kGeu},
}};
// For each comparison, the others, the likeliest first.
constexpr std::array<std::array<int, 5>, 6> kOtherSigns = {{
    {1, 3, 5, 2, 4},
    {0, 2, 4, 3, 5},
    {3, 4, 1, 5, 0},
    {2, 5, 0, 4, 1},
    {5, 2, 1, 3, 0},
    {4, 3, 0, 2, 1},
}};

bool IsOrdered(ptx::Type type) {
  return ptx::IsFloat(type) || ptx::IsSigned(type) || type == ptx::Type::kU32 ||
         type == ptx::Type::kU64 || type == ptx::Type::kU16;
}

}  // namespace

void ProposeComparisons(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  if (one.opcode != ptx::Opcode::kSetp || one.modifiers.bool_op != ptx::BoolOp::kNone) return;
  for (const auto& family : kFamilies) {
    for (std::size_t is = 0; is < family.size(); ++is) {
      if (family[is] != one.modifiers.compare) continue;
      for (const int other : kOtherSigns[is]) {
        if (other > 1 && !IsOrdered(one.modifiers.type)) continue;
        ptx::Instruction instead = one;
        instead.modifiers.compare = family[static_cast<std::size_t>(other)];
        propose(fmt::format("`{}` in place of `{}`", kSigns[static_cast<std::size_t>(other)],
                            kSigns[is]),
                std::move(instead));
      }
      return;
    }
  }
}

}  // namespace warpcheck::experiments
