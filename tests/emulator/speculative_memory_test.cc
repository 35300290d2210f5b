#include "emulator/memory/speculative_memory.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "emulator/access/memory_access.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kPartBytes = 10'000;

class SpeculativeMemoryTest : public testing::Test {
 protected:
  SpeculativeMemoryTest() : begin_(memory_.Allocate(kPartBytes, 0, false).value()) {
    for (std::uint64_t i = 0; i < kPartBytes; ++i) Main(i) = static_cast<std::byte>(i % 251);
    for (SpeculativeMemory& part : parts_) part.Begin(memory_, true);
  }

  std::byte& Main(std::uint64_t at) { return memory_.Host(begin_, kPartBytes)[at]; }

  // Makes an access of one lane, and returns the place of its bytes.
  std::byte* Access(int part, MemoryInfo::Kind kind, std::uint64_t at, std::uint32_t bytes) {
    MemoryInfo info;
    info.kind = kind;
    info.bytes = bytes;
    std::array<std::uint64_t, kLanes> addresses = {};
    addresses[3] = begin_ + at;
    SpeculativeView& view = parts_[static_cast<std::size_t>(part)].ViewOf(begin_);
    return HostInPart(view, addresses.data(), begin_, LaneMask{1} << 3, info) + at;
  }
  std::byte* Load(int part, std::uint64_t at, std::uint32_t bytes) {
    return Access(part, MemoryInfo::Kind::kLoad, at, bytes);
  }
  void Store(int part, std::uint64_t at, std::uint32_t bytes, int value) {
    std::memset(Access(part, MemoryInfo::Kind::kStore, at, bytes), value, bytes);
  }

  bool Meet() const {
    const std::array<const SpeculativeMemory*, 2> both{&parts_[0], &parts_[1]};
    return SpeculativeMemory::Meet(both);
  }

  DeviceMemory memory_{std::uint64_t{1} << 20, true};
  DeviceAddress begin_;
  std::array<SpeculativeMemory, 2> parts_;
};

TEST_F(SpeculativeMemoryTest, ReadsTheMemoryItselfUntilItWrites) {
  EXPECT_EQ(Load(0, 100, 4), &Main(100));
  Store(0, 100, 4, 9);
  EXPECT_NE(Load(0, 100, 4), &Main(100));
  EXPECT_EQ(*Load(0, 100, 4), std::byte{9});
  EXPECT_EQ(Main(100), std::byte{100});
  EXPECT_EQ(Load(1, 100, 4), &Main(100));
}

// Bytes 60 to 68 are in a line that was written and one that was not.
TEST_F(SpeculativeMemoryTest, ReadsWhatItWroteTogetherWithWhatItDidNot) {
  Store(0, 60, 2, 9);
  const std::byte* read = Load(0, 60, 8);
  EXPECT_EQ(read[0], std::byte{9});
  EXPECT_EQ(read[2], std::byte{62});
  EXPECT_EQ(read[4], std::byte{64});
  EXPECT_EQ(*Load(0, 59, 1), std::byte{59});
}

// The rest of a line is copied when it is needed, and overwrites nothing.
TEST_F(SpeculativeMemoryTest, WritesOnAfterReading) {
  Store(0, 130, 1, 9);
  EXPECT_EQ(*Load(0, 131, 1), std::byte{131});
  Store(0, 131, 1, 8);
  EXPECT_EQ(Load(0, 128, 4)[2], std::byte{9});
  EXPECT_EQ(Load(0, 128, 4)[3], std::byte{8});
}

// A range over three pages marks every byte of the middle one.
TEST_F(SpeculativeMemoryTest, MarksStretchesOverPages) {
  Store(0, 4'000, 5'000, 9);
  Load(1, 3'999, 1);
  Load(1, 9'000, 1);
  EXPECT_FALSE(Meet());
  for (const std::uint64_t at : {4'000U, 4'096U, 6'000U, 8'191U, 8'192U, 8'999U}) {
    parts_[1].Begin(memory_, true);
    Load(1, at, 1);
    EXPECT_TRUE(Meet()) << at;
  }
  parts_[0].Merge();
  EXPECT_EQ(Main(3'999), static_cast<std::byte>(3'999 % 251));
  EXPECT_EQ(Main(4'000), std::byte{9});
  EXPECT_EQ(Main(8'999), std::byte{9});
  EXPECT_EQ(Main(9'000), static_cast<std::byte>(9'000 % 251));
}

TEST_F(SpeculativeMemoryTest, MergesTheBytesThatWereWrittenAndNoOthers) {
  Store(0, 4090, 4, 9);
  Store(1, 4094, 1, 8);
  Main(4089) = std::byte{77};  // another thread could just have merged this byte
  for (const SpeculativeMemory& part : parts_) part.Merge();
  EXPECT_EQ(Main(4089), std::byte{77});
  for (const std::uint64_t at : {4090U, 4093U}) EXPECT_EQ(Main(at), std::byte{9});
  EXPECT_EQ(Main(4094), std::byte{8});
  EXPECT_EQ(Main(4095), static_cast<std::byte>(4095 % 251));
}

TEST_F(SpeculativeMemoryTest, MergesWhichBytesAreWritten) {
  std::uint8_t* const written = DeviceMemory::WrittenBehind(&Main(0), kPartBytes);
  std::byte* const to = Access(0, MemoryInfo::Kind::kStore, 200, 4);
  // Checkers do the same.
  std::memset(DeviceMemory::WrittenBehind(to - 200, kPartBytes) + 200, 0xFF, 4);
  EXPECT_EQ(written[200], 0);
  parts_[0].Merge();
  EXPECT_EQ(written[200], 0xFF);
  EXPECT_EQ(written[203], 0xFF);
  EXPECT_EQ(written[199], 0);
  EXPECT_EQ(written[204], 0);
}

TEST_F(SpeculativeMemoryTest, MeetsWhereOneTouchesWhatAnotherWrote) {
  Load(0, 500, 4);
  Load(1, 500, 4);
  EXPECT_FALSE(Meet());
  Store(0, 600, 4, 9);
  Load(1, 604, 4);
  EXPECT_FALSE(Meet());
  Load(1, 603, 1);
  EXPECT_TRUE(Meet());
}

TEST_F(SpeculativeMemoryTest, MeetsWhereBothWrite) {
  Store(0, 9'000, 4, 9);
  Store(1, 9'004, 4, 9);
  EXPECT_FALSE(Meet());
  Store(1, 9'003, 1, 9);
  EXPECT_TRUE(Meet());
}

// Reads are not marked by byte here.
TEST_F(SpeculativeMemoryTest, MixesReadsAndWritesOfAnAllocation) {
  const auto use = [&](std::size_t part, bool reads) {
    return parts_[part].ViewOf(begin_).NoteUse(reads);
  };
  const std::array<const SpeculativeMemory*, 2> both{&parts_[0], &parts_[1]};
  const auto begin = [&] {
    for (SpeculativeMemory& part : parts_) part.Begin(memory_, false);
  };
  begin();
  EXPECT_TRUE(use(0, true) && use(0, true) && use(1, true));
  EXPECT_FALSE(SpeculativeMemory::Mix(both));
  begin();
  EXPECT_TRUE(use(0, false) && use(1, false));
  EXPECT_FALSE(SpeculativeMemory::Mix(both));
  EXPECT_FALSE(use(1, true));
  EXPECT_TRUE(SpeculativeMemory::Mix(both));
  begin();
  EXPECT_TRUE(use(0, true) && use(1, false));
  EXPECT_TRUE(SpeculativeMemory::Mix(both));
}

TEST_F(SpeculativeMemoryTest, ForgetsTheLaunchBefore) {
  Store(0, 40, 4, 9);
  Store(1, 40, 4, 9);
  for (SpeculativeMemory& part : parts_) part.Begin(memory_, true);
  EXPECT_FALSE(Meet());
  EXPECT_EQ(Load(0, 40, 4), &Main(40));
  for (const SpeculativeMemory& part : parts_) part.Merge();
  EXPECT_EQ(Main(40), std::byte{40});
}

TEST_F(SpeculativeMemoryTest, ForgetsAnAllocationThatIsGone) {
  const DeviceAddress at = 0x10000;
  ASSERT_TRUE(memory_.Allocate(64, at, false).has_value());
  parts_[0].ViewOf(at);
  ASSERT_EQ(memory_.Free(at), DeviceError::kSuccess);
  ASSERT_TRUE(memory_.Allocate(8'000, at, false).has_value());
  parts_[0].Begin(memory_, true);
  EXPECT_TRUE(parts_[0].ViewOf(at).Shows(*memory_.Find(at, 1)));
}

}  // namespace
}  // namespace warpcheck::emulator
