#include "trial/recount.h"

#include <gmock/gmock.h>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Returns a launch as a device logs it that counts only totals.
LaunchRecord Total(const std::string& kernel, std::uint64_t sectors) {
  LaunchRecord launch = LaunchOf(kernel);
  launch.counters.Set(Counter::kGlobalSectors, sectors);
  return launch;
}

// Returns counters with a different line for each launch, and remembers which launches were asked
// for.
class Counting {
 public:
  explicit Counting(const std::vector<LaunchRecord>& launches) : launches_(launches) {}

  std::vector<LaunchRecord> Run() {
    return Recounted(launches_, [this](std::size_t launch) { return One(launch); });
  }
  Result<LaunchRecord> One(std::size_t launch) {
    asked.push_back(launch);
    if (!error.message.empty()) return Fail(error);
    LaunchRecord record = launches_[launch];
    if (by_line) record.lines.push_back({{"k.cu", static_cast<int>(launch), 0}, record.counters});
    record.not_measured = not_measured;
    if (!other_kernel.empty()) record.kernel = other_kernel;
    return record;
  }

  std::vector<std::size_t> asked;
  Error error;
  std::string not_measured;
  bool by_line = true;
  std::string other_kernel;

 private:
  std::vector<LaunchRecord> launches_;
};

TEST(Recount, CountsLaunchesOfEqualTotalsOnce) {
  Counting counting({Total("a", 8), Total("b", 8), Total("a", 8), Total("a", 9)});
  const auto counted = counting.Run();
  EXPECT_THAT(counting.asked, ElementsAre(0, 1, 3));
  ASSERT_THAT(counted, SizeIs(4));
  EXPECT_EQ(counted[2].lines, counted[0].lines);
  EXPECT_NE(counted[3].lines, counted[0].lines);
}

TEST(Recount, TellsConfigurationsApart) {
  std::vector<LaunchRecord> launches(4, Total("a", 8));
  launches[1].grid.x = 2;
  launches[2].block.y = 2;
  launches[3].shared_bytes = 64;
  Counting counting(launches);
  counting.Run();
  EXPECT_THAT(counting.asked, ElementsAre(0, 1, 2, 3));
}

TEST(Recount, CountsEachWhereTotalsAreNotKnown) {
  Counting counting({LaunchOf("a"), LaunchOf("a")});
  counting.Run();
  EXPECT_THAT(counting.asked, ElementsAre(0, 1));
}

TEST(Recount, LeavesLaunchesThatFailed) {
  std::vector<LaunchRecord> launches = {Total("a", 8)};
  launches[0].error = DeviceError::kInvalidConfiguration;
  Counting counting(launches);
  EXPECT_EQ(counting.Run(), launches);
  EXPECT_THAT(counting.asked, IsEmpty());
}

TEST(Recount, StopsAfterSixteen) {
  std::vector<LaunchRecord> launches;
  for (std::uint64_t i = 0; i < 18; ++i) launches.push_back(Total("a", i));
  launches.push_back(Total("a", 0));
  Counting counting(launches);
  const auto counted = counting.Run();
  EXPECT_THAT(counting.asked, SizeIs(16));
  EXPECT_EQ(counted[15].not_measured, "");
  EXPECT_EQ(counted[16].not_measured,
            "only the first 16 different launches of a call are measured");
  EXPECT_THAT(counted[16].lines, IsEmpty());
  EXPECT_EQ(counted[18].lines, counted[0].lines);
}

TEST(Recount, TriesNoMoreAfterAFailure) {
  Counting counting({Total("a", 8), Total("b", 8)});
  counting.error.message = "no GPU";
  counting.error.hint = "buy one";
  const auto counted = counting.Run();
  EXPECT_THAT(counting.asked, ElementsAre(0));
  EXPECT_EQ(counted[0].not_measured, "no GPU; buy one");
  EXPECT_EQ(counted[1].not_measured, "no GPU; buy one");
}

TEST(Recount, KeepsWhyNothingWasMeasured) {
  Counting counting({Total("a", 8), Total("b", 8)});
  counting.not_measured = "counters are not allowed";
  counting.by_line = false;
  EXPECT_EQ(counting.Run()[1].not_measured, "counters are not allowed");
  EXPECT_THAT(counting.asked, ElementsAre(0));
}

// If a GPU does not give some counters, the other counters are used.
TEST(Recount, KeepsWhatWasMeasuredBesideWhatWasNot) {
  Counting counting({Total("a", 8), Total("b", 8)});
  counting.not_measured = "CUPTI does not tell the bytes of copies";
  const auto counted = counting.Run();
  EXPECT_THAT(counting.asked, ElementsAre(0, 1));
  EXPECT_THAT(counted[1].lines, SizeIs(1));
  EXPECT_EQ(counted[1].not_measured, "CUPTI does not tell the bytes of copies");
}

TEST(Recount, BelievesNoOtherLaunch) {
  Counting counting({Total("a", 8)});
  counting.other_kernel = "b";
  const auto counted = counting.Run();
  EXPECT_THAT(counted[0].lines, IsEmpty());
  EXPECT_EQ(counted[0].not_measured,
            "the call launches other kernels when it is made a second time");
}

}  // namespace
}  // namespace warpcheck
