#include "batch/course/lateness.h"

#include <gtest/gtest.h>

namespace warpcheck::batch {
namespace {

constexpr std::int64_t kDeadline = 1'795'651'140;  // 2026-11-25T23:59:00Z

ClassRules Rules() {
  ClassRules rules;
  rules.due = kDeadline;
  return rules;
}

TEST(Lateness, CountsSecondsFromTheStudentsDeadline) {
  EXPECT_EQ(SecondsLate("2026-11-25T23:59:00", nullptr, Rules()), 0);
  EXPECT_EQ(SecondsLate("2026-11-26T00:00:00", nullptr, Rules()), 60);
  EXPECT_EQ(SecondsLate("2026-11-25T22:59:00", nullptr, Rules()), -3'600);
  Listed listed;
  listed.extension = 3'600;
  EXPECT_EQ(SecondsLate("2026-11-26T00:00:00", &listed, Rules()), 60 - 3'600);
}

// A time that is not understood to its last character might be one of another zone.
TEST(Lateness, TakesNoOtherText) {
  for (const char* const text :
       {"", "2026-11-26", "2026-11-26T00:00:00Z", "2026-11-26T00:00:00+02:00",
        "2026-99-26T00:00:00", "2026-02-30T00:00:00", "2026-11-26T24:00:00", "2026-11-26T00:60:00",
        "2026-11-26 00:00:00", "+026-11-26T00:00:00", "2026-11-26T00:00:00 "}) {
    EXPECT_EQ(SecondsLate(text, nullptr, Rules()), std::nullopt) << text;
    EXPECT_TRUE(IsLate(text, true, nullptr, Rules())) << text;
    EXPECT_FALSE(IsLate(text, false, nullptr, Rules())) << text;
  }
}

}  // namespace
}  // namespace warpcheck::batch
