// Tests which memory may hold bytes of an array.
#include "provenance/byte_moves.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

constexpr DeviceAddress kImage = 0x1000;
constexpr DeviceAddress kWeights = 0x2000;
constexpr DeviceAddress kResult = 0x3000;
constexpr DeviceAddress kOfTheProgram = 0x4000;
constexpr DeviceAddress kFurtherMemory = 0x5000;

// Returns a launch that loads from some allocations and stores to others.
LaunchRecord LaunchThat(const std::vector<DeviceAddress>& loads,
                        const std::vector<DeviceAddress>& stores) {
  LaunchRecord launch;
  launch.arrays.emplace();
  const auto add = [&](DeviceAddress begin, Counter counter) {
    LineCounters line;
    line.counters.Set(counter, 4);
    launch.arrays->push_back({.begin = begin, .lines = {line}});
  };
  for (const DeviceAddress begin : loads) add(begin, Counter::kGlobalLoadSectors);
  for (const DeviceAddress begin : stores) add(begin, Counter::kGlobalStoreSectors);
  return launch;
}

ByteMoves MovesOf(std::uint64_t launches) {
  ByteMoves moves;
  for (std::uint64_t i = 0; i < launches; ++i) moves.AddLaunch();
  return moves;
}

TEST(Holders, AreTheArrayAndWhatAKernelStoresOfIt) {
  const std::vector launches = {LaunchThat({kImage}, {kOfTheProgram}),
                                LaunchThat({kOfTheProgram}, {kResult}), LaunchThat({kResult}, {})};
  const Holders of_in({kImage}, {kWeights, kResult}, MovesOf(3), launches);
  EXPECT_TRUE(of_in.MayHold(0, kImage));
  EXPECT_TRUE(of_in.MayHold(1, kOfTheProgram));
  EXPECT_TRUE(of_in.MayHold(2, kResult));
  EXPECT_FALSE(of_in.MayHold(2, kWeights));
  const Holders of_mask({kWeights}, {kImage, kResult}, MovesOf(3), launches);
  EXPECT_FALSE(of_mask.MayHold(1, kOfTheProgram));
  EXPECT_FALSE(of_mask.MayHold(2, kResult));
}

TEST(Holders, FollowCopiesInTheirOrder) {
  ByteMoves moves;
  moves.Add(kOfTheProgram, kFurtherMemory);  // before kOfTheProgram has bytes of the array
  moves.AddLaunch();
  moves.Add(kImage, kOfTheProgram);
  moves.AddLaunch();
  const std::vector launches = {LaunchThat({}, {kResult}), LaunchThat({kOfTheProgram}, {kResult})};
  const Holders holders({kImage}, {kResult}, moves, launches);
  EXPECT_FALSE(holders.MayHold(1, kFurtherMemory));
  EXPECT_FALSE(holders.MayHold(0, kResult));
  EXPECT_TRUE(holders.MayHold(1, kOfTheProgram));
  EXPECT_TRUE(holders.MayHold(1, kResult));
}

// The host gives kernels what it has read as a parameter, or writes it.
TEST(Holders, FollowTheHost) {
  ByteMoves moves;
  moves.Add(kWeights, ByteMoves::kHost);
  moves.AddLaunch();
  const std::vector launches = {LaunchThat({}, {kOfTheProgram})};
  EXPECT_TRUE(Holders({kWeights}, {kImage}, moves, launches).MayHold(0, kOfTheProgram));
  EXPECT_FALSE(Holders({kImage}, {kWeights}, moves, launches).MayHold(0, kOfTheProgram));
}

TEST(Holders, FollowConstantMemory) {
  ByteMoves moves;
  moves.Add(kWeights, ByteMoves::kConstants);
  moves.AddLaunch();
  std::vector launches = {LaunchThat({kImage}, {kOfTheProgram})};
  EXPECT_FALSE(Holders({kWeights}, {kImage}, moves, launches).MayHold(0, kOfTheProgram));
  launches[0].counters.Set(Counter::kConstantRequests, 1);
  EXPECT_TRUE(Holders({kWeights}, {kImage}, moves, launches).MayHold(0, kOfTheProgram));
}

// Nobody knows what memory holds that nothing has written in this call.
TEST(Holders, MayBeAnyMemoryOfUnknownContent) {
  const std::vector launches = {LaunchThat({kOfTheProgram}, {kResult})};
  const Holders holders({kImage}, {kWeights, kResult}, MovesOf(1), launches);
  EXPECT_TRUE(holders.MayHold(0, kOfTheProgram));
  EXPECT_TRUE(holders.MayHold(0, ByteMoves::kUnknown));
  EXPECT_FALSE(holders.MayHold(0, kResult));
}

// A record of several launches does not tell when each of them ran.
TEST(Holders, FollowLaunchesWithoutOrderInAnyOrder) {
  std::vector launches = {LaunchThat({kOfTheProgram}, {kResult}),
                          LaunchThat({kImage}, {kOfTheProgram})};
  EXPECT_FALSE(Holders({kImage}, {kResult}, MovesOf(2), launches).MayHold(1, kResult));
  launches[0].launches = 2;
  EXPECT_TRUE(Holders({kImage}, {kResult}, MovesOf(3), launches).MayHold(1, kResult));
}

}  // namespace
}  // namespace warpcheck
