#include "order/host_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using Memory = HostCall::Memory;

HostCallTotals OfCopy(Memory from, Memory to) {
  HostCallTotals totals;
  totals.Add({.kind = HostCall::Kind::kCopy, .from = from, .to = to, .bytes = 8, .count = 2});
  return totals;
}

TEST(HostCallTotals, CountBytesBetweenTheDeviceAndMemoryThatTheHostCanReach) {
  for (const Memory memory : {Memory::kPinned, Memory::kPageable}) {
    EXPECT_EQ(OfCopy(Memory::kDevice, memory).bytes_to_host, 16);
    EXPECT_EQ(OfCopy(memory, Memory::kDevice).bytes_to_device, 16);
    EXPECT_EQ(OfCopy(memory, Memory::kDevice).managed_bytes_to_device, 0);
    EXPECT_EQ(OfCopy(memory, Memory::kDevice).bytes_to_host, 0);
  }
  EXPECT_EQ(OfCopy(Memory::kDevice, Memory::kManaged).bytes_to_host, 16);
  EXPECT_EQ(OfCopy(Memory::kManaged, Memory::kDevice).managed_bytes_to_device, 16);
  EXPECT_EQ(OfCopy(Memory::kManaged, Memory::kDevice).bytes_to_device, 0);
  EXPECT_EQ(OfCopy(Memory::kDevice, Memory::kDevice), HostCallTotals());
}

TEST(HostCallTotals, CountCopiesToTheHostFromAllThatKernelsWorkOn) {
  EXPECT_EQ(OfCopy(Memory::kManaged, Memory::kPageable).copies_to_host, 2);
  EXPECT_EQ(OfCopy(Memory::kPinned, Memory::kManaged).copies_to_device, 2);
  EXPECT_EQ(OfCopy(Memory::kDevice, Memory::kManaged).copies_to_host, 0);
}

}  // namespace
}  // namespace warpcheck
