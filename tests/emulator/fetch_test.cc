// Bytes of the host must be fetched before the first use of their allocation, once, and only then.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "emulator/memory/device_memory.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kRoom = std::uint64_t{1} << 30;

class FetchTest : public testing::Test {
 protected:
  DeviceAddress Allocate(DeviceAddress at = 0) { return *memory_.Allocate(100, at, true); }
  // Fetches write the byte 7 to the start of the allocation.
  bool FetchAtUse(DeviceAddress address) {
    return memory_.FetchAtUse(address, [this, address] {
      ++fetched_;
      *memory_.Host(address, 1) = std::byte{7};
    });
  }

  DeviceMemory memory_{kRoom};
  std::atomic<int> fetched_ = 0;
};

TEST_F(FetchTest, ComesBeforeTheFirstUse) {
  const DeviceAddress used = Allocate();
  const DeviceAddress other = Allocate();
  ASSERT_TRUE(FetchAtUse(used));
  ASSERT_TRUE(FetchAtUse(other));
  EXPECT_EQ(fetched_, 0);
  EXPECT_EQ(*memory_.Host(used, 100), std::byte{7});
  EXPECT_NE(memory_.Find(used + 50, 1), nullptr);
  EXPECT_EQ(fetched_, 1);
  memory_.ForgetFetches();
  EXPECT_EQ(*memory_.Host(other, 1), std::byte{0});
  EXPECT_EQ(fetched_, 1);
}

TEST_F(FetchTest, ComesBeforeAMessageAboutTheNearest) {
  const DeviceAddress address = Allocate();
  ASSERT_TRUE(FetchAtUse(address));
  EXPECT_EQ(memory_.Find(address + 100, 1), nullptr);
  EXPECT_EQ(fetched_, 0);
  EXPECT_NE(memory_.Nearest(address + 100), nullptr);
  EXPECT_EQ(fetched_, 1);
}

TEST_F(FetchTest, NeedsALiveAllocation) {
  const DeviceAddress address = Allocate(0x10'0000);
  EXPECT_FALSE(FetchAtUse(address - 1));
  ASSERT_TRUE(FetchAtUse(address));
  EXPECT_EQ(memory_.Free(address), DeviceError::kSuccess);
  EXPECT_FALSE(FetchAtUse(address));
  EXPECT_EQ(Allocate(address), address);
  EXPECT_EQ(*memory_.Host(address, 1), std::byte{0});
  memory_.ForgetFetches();
  EXPECT_EQ(fetched_, 0);
}

TEST_F(FetchTest, ThreadsWaitForIt) {
  for (int round = 0; round < 50; ++round) {
    std::vector<DeviceAddress> addresses(4);
    for (DeviceAddress& address : addresses) ASSERT_TRUE(FetchAtUse(address = Allocate()));
    std::atomic<int> late = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (std::size_t k = 0; k < 4; ++k) {
          late += *memory_.Host(addresses[(i + k) % 4], 1) != std::byte{7} ? 1 : 0;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(late, 0);
    memory_.ForgetFetches();
  }
  EXPECT_EQ(fetched_, 200);
}

TEST(FetchAtUse, ALaunchFetchesWhatItReads) {
  TestDevice device;
  device.Load(R"(
    .visible .entry add(.param .u64 from, .param .u64 to) {
      .reg .b32 %r<2>; .reg .b64 %a<2>;
      ld.param.u64 %a0, [from]; ld.param.u64 %a1, [to];
      ld.global.u32 %r0, [%a0]; add.u32 %r1, %r0, 1; st.global.u32 [%a1], %r1; ret;
    })");
  const DeviceAddress from = device.Upload(std::vector<int>{1});
  const DeviceAddress to = device.Upload(std::vector<int>{0});
  const DeviceAddress other = device.Upload(std::vector<int>{5});
  int fetched = 0;
  const auto fetch = [&](DeviceAddress address) {
    ASSERT_TRUE(device.device->FetchAtUse(address, [&device, &fetched, address] {
      const int value = 40 + ++fetched;
      EXPECT_EQ(device.device->Write(address, std::as_bytes(std::span(&value, 1))),
                DeviceError::kSuccess);
    }));
  };
  const auto launch = [&] {
    return device.Launch("add", kSingle, kSingle, Parameters().Add(from).Add(to));
  };
  for (int round = 1; round <= 2; ++round) {
    fetch(from);
    fetch(other);
    EXPECT_EQ(launch(), DeviceError::kSuccess);
    EXPECT_EQ(fetched, round);
    EXPECT_EQ(device.Download<int>(to, 1)[0], 41 + round);
  }
  EXPECT_EQ(device.Download<int>(other, 1)[0], 5) << "the launches have ended";
  EXPECT_EQ(launch(), DeviceError::kSuccess);
  EXPECT_EQ(fetched, 2);
}

}  // namespace
}  // namespace warpcheck::emulator
