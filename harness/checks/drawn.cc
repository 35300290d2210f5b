#include "checks/drawn.h"

namespace warpcheck {
namespace {

std::uint64_t& Seed() {
  static std::uint64_t seed = 0;
  return seed;
}

}  // namespace

void DrawParametersBy(std::uint64_t seed) { Seed() = seed; }

Random DrawingFor(std::string_view label) { return {Seed(), label}; }

}  // namespace warpcheck
