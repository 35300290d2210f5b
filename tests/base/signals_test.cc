#include "base/signals.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(SignalText, IsASentenceWithinOne) {
  EXPECT_EQ(SignalText(11), "signal 11 (segmentation fault)");
  EXPECT_EQ(SignalText(24), "signal 24 (CPU time limit exceeded)");
  EXPECT_EQ(SignalText(9), "signal 9 (killed)");
  EXPECT_EQ(SignalText(1000), "signal 1000");
}

}  // namespace
}  // namespace warpcheck
