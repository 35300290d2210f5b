#include "checks/compare.h"

#include <algorithm>

namespace warpcheck {

double UnitOf(std::span<const float> numbers) {
  constexpr int kDigits = std::numeric_limits<float>::digits;
  int least = std::numeric_limits<int>::max();
  for (const float number : numbers) {
    if (number == 0 || !std::isfinite(number)) continue;
    int exponent = 0;
    const float fraction = std::frexp(std::abs(number), &exponent);
    const auto digits = static_cast<std::uint32_t>(std::ldexp(fraction, kDigits));
    least = std::min(least, exponent - kDigits + std::countr_zero(digits));
  }
  return least == std::numeric_limits<int>::max() ? std::numeric_limits<double>::infinity()
                                                  : std::ldexp(1.0, least);
}

}  // namespace warpcheck
