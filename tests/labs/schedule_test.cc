#include "lab/run/schedule.h"

#include <gmock/gmock.h>

namespace warpcheck::lab {
namespace {

// Returns the end of each task.
std::vector<double> Ends(const std::vector<Task>& tasks) {
  std::vector<double> ends;
  for (const Span& span : Schedule(tasks)) ends.push_back(span.end);
  return ends;
}

using testing::ElementsAre;
constexpr Engine kIn = Engine::kCopyIn, kRun = Engine::kKernel, kOut = Engine::kCopyOut;

TEST(Schedule, KeepsTheOrderOfAStream) {
  EXPECT_THAT(Ends({{0, kIn, 2}, {0, kRun, 3}, {0, kOut, 1}}), ElementsAre(2, 5, 6));
}

TEST(Schedule, LetsEnginesOverlap) {
  EXPECT_THAT(Ends({{0, kIn, 1}, {0, kRun, 1}, {1, kIn, 1}, {1, kRun, 1}}),
              ElementsAre(1, 2, 2, 3));
}

TEST(Schedule, RunsOneTaskOfAnEngineAfterAnother) {
  EXPECT_THAT(Ends({{0, kRun, 1}, {1, kRun, 2}}), ElementsAre(1, 3));
}

TEST(Schedule, WaitsWithTheHost) {
  EXPECT_THAT(Ends({{0, kIn, 2, true}, {1, kRun, 1}, {0, kOut, 1}}), ElementsAre(2, 3, 3));
}

TEST(Schedule, HasNothingToDo) { EXPECT_THAT(Ends({}), ElementsAre()); }

}  // namespace
}  // namespace warpcheck::lab
