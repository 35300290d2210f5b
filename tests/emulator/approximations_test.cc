#include "emulator/record/approximations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Approximation At(int line, bool used) {
  return {.instruction = "ex2.approx.f32",
          .where = {.file = "a.cu", .line = line},
          .used = used,
          .use = {}};
}

// Returns the texts and uses that are told of a kernel with this body, launched twice.
std::vector<std::string> Told(const std::string& body) {
  std::vector<std::string> told;
  Options options;
  options.on_approximation = [&](const Approximation& one) {
    told.push_back(one.instruction + (one.used ? " used in " + std::to_string(one.use.line) : ""));
  };
  TestDevice device(std::move(options));
  device.Load(
      ".file 1 \"a.cu\"\n.visible .entry k(.param .u64 p) {\n"
      ".reg .f32 %f<4>; .reg .b64 %a; .reg .pred %p<3>; .reg .b32 %r<3>;\n"
      ".loc 1 1 0\nld.param.u64 %a, [p]; mov.f32 %f0, 0f00000000;\n"
      "mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.u32 %r0, 0;\n" +
      body + "ret;\n}\n");
  const DeviceAddress memory = device.Upload(std::vector<float>(4));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(memory)),
              DeviceError::kSuccess);
  }
  return told;
}

TEST(ApproximationLog, TellsOnceWhereAResultIsUsed) {
  EXPECT_THAT(Told(".loc 1 2 0\nex2.approx.f32 %f1, %f0;\n"
                   ".loc 1 3 0\nadd.f32 %f2, %f1, %f1;\n"
                   ".loc 1 4 0\nst.global.f32 [%a], %f2;\n"
                   ".loc 1 5 0\nst.global.f32 [%a], %f1;\n"),
              ElementsAre("ex2.approx.f32 used in 4"));
}

TEST(ApproximationLog, FollowsALoopBack) {
  EXPECT_THAT(Told("again:\n"
                   ".loc 1 2 0\nst.global.f32 [%a], %f1;\n"
                   ".loc 1 3 0\nmov.f32 %f1, %f2;\n"
                   ".loc 1 4 0\nex2.approx.f32 %f2, %f0;\n"
                   "add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 3; @%p0 bra again;\n"),
              ElementsAre("ex2.approx.f32 used in 2"));
}

TEST(ApproximationLog, FollowsAPredicate) {
  EXPECT_THAT(Told(".loc 1 2 0\nex2.approx.f32 %f1, %f0;\n"
                   ".loc 1 3 0\nsetp.gt.f32 %p0, %f1, 0f00000000;\n"
                   ".loc 1 4 0\n@%p0 st.global.f32 [%a], %f0;\n"),
              ElementsAre("ex2.approx.f32 used in 4"));
}

TEST(ApproximationLog, SaysThatNothingUsesAResult) {
  EXPECT_THAT(Told(".loc 1 2 0\nex2.approx.f32 %f1, %f0;\n"
                   ".loc 1 3 0\nadd.f32 %f2, %f1, %f1;\n"
                   ".loc 1 4 0\nst.global.f32 [%a], %f0;\n"),
              ElementsAre("ex2.approx.f32"));
}

TEST(ApproximationLog, DoesNotTellOfWhatIsNotExecutedOrExact) {
  EXPECT_THAT(Told("setp.ne.u32 %p0, %r0, 0; @!%p0 bra done;\n"
                   "ex2.approx.f32 %f1, %f0;\nst.global.f32 [%a], %f1;\ndone:\n"
                   "fma.rn.f32 %f1, %f0, %f0, %f0;\nst.global.f32 [%a], %f1;\n"),
              IsEmpty());
}

TEST(Approximations, KeepEachOnceInTheirOrder) {
  Approximations all;
  for (const int line : {5, 3, 5}) all.Add(At(line, true));
  EXPECT_THAT(all.Take(), ElementsAre(At(5, true), At(3, true)));
  EXPECT_THAT(all.Take(), IsEmpty());
  all.Add(At(5, true));
  EXPECT_THAT(all.Take(), ElementsAre(At(5, true)));
}

TEST(Approximations, AreLimitedButDoNotLoseThatAResultDepends) {
  Approximations all;
  for (int i = 0; i <= static_cast<int>(Approximations::kMost); ++i) all.Add(At(i, false));
  all.Add(At(9'999, true));
  const auto kept = all.Take();
  EXPECT_EQ(kept.size(), Approximations::kMost);
  EXPECT_EQ(kept.front(), At(9'999, true));
}

}  // namespace
}  // namespace warpcheck::emulator
