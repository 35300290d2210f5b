#include "checks/checks.h"

#include <cmath>

#include "settle.h"

namespace {

using testing::Values;
using warpcheck::CaseNames;
using warpcheck::Described;
using warpcheck::Integers;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::WithinUlps;

const Promised<&settle> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("start", -1, 1), Output("out"), Integers("n", 16, 5000),
     Described("tolerance", "0.01")});

struct Size {
  int n;
};

void PrintTo(const Size& size, std::ostream* out) { *out << size.n; }

class Settle : public warpcheck::AssignmentOver<Size> {
 protected:
  static constexpr float kTolerance = 0.01F;

  Plan Perform() override {
    const auto start = Upload(RandomFloats(GetParam().n));
    return MakePlan<&settle>(start, Unwritten<float>(GetParam().n), GetParam().n, kTolerance);
  }

  static warpcheck::Values<float> Settled(warpcheck::Values<float> numbers) {
    for (float change = 1; change > kTolerance;) {
      const std::vector<float> before = numbers.data;
      change = 0;
      for (std::size_t i = 1; i + 1 < before.size(); ++i) {
        numbers.data[i] = 0.5F * (before[i] + 0.5F * (before[i - 1] + before[i + 1]));
        change = std::max(change, std::fabs(numbers.data[i] - before[i]));
      }
    }
    return numbers;
  }
};

// The loop's end depends on the data, and for the smallest size the host reads more bytes in all
// than the result has.
TEST_P(Settle, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinUlps(0, Settled(CallOnce().Before<float>(0))));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Settle, Values(Size{16}, Size{101}, Size{5'000}), CaseNames());

}  // namespace
