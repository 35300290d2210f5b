#include "report/terminal/calls_text.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

std::string Text(const HostCalls& calls) {
  return CallsText(calls, 80, [](const SourceLocation& where) { return where.Text(); });
}

HostCall In(std::uint32_t stream, HostCall call) {
  call.stream = stream;
  return call;
}

TEST(CallsText, SaysForEachCallWhatItWaitsFor) {
  using enum HostCall::Kind;
  HostCalls record;
  record.streams = {{.name = "the default stream", .is_default = true},
                    {.name = "stream 1", .non_blocking = true},
                    {.name = "stream 2", .non_blocking = true}};
  record.calls = {
      In(1, {.kind = kFill, .function = "cudaMemsetAsync", .where = {"a.cu", 3, 0}, .bytes = 64}),
      In(1, {.kind = kEventRecord, .function = "cudaEventRecord", .event = 1}),
      In(2, {.kind = kStreamWait, .function = "cudaStreamWaitEvent", .event = 1}),
      In(2, {.kind = kKernel, .kernel = "f(int*)", .count = 3}),
      {.kind = kHostWait,
       .function = "cudaDeviceSynchronize",
       .waits_for = HostCall::WaitsFor::kDevice},
      {.kind = kHostWait,
       .function = "cudaDeviceSynchronize",
       .waits_for = HostCall::WaitsFor::kDevice}};
  record.left_out = 2;
  EXPECT_EQ(Text(record),
            "   1  a.cu:3: cudaMemsetAsync, stream 1: fill, 64 bytes\n"
            "   2  cudaEventRecord, stream 1: event 1 stands for its earlier work\n"
            "   3  cudaStreamWaitEvent, stream 2: its later work waits for event 1\n"
            "   4  stream 2: kernel f, after 1, 3 times\n"
            "   5  cudaDeviceSynchronize: the host waits for 1, 4\n"
            "   6  cudaDeviceSynchronize: the host has nothing to wait for\n"
            "  not shown: 2 further calls\n");
}

TEST(CallsText, OfAProgramWithoutWork) {
  EXPECT_EQ(Text({}), "  the program handed no work to the device\n");
}

}  // namespace
}  // namespace warpcheck
