// Proposes y or z in place of x: threadIdx.y for threadIdx.x, gridDim for blockDim.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "experiments/site.h"

namespace warpcheck::experiments {
namespace {

using ptx::SpecialRegister;

struct Triple {
  SpecialRegister x;
  std::string_view name;
};
constexpr std::array kTriples = {
    Triple{SpecialRegister::kTidX, "threadIdx"}, Triple{SpecialRegister::kCtaidX, "blockIdx"},
    Triple{SpecialRegister::kNtidX, "blockDim"}, Triple{SpecialRegister::kNctaidX, "gridDim"}};
constexpr std::string_view kAxes = "xyz";

SpecialRegister Axis(SpecialRegister x, std::size_t axis) {
  return static_cast<SpecialRegister>(static_cast<std::size_t>(x) + axis);
}

}  // namespace

void ProposeCoordinates(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    if (one.operands[i].kind != ptx::OperandKind::kSpecial) continue;
    for (std::size_t triple = 0; triple < kTriples.size(); ++triple) {
      for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
        if (one.operands[i].special != Axis(kTriples[triple].x, axis)) continue;
        const auto add = [&](std::size_t other_triple, std::size_t other_axis) {
          if (other_triple == triple && other_axis == axis) return;
          ptx::Instruction instead = one;
          instead.operands[i].special = Axis(kTriples[other_triple].x, other_axis);
          propose(fmt::format("{}.{} in place of {}.{}", kTriples[other_triple].name,
                              kAxes[other_axis], kTriples[triple].name, kAxes[axis]),
                  std::move(instead));
        };
        for (std::size_t other = 0; other < kAxes.size(); ++other) add(triple, other);
        for (std::size_t other = 0; other < kTriples.size(); ++other) add(other, axis);
        return;
      }
    }
  }
}

}  // namespace warpcheck::experiments
