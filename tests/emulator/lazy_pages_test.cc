// Tests that large memory of a device takes room only where it is written.
#include "emulator/memory/lazy_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// Returns how many bytes of this process are in memory.
std::uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

TEST(LazyPages, AreOnesThenZeros) {
  const std::uint64_t bytes = 40 * kMebibyte;
  std::byte* const start = MapLazily(bytes, 36 * kMebibyte);
  ASSERT_NE(start, nullptr);
  for (const std::uint64_t at : {std::uint64_t{0}, 16 * kMebibyte, 36 * kMebibyte - 1}) {
    EXPECT_EQ(start[at], std::byte{0xFF}) << at;
  }
  EXPECT_EQ(start[36 * kMebibyte], std::byte{0});
  start[5] = std::byte{1};  // of this mapping alone
  EXPECT_EQ(start[16 * kMebibyte + 5], std::byte{0xFF});
  FillLazily(start, 16 * kMebibyte);
  EXPECT_EQ(start[5], std::byte{0xFF});
  ::munmap(start, bytes);
}

TEST(LazyPages, AnAllocationTakesRoomOnlyWhereItIsWritten) {
  constexpr std::uint64_t kGibibyte = 1'024 * kMebibyte;
  DeviceMemory memory(4 * kGibibyte, true);
  const std::uint64_t before = ResidentBytes();
  const DeviceAddress unwritten = memory.Allocate(kGibibyte, 0, false).value();
  const DeviceAddress zeros = memory.Allocate(kGibibyte, 0, true).value();
  EXPECT_LT(ResidentBytes() - before, 100 * kMebibyte);
  const auto mark = [&](DeviceAddress at) {
    const Allocation* const found = memory.Find(at, 1);
    return DeviceMemory::WrittenBehind(found->host, found->bytes)[at - found->begin];
  };
  for (const std::uint64_t at : {std::uint64_t{0}, kGibibyte / 2, kGibibyte - 1}) {
    EXPECT_EQ(*memory.Host(unwritten + at, 1), std::byte{0xFF});
    EXPECT_NE(mark(unwritten + at), kWritten);
    EXPECT_EQ(*memory.Host(zeros + at, 1), std::byte{0});
    EXPECT_EQ(mark(zeros + at), kWritten);
  }
  memory.MarkWritten(unwritten, kGibibyte);
  EXPECT_EQ(mark(unwritten + kGibibyte - 1), kWritten);
  EXPECT_LT(ResidentBytes() - before, 100 * kMebibyte);
}

}  // namespace
}  // namespace warpcheck::emulator
