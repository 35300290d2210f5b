#include "provenance/seen_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

HostCalls Record(const HostCallTotals& totals) {
  return {.streams = {{.name = "the default stream", .is_default = true}}, .totals = totals};
}

TEST(SeenCalls, AgreeWithAnHonestRecord) {
  SeenCalls seen;
  EXPECT_EQ(seen.DifferenceTo(Record({})), "");
  seen.Launched();
  seen.Written(0x1000, 40);
  seen.Read(0x1000, 8);
  EXPECT_EQ(seen.DifferenceTo(Record({.kernels = 1, .bytes_to_host = 8, .bytes_to_device = 40})),
            "");
  seen.Forget();
  EXPECT_EQ(seen.DifferenceTo(Record({})), "");
}

TEST(SeenCalls, NameWhatARecordHidesOrInvents) {
  SeenCalls seen;
  seen.Launched();
  seen.Read(0x1000, 2000);
  EXPECT_EQ(seen.DifferenceTo(Record({.bytes_to_host = 2000})),
            "launches: the device saw 1, and the record of the program's calls has 0");
  EXPECT_EQ(seen.DifferenceTo(Record({.kernels = 1})),
            "bytes copied to the host: the device saw 2,000, and the record of the program's calls "
            "has 0");
  EXPECT_EQ(
      seen.DifferenceTo(Record({.kernels = 1, .bytes_to_host = 2000, .bytes_to_device = 4})),
      "bytes copied to the device: the device saw 0, and the record of the program's calls has 4");
}

// The runtime itself moves the bytes of memory that both sides share; copies from and to it are
// made on the device.
TEST(SeenCalls, LeaveOutWhatTheRuntimeMoves) {
  SeenCalls seen;
  seen.Allocated(0x7000, 4096, DeviceError::kSuccess);
  seen.Allocated(0, 4096, DeviceError::kSuccess);
  seen.Written(0x7100, 100);
  seen.Read(0x7100, 100);
  seen.Copied(0x7000, 0x1000, 16);
  seen.Copied(0x1000, 0x7000, 32);
  seen.Copied(0x1000, 0x2000, 64);
  EXPECT_EQ(seen.DifferenceTo(Record({.bytes_to_host = 16, .bytes_to_device = 32})), "");
  EXPECT_EQ(seen.DifferenceTo(Record(
                {.bytes_to_host = 16, .bytes_to_device = 12, .managed_bytes_to_device = 20})),
            "");
}

TEST(SeenCalls, CompareNoBytesWhereTheDeviceCannotTell) {
  SeenCalls elsewhere;
  elsewhere.Allocated(0x7000, 4096, DeviceError::kInvalidValue);
  elsewhere.Written(0x1000, 100);
  EXPECT_EQ(elsewhere.DifferenceTo(Record({})), "");
  SeenCalls managed;
  managed.HasManagedVariables();
  managed.Read(0x1000, 100);
  EXPECT_EQ(managed.DifferenceTo(Record({})), "");
  managed.Launched();
  EXPECT_NE(managed.DifferenceTo(Record({})), "");
}

}  // namespace
}  // namespace warpcheck
