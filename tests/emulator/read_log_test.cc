#include "emulator/checkers/races/shadow/read_log.h"

#include <gmock/gmock.h>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kBegin = 0x7000'0000;

// A read, as the log returns it.
struct Kept {
  AccessId id = 0;
  LaneMask mask = 0;
  std::uint32_t bytes = 0;
  AccessShape shape = AccessShape::kScattered;
  Epoch now = 0;
  LaneAddresses addresses = {};
};

class ReadLogTest : public testing::Test {
 protected:
  bool Add(Epoch now = 1) {
    info_.bytes = bytes_;
    const AccessEvent event{.warp = warp_,
                            .step = step_,
                            .info = info_,
                            .mask = mask_,
                            .shape = shape_,
                            .addresses = addresses_,
                            .extent = {},
                            .pattern = pattern_,
                            .begin = kBegin,
                            .end = end_};
    return log_.Add(event, ++id_, now, [&] {
      RaceWindow window;
      window.now = now;
      return window;
    });
  }
  // Makes lane i access the offset `first` + i * i * 4.
  void Scatter(std::uint64_t first) {
    shape_ = AccessShape::kScattered;
    for (std::size_t i = 0; i < kLanes; ++i) addresses_[i] = kBegin + first + i * i * 4;
  }
  std::vector<Kept> All() const {
    std::vector<Kept> all;
    log_.ForEach(kBegin, [&](const RaceAccess& access) {
      EXPECT_TRUE(access.reads && !access.writes && access.event == nullptr);
      all.push_back({access.id, access.mask, access.bytes, access.shape, access.window.now,
                     *access.addresses});
    });
    return all;
  }

  Warp warp_;
  Step step_;
  MemoryInfo info_;
  std::uint32_t bytes_ = 4;
  LaneMask mask_ = kAllLanes;
  AccessShape shape_ = AccessShape::kScattered;
  LaneAddresses addresses_ = {};
  std::uint32_t pattern_ = 0;
  std::uint64_t end_ = kBegin + 1'000'000;
  AccessId id_ = 0;
  ReadLog log_;
};

TEST_F(ReadLogTest, GivesBackWhatItWasGiven) {
  shape_ = AccessShape::kContiguous;
  bytes_ = 8;
  for (std::size_t i = 0; i < kLanes; ++i) addresses_[i] = kBegin + 80 + 8 * i;
  const LaneAddresses row = addresses_;
  ASSERT_TRUE(Add());
  shape_ = AccessShape::kUniform;
  bytes_ = 1;
  mask_ = 0x6;
  addresses_.fill(kBegin + 5);
  ASSERT_TRUE(Add());
  Scatter(1000);
  bytes_ = 16;
  mask_ = 0x8000'0001;
  ASSERT_TRUE(Add());
  const std::vector<Kept> all = All();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].addresses, row);
  EXPECT_EQ(all[0].bytes, 8U);
  EXPECT_EQ(all[0].shape, AccessShape::kContiguous);
  EXPECT_EQ(all[1].addresses[1], kBegin + 5);
  EXPECT_EQ(all[1].addresses[2], kBegin + 5);
  EXPECT_EQ(all[1].bytes, 1U);
  EXPECT_EQ(all[1].mask, 0x6U);
  EXPECT_EQ(all[1].shape, AccessShape::kUniform);
  EXPECT_EQ(all[2].addresses[0], kBegin + 1000);
  EXPECT_EQ(all[2].addresses[31], kBegin + 1000 + std::uint64_t{31} * 31 * 4);
  EXPECT_EQ(all[2].bytes, 16U);
  EXPECT_EQ(all[2].shape, AccessShape::kScattered);
  EXPECT_THAT((std::vector{all[0].id, all[1].id, all[2].id}), ElementsAre(1, 2, 3));
}

TEST_F(ReadLogTest, KnowsAPatternByItsNumber) {
  pattern_ = 3;
  Scatter(0);
  ASSERT_TRUE(Add());
  Scatter(4096);
  ASSERT_TRUE(Add());
  pattern_ = 3 + 64;  // this is another pattern, which takes the same slot
  addresses_.fill(kBegin);
  addresses_[7] = kBegin + 12;
  ASSERT_TRUE(Add());
  pattern_ = 3;
  Scatter(8192);
  ASSERT_TRUE(Add());
  const std::vector<Kept> all = All();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].addresses[5], kBegin + 4096 + 100);
  EXPECT_EQ(all[2].addresses[7], kBegin + 12);
  EXPECT_EQ(all[3].addresses[5], kBegin + 8192 + 100);
}

TEST_F(ReadLogTest, LanesMayLieBelowTheLowestOne) {
  Scatter(0);
  addresses_[0] = kBegin + 5000;
  ASSERT_TRUE(Add());
  EXPECT_EQ(All().at(0).addresses, addresses_);
}

TEST_F(ReadLogTest, KeepsWhenEachWas) {
  for (const Epoch now : {4, 4, 9, 9, 9, 12}) ASSERT_TRUE(Add(now));
  std::vector<Epoch> epochs;
  for (const Kept& kept : All()) epochs.push_back(kept.now);
  EXPECT_THAT(epochs, ElementsAre(4, 4, 9, 9, 9, 12));
  log_.Clear();
  EXPECT_EQ(log_.size(), 0U);
  ASSERT_TRUE(Add(12));
  EXPECT_EQ(All().at(0).now, 12);
}

TEST_F(ReadLogTest, RefusesWhatDoesNotFit) {
  bytes_ = 12;
  EXPECT_FALSE(Add());
  bytes_ = 4;
  end_ = kBegin + (std::uint64_t{1} << 32);
  EXPECT_FALSE(Add());
  end_ = kBegin + 1000;
  std::size_t kept = 0;
  while (kept < 100'000 && Add()) ++kept;  // each pattern without a number takes a new slot
  EXPECT_EQ(kept, 32'768U);
  EXPECT_EQ(log_.size(), kept);
  log_.Clear();
  EXPECT_TRUE(Add());
}

}  // namespace
}  // namespace warpcheck::emulator
