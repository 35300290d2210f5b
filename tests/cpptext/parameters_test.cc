#include "cpptext/parameters.h"

#include <gmock/gmock.h>

namespace warpcheck::cpptext {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kHeader = R"(// void step(float* wrong, int comment);
#pragma once
/* step(a, b) */
void step(float* next, const float* curr, int gx /* a row */,
          float xcfl = 0.5F);
void other_step(int* out, int n);
void step(double next[4], int);
)";

TEST(ParameterNames, AreThoseOfTheDeclaration) {
  EXPECT_THAT(ParameterNames(kHeader, "step", 4), ElementsAre("next", "curr", "gx", "xcfl"));
  EXPECT_THAT(ParameterNames(kHeader, "other_step", 2), ElementsAre("out", "n"));
}

TEST(ParameterNames, AreEmptyWhereAParameterHasNone) {
  EXPECT_THAT(ParameterNames(kHeader, "step", 2), ElementsAre("next", ""));
}

TEST(ParameterNames, AreNoneWhereNothingIsDeclared) {
  EXPECT_THAT(ParameterNames(kHeader, "transpose", 4), IsEmpty());
  EXPECT_THAT(ParameterNames(kHeader, "step", 3), IsEmpty());
  EXPECT_THAT(ParameterNames("void step(int n", "step", 1), IsEmpty());
  EXPECT_THAT(ParameterNames("", "step", 1), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::cpptext
