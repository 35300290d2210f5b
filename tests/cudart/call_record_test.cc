// Tests the record of the program's calls.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <vector>

#include "cudart/cudart.h"
#include "cudart/objects.h"
#include "order/call_order.h"

namespace warpcheck::cudart {
namespace {

using Kind = HostCall::Kind;
using Memory = HostCall::Memory;
using WaitsFor = HostCall::WaitsFor;
using testing::ElementsAre;
using testing::IsEmpty;

class CallRecordTest : public RuntimeTest {
 protected:
  CallRecordTest() {
    EXPECT_EQ(cudaMalloc(&device_memory_, 4096), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&pinned_, 4096), cudaSuccess);
    static_cast<void>(TakeHostCalls());
  }

  std::vector<Kind> Kinds() {
    taken_ = TakeHostCalls();
    EXPECT_TRUE(taken_.IsSound());
    std::vector<Kind> kinds;
    for (const HostCall& call : taken_.calls) kinds.push_back(call.kind);
    return kinds;
  }

  void* device_memory_ = nullptr;
  void* pinned_ = nullptr;
  char pageable_[4096] = {};
  HostCalls taken_{.streams = {}};
};

TEST_F(CallRecordTest, KnowsWhatTheHostWaitsForInACopy) {
  cudaMemcpy(device_memory_, pageable_, 100, cudaMemcpyHostToDevice);
  cudaMemcpy(device_memory_, pinned_, 100, cudaMemcpyHostToDevice);
  cudaMemcpy(pageable_, device_memory_, 64, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(pinned_, device_memory_, 32, cudaMemcpyDeviceToHost, nullptr);
  cudaMemcpyAsync(device_memory_, pageable_, 8, cudaMemcpyHostToDevice, nullptr);
  EXPECT_EQ(Kinds(), std::vector<Kind>(5, Kind::kCopy));
  const auto& calls = taken_.calls;
  EXPECT_EQ(calls[0].function, "cudaMemcpy");
  EXPECT_EQ(calls[0].from, Memory::kPageable);
  EXPECT_EQ(calls[0].waits_for, WaitsFor::kEarlierWork);
  EXPECT_FALSE(calls[0].asynchronous);
  EXPECT_EQ(calls[1].from, Memory::kPinned);
  EXPECT_EQ(calls[1].waits_for, WaitsFor::kStream);
  EXPECT_TRUE(calls[2].IsCopyToHost());
  EXPECT_EQ(calls[2].waits_for, WaitsFor::kStream);
  EXPECT_EQ(calls[3].function, "cudaMemcpyAsync");
  EXPECT_EQ(calls[3].waits_for, WaitsFor::kNothing);
  EXPECT_TRUE(calls[3].asynchronous);
  EXPECT_EQ(taken_.totals, (HostCallTotals{.copies_to_host = 2,
                                           .copies_to_device = 3,
                                           .bytes_to_host = 96,
                                           .bytes_to_device = 208}));
}

TEST_F(CallRecordTest, NumbersStreamsAndEvents) {
  cudaStream_t one = nullptr;
  cudaStream_t two = nullptr;
  cudaEvent_t event = nullptr;
  cudaStreamCreate(&one);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaStreamWaitEvent(two, event, 0);  // it was never recorded, so this is no wait
  cudaMemsetAsync(device_memory_, 0, 16, two);
  cudaEventRecord(event, two);
  cudaStreamWaitEvent(one, event, 0);
  cudaLaunchHostFunc(
      one, [](void*) {}, nullptr);
  cudaEventSynchronize(event);
  cudaStreamSynchronize(one);
  cudaDeviceSynchronize();
  EXPECT_THAT(Kinds(),
              ElementsAre(Kind::kFill, Kind::kEventRecord, Kind::kStreamWait, Kind::kHostFunction,
                          Kind::kHostWait, Kind::kHostWait, Kind::kHostWait));
  const auto& calls = taken_.calls;
  EXPECT_EQ(taken_.streams.size(), 3u);
  EXPECT_TRUE(taken_.streams[2].non_blocking);
  EXPECT_EQ(calls[0].stream, 2u);
  EXPECT_EQ(calls[0].uses.size(), 1u);
  EXPECT_EQ(calls[1].event, 1u);
  EXPECT_EQ(calls[2].stream, 1u);
  EXPECT_EQ(calls[2].event, 1u);
  EXPECT_EQ(calls[4].waits_for, WaitsFor::kEvent);
  EXPECT_EQ(calls[5].waits_for, WaitsFor::kStream);
  EXPECT_EQ(calls[5].stream, 1u);
  EXPECT_EQ(calls[6].waits_for, WaitsFor::kDevice);
  cudaEventDestroy(event);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}

TEST_F(CallRecordTest, KnowsAllocationsInStreamsAndWhatCudaFreeWaitsFor) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  void* memory = nullptr;
  cudaMallocAsync(&memory, 512, stream);
  cudaFreeAsync(memory, stream);
  cudaFree(device_memory_);
  EXPECT_THAT(Kinds(), ElementsAre(Kind::kAllocation, Kind::kFree, Kind::kHostWait));
  EXPECT_EQ(taken_.calls[0].bytes, 512u);
  EXPECT_EQ(taken_.calls[2].function, "cudaFree");
  EXPECT_EQ(taken_.calls[2].waits_for, WaitsFor::kDevice);
  cudaStreamDestroy(stream);
}

TEST_F(CallRecordTest, JoinsEqualCallsAndIsBounded) {
  const auto copy = [&](std::size_t bytes) {
    cudaMemcpy(device_memory_, pageable_, bytes, cudaMemcpyHostToDevice);
  };
  for (int i = 0; i < 100; ++i) copy(8);
  EXPECT_EQ(Kinds().size(), 1u);
  EXPECT_EQ(taken_.calls[0].count, 100u);
  for (std::size_t i = 0; i < HostCalls::kMost + 10; ++i) copy(1 + i % 2);
  EXPECT_EQ(Kinds().size(), HostCalls::kMost);
  EXPECT_EQ(taken_.left_out, 10u);
  EXPECT_EQ(taken_.totals.copies_to_device, HostCalls::kMost + 10);
  for (int i = 0; i < 20'000; ++i) copy(8);
  EXPECT_EQ(Kinds().size(), 1u);
  EXPECT_EQ(taken_.calls[0].count + taken_.left_out, 20'000u);
  EXPECT_EQ(taken_.totals.copies_to_device, 20'000u);
  EXPECT_THAT(Kinds(), IsEmpty());
}

// Two nodes that nothing orders, one after both, and a fill after the graph.
TEST_F(CallRecordTest, KnowsTheEdgesOfGraphs) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  const auto add = [&](int part, const std::vector<cudaGraphNode_t>& after) {
    cudaMemsetParams fill{};
    fill.dst = static_cast<char*>(device_memory_) + std::ptrdiff_t{64} * part;
    fill.elementSize = 1;
    fill.width = 64;
    fill.height = 1;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &fill), cudaSuccess);
    return node;
  };
  const cudaGraphNode_t one = add(0, {});
  const cudaGraphNode_t two = add(1, {});
  add(2, {one, two});
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  static_cast<void>(TakeHostCalls());
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  cudaMemsetAsync(device_memory_, 0, 16, stream);
  static_cast<void>(Kinds());
  std::vector<std::size_t> fills;
  for (std::size_t i = 0; i < taken_.calls.size(); ++i) {
    if (taken_.calls[i].kind == Kind::kFill) fills.push_back(i);
  }
  ASSERT_EQ(fills.size(), 4u);
  const order::CallOrder order(taken_);
  EXPECT_FALSE(order.IsBefore(fills[0], fills[1]));
  EXPECT_TRUE(order.IsBefore(fills[0], fills[2]));
  EXPECT_TRUE(order.IsBefore(fills[1], fills[2]));
  EXPECT_TRUE(order.IsBefore(fills[2], fills[3]));
  EXPECT_EQ(taken_.calls[fills[0]].function, "cudaGraphAddMemsetNode");
  EXPECT_TRUE(taken_.streams[taken_.calls[fills[0]].stream].is_graph);
  EXPECT_EQ(taken_.streams[taken_.calls[fills[3]].stream].name, "stream 1");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST_F(CallRecordTest, GivesEachThreadItsDefaultStream) {
  const auto fill = [&] { cudaMemsetAsync(device_memory_, 0, 16, cudaStreamPerThread); };
  fill();
  std::thread(fill).join();
  std::thread(fill).join();  // may get the std::thread::id of the one that has ended
  EXPECT_EQ(Kinds().size(), 3u);
  EXPECT_NE(taken_.calls[0].stream, taken_.calls[1].stream);
  EXPECT_NE(taken_.calls[1].stream, taken_.calls[2].stream);
  EXPECT_EQ(taken_.streams.back().name, "the default stream of thread 3");
}

}  // namespace
}  // namespace warpcheck::cudart
