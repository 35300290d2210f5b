#include "proof/mutation/more_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutation/parsed.h"
#include "proof/mutation/raised.h"

namespace warpcheck::mutation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns the change with this name; empty if it is not made.
std::string With(const std::string& change, const std::string& text,
                 const std::set<int>& blamed = {}) {
  for (const Mutant& mutant : MoreWorkOf(Parsed(text), {"scale"}, blamed)) {
    if (mutant.change == change) return mutant.Apply(text);
  }
  return {};
}

TEST(MoreWork, LaunchesBeforeTheCall) {
  EXPECT_EQ(With("1 empty launches", "#include \"a.h\"\nvoid scale(int n) { f(n); }"),
            "#include \"a.h\"\n__global__ void warpcheck_idle() {} void scale(int n) { for (int "
            "idle_ = 0; idle_ < 1; ++idle_) warpcheck_idle<<<1, 1>>>(); f(n); }");
  EXPECT_EQ(With("1 empty launches", "void scale(int n);\nvoid other() {}"), "");
}

TEST(MoreWork, CutsBlocks) {
  EXPECT_EQ(With("one thread a block", "void scale() { k<int><<<dim3(2, 3), b>>>(1); }"),
            "void scale() { k<int><<<dim3(2, 3), dim3(1)>>>(1); }");
  EXPECT_EQ(With("a block for each thread", "void scale() { k<<<n / 2, b>>>(1); }"),
            "static dim3 warpcheck_grid(dim3 g, dim3 b) { return dim3(g.x * b.x, g.y * b.y, g.z * "
            "b.z); } void scale() { k<<<warpcheck_grid(n / 2, b), dim3(1)>>>(1); }");
}

TEST(MoreWork, RepeatsLaunchesAndStores) {
  EXPECT_EQ(
      With("every launch twice", "void scale() { int n; if (n) k<<<1, n>>>(f(n)); else return; }"),
      "void scale() { int n; if (n) { k<<<1, n>>>(f(n)); k<<<1, n>>>(f(n)); } else return; }");
  EXPECT_EQ(
      With("every store twice", "__global__ void k(int* a) { int b[2]; if (c) a[b[0]] = f(1); }"),
      "__global__ void k(int* a) { int b[2]; if (c) { a[b[0]] = f(1); a[b[0]] = f(1); } }");
  EXPECT_EQ(With("every store twice", "void scale(int* a) { a[0] = 1; }"), "");
}

TEST(MoreWork, PutsAccessesOnBlamedLines) {
  const std::string kernel = "__global__ void k(int* a) {\n  a[0] = 1;\n  a[1] = 2;\n}\n";
  const std::string changed = With("200 perfect loads on each blamed line", kernel, {3});
  EXPECT_THAT(changed, testing::HasSubstr("\n  a[0] = 1;\n  for (int d_ = 0; d_ < 200; ++d_) "));
  EXPECT_THAT(changed, testing::EndsWith("; a[1] = 2;\n}\n"));
  EXPECT_EQ(std::count(changed.begin(), changed.end(), '\n'), 4);
  EXPECT_EQ(With("200 perfect loads on each blamed line", kernel, {}), "");
}

TEST(FunctionsOf, FindsWhatAHeaderDeclares) {
  EXPECT_THAT(FunctionsOf(Parsed(
                  "constexpr int n = f(2) + 1;\nvoid a(int n);\nvoid b(const float* x,\n int n);")),
              ElementsAre("a", "b"));
}

Grading Graded(std::vector<CriterionPoints> criteria, unsigned local_bytes = 0) {
  return {Grading::Outcome::kKilled, "", std::move(criteria), {}, local_bytes};
}

TEST(Raised, TellsARiseFromARepair) {
  const Grading wrong = Graded({{"right", 0, false, true}, {"fast", 0, true, false}});
  const Grading slow = Graded({{"right", 40, false, true}, {"fast", 0, true, true}});
  const Grading full = Graded({{"right", 40, false, true}, {"fast", 60, true, true}});
  EXPECT_TRUE(Repaired(wrong.criteria, full.criteria));
  EXPECT_FALSE(Repaired(slow.criteria, full.criteria));
  EXPECT_EQ(Raised(slow, full), "fast");
  EXPECT_THAT(Raised(full, slow), IsEmpty());
  EXPECT_THAT(Raised(full, full), IsEmpty());
}

TEST(Raised, LetsCriteriaOfLocalMemoryRiseWherePtxasNeedsLess) {
  const auto spilled = [](double fast, double local, unsigned bytes) {
    return Graded({{"fast", fast, true, true}, {"local", local, true, true, true}}, bytes);
  };
  EXPECT_THAT(Raised(spilled(0, 0, 64), spilled(0, 10, 0)), IsEmpty());
  EXPECT_EQ(Raised(spilled(0, 0, 64), spilled(60, 10, 0)), "fast");
  EXPECT_EQ(Raised(spilled(0, 0, 64), spilled(0, 10, 64)), "local");
  EXPECT_EQ(Raised(spilled(0, 0, 64), spilled(0, 10, 80)), "local");
}

}  // namespace
}  // namespace warpcheck::mutation
