#include "order/call_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "order/overlap.h"
#include "order/timeline.h"

namespace warpcheck::order {
namespace {

using Kind = HostCall::Kind;
using Memory = HostCall::Memory;
using WaitsFor = HostCall::WaitsFor;
using testing::ElementsAre;
using testing::IsEmpty;

// Two streams beside the default stream; each operation has 100 bytes of its own unless a test says
// otherwise.
class Calls {
 public:
  Calls() {
    record_.streams = {{.name = "the default stream", .is_default = true},
                       {.name = "stream 1"},
                       {.name = "stream 2"}};
  }

  HostCall& Add(HostCall call) {
    if (call.function.empty()) call.function = "cudaMemcpyAsync";
    call.where = {"a.cu", static_cast<int>(record_.calls.size()) + 1, 0};
    record_.totals.Add(call);
    record_.calls.push_back(std::move(call));
    return record_.calls.back();
  }
  HostCall& Copy(std::uint32_t stream, std::uint64_t begin, Memory host = Memory::kPinned) {
    return Add({.kind = Kind::kCopy,
                .stream = stream,
                .from = host,
                .to = Memory::kDevice,
                .bytes = 100,
                .asynchronous = true,
                .uses = {{MemoryUse::Kind::kRead, 10'000 + begin, 10'100 + begin},
                         {MemoryUse::Kind::kWrite, begin, begin + 100}}});
  }
  HostCall& Kernel(std::uint32_t stream, std::uint64_t begin) {
    return Add({.kind = Kind::kKernel,
                .function = "a kernel launch",
                .stream = stream,
                .kernel = "void scale<float>(float*)",
                .uses = {{MemoryUse::Kind::kWrite, begin, begin + 100}}});
  }
  HostCall& WaitForDevice() {
    return Add({.kind = Kind::kHostWait,
                .function = "cudaDeviceSynchronize",
                .waits_for = WaitsFor::kDevice});
  }

  const HostCalls& record() const { return record_; }
  HostCalls& record() { return record_; }

 private:
  HostCalls record_{.streams = {}};
};

TEST(CallOrder, KeepsTheOrderOfAStreamAndOfNothingElse) {
  Calls calls;
  calls.Copy(1, 0);      // 0
  calls.Kernel(1, 0);    // 1
  calls.Copy(2, 100);    // 2
  calls.Kernel(2, 100);  // 3
  ASSERT_TRUE(calls.record().IsSound());
  const CallOrder order(calls.record());
  EXPECT_TRUE(order.IsBefore(0, 1));
  EXPECT_FALSE(order.IsBefore(0, 2));
  EXPECT_FALSE(order.IsBefore(1, 2));
  EXPECT_THAT(order.WaitsFor(0), IsEmpty());
  EXPECT_THAT(order.WaitsFor(1), ElementsAre(0));
  EXPECT_THAT(order.WaitsFor(3), ElementsAre(2));
}

TEST(CallOrder, KnowsEventsWaitsAndTheDefaultStream) {
  Calls calls;
  calls.Copy(1, 0);                                                  // 0
  calls.Add({.kind = Kind::kEventRecord, .stream = 1, .event = 1});  // 1
  calls.Copy(1, 100);                                                // 2
  calls.Add({.kind = Kind::kStreamWait, .stream = 2, .event = 1});   // 3
  calls.Kernel(2, 0);                                                // 4
  calls.Kernel(0, 0);                                                // 5
  calls.Kernel(2, 0);                                                // 6
  calls.WaitForDevice();                                             // 7
  calls.Kernel(1, 0);                                                // 8
  const CallOrder order(calls.record());
  EXPECT_TRUE(order.IsBefore(0, 4));
  EXPECT_FALSE(order.IsBefore(2, 4));
  EXPECT_TRUE(order.IsBefore(2, 5)) << "the default stream waits for blocking streams";
  EXPECT_TRUE(order.IsBefore(5, 6));
  EXPECT_TRUE(order.IsBefore(6, 8));
  EXPECT_THAT(order.WaitsFor(4), ElementsAre(0));
  EXPECT_THAT(order.WaitsFor(5), ElementsAre(2, 4));
  EXPECT_THAT(order.HostWaitsFor(7), ElementsAre(5, 2, 6));
  const CallOrder without(calls.record(), [](std::size_t call) { return call == 7; });
  EXPECT_FALSE(without.IsBefore(6, 8));
}

TEST(CallOrder, LetsTheHostWaitInSynchronousCopies) {
  Calls calls;
  calls.Kernel(1, 0);                                                        // 0
  calls.Copy(0, 100, Memory::kPageable).waits_for = WaitsFor::kEarlierWork;  // 1
  calls.Copy(0, 200).waits_for = WaitsFor::kStream;                          // 2
  calls.record().streams[2].non_blocking = true;
  calls.Kernel(2, 0);  // 3
  const CallOrder order(calls.record());
  EXPECT_THAT(order.HostWaitsFor(1), ElementsAre(0));
  EXPECT_THAT(order.HostWaitsFor(2), ElementsAre(2));
  EXPECT_TRUE(order.IsBefore(2, 3)) << "the host waited before it launched";
}

TEST(CallOrder, WithTold_HostWaitsForWhatMayTellIt) {
  Calls calls;
  calls.Add({.kind = Kind::kCopy, .stream = 1, .asynchronous = true});
  calls.Add({.kind = Kind::kHostFunction, .stream = 1});
  calls.Add({.kind = Kind::kKernel, .stream = 2});
  EXPECT_FALSE(CallOrder(calls.record()).IsBefore(0, 2));
  EXPECT_TRUE(CallOrder::WithTold(calls.record()).IsBefore(0, 2));
}

TEST(CallOrder, WithTold_OnlySomeKernelsTellTheHost) {
  Calls calls;
  calls.Add({.kind = Kind::kKernel, .stream = 1});
  calls.Add({.kind = Kind::kKernel, .stream = 2});
  EXPECT_FALSE(CallOrder::WithTold(calls.record()).IsBefore(0, 1));
  calls.Add({.kind = Kind::kKernel, .stream = 1, .tells_the_host = true});
  calls.Add({.kind = Kind::kKernel, .stream = 2});
  EXPECT_TRUE(CallOrder::WithTold(calls.record()).IsBefore(2, 3));
}

TEST(Unfinished, IsTheLastWorkOfStreamsThatTheHostHasNotWaitedFor) {
  Calls calls;
  calls.Copy(1, 0);
  calls.Kernel(1, 0);    // 1
  calls.Kernel(2, 100);  // 2
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), ElementsAre(1, 2));
  calls.Add({.kind = Kind::kHostWait, .stream = 1, .waits_for = WaitsFor::kStream});
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), ElementsAre(2));
  calls.Add({.kind = Kind::kEventRecord, .stream = 2, .event = 1});
  calls.Add({.kind = Kind::kHostWait, .event = 1, .waits_for = WaitsFor::kEvent});
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), IsEmpty());
  calls.Kernel(2, 100);  // 6
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), ElementsAre(6));
  calls.WaitForDevice();
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), IsEmpty());
}

TEST(Unfinished, IsNotWhatTheHostMayKnowOfInAnotherWay) {
  Calls calls;
  calls.Kernel(1, 0);
  calls.Add({.kind = Kind::kHostFunction, .stream = 1});
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), IsEmpty()) << "the function may tell";
  calls.Kernel(2, 100).tells_the_host = true;
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), IsEmpty()) << "the kernel may tell";
  calls.Kernel(1, 0);  // 3
  EXPECT_THAT(CallOrder(calls.record()).Unfinished(), ElementsAre(3));
}

TEST(Overlap, IsOfCopiesThatNothingOrdersWithAKernel) {
  Calls calls;
  calls.Copy(1, 0);
  calls.Kernel(1, 0);
  EXPECT_EQ(OverlapOf(calls.record(), CallOrder(calls.record()), nullptr).overlapping, 0u);
  calls.Copy(2, 100);
  calls.Kernel(2, 100);
  const CopyOverlap both = OverlapOf(calls.record(), CallOrder(calls.record()), nullptr);
  EXPECT_EQ(both.bytes, 200u);
  EXPECT_EQ(both.overlapping, 200u);
  EXPECT_THAT(both.alone, IsEmpty());
}

TEST(Overlap, IsNoneForACopyInWhichTheHostWaitsBeforeTheKernel) {
  Calls calls;
  calls.Copy(1, 0, Memory::kPageable);
  calls.Kernel(2, 100);
  EXPECT_THAT(OverlapOf(calls.record(), CallOrder(calls.record()), nullptr).alone, ElementsAre(0));
  Calls later;
  later.Kernel(2, 100);
  later.Copy(1, 0, Memory::kPageable);
  EXPECT_THAT(OverlapOf(later.record(), CallOrder(later.record()), nullptr).alone, IsEmpty());
}

TEST(CostlyWaits, AreThoseWithoutWhichWorkCouldOverlap) {
  Calls calls;
  calls.Copy(1, 0);
  calls.Kernel(1, 0);
  calls.WaitForDevice();  // 2
  calls.Copy(2, 100);
  calls.Kernel(2, 100);
  calls.WaitForDevice();  // 5, which comes last
  const auto costly = CostlyWaits(calls.record(), CallOrder(calls.record()));
  ASSERT_EQ(costly.size(), 1u);
  EXPECT_THAT(costly[0].calls, ElementsAre(2));
  EXPECT_EQ(costly[0].earlier, 1u);
  EXPECT_EQ(costly[0].later, 3u);
}

TEST(CostlyWaits, AreNoneWhereTheWorkSharesBytesOrAStream) {
  Calls shared;
  shared.Kernel(1, 0);
  shared.WaitForDevice();
  shared.Kernel(2, 50);
  EXPECT_THAT(CostlyWaits(shared.record(), CallOrder(shared.record())), IsEmpty());
  Calls one;
  one.Kernel(1, 0);
  one.WaitForDevice();
  one.Copy(1, 100);
  EXPECT_THAT(CostlyWaits(one.record(), CallOrder(one.record())), IsEmpty());
  Calls unknown;
  unknown.Kernel(1, 0).uses.clear();
  unknown.WaitForDevice();
  unknown.Copy(2, 100);
  EXPECT_THAT(CostlyWaits(unknown.record(), CallOrder(unknown.record())), IsEmpty());
}

TEST(CostlyWaits, AreNamedTogetherIfEachAloneCostsNothing) {
  Calls calls;
  calls.Copy(1, 0);
  calls.Kernel(1, 0);
  calls.Add({.kind = Kind::kHostWait,
             .function = "cudaStreamSynchronize",
             .stream = 1,
             .waits_for = WaitsFor::kStream});
  calls.Add({.kind = Kind::kKernel, .stream = 2, .uses = {{MemoryUse::Kind::kRead, 300, 400}}});
  EXPECT_EQ(CostlyWaits(calls.record(), CallOrder(calls.record())).size(), 1u);
  Calls two;
  two.Kernel(1, 0);
  two.Copy(0, 100, Memory::kPageable).waits_for = WaitsFor::kStream;
  two.WaitForDevice();
  two.Copy(2, 200);
  EXPECT_THAT(CostlyWaits(two.record(), CallOrder(two.record())), IsEmpty())
      << "the default stream orders them anyway";
}

TEST(WaitsInBetween, AreThoseBetweenWorkAndWork) {
  Calls calls;
  calls.WaitForDevice();  // 0: nothing to wait for
  calls.Kernel(1, 0);
  calls.WaitForDevice();  // 2
  calls.WaitForDevice();  // 3: nothing more to wait for
  calls.Kernel(2, 100);
  calls.Add({.kind = Kind::kHostWait, .stream = 2, .waits_for = WaitsFor::kStream});  // 5
  calls.Kernel(2, 100);
  calls.Copy(0, 200).waits_for = WaitsFor::kStream;  // 7, and nothing follows
  EXPECT_THAT(WaitsInBetween(calls.record()), ElementsAre(2));
  calls.Copy(0, 300, Memory::kPageable).waits_for = WaitsFor::kEarlierWork;  // 8
  EXPECT_THAT(WaitsInBetween(calls.record()), ElementsAre(2, 7));
}

TEST(UsedStreams, AreThoseWithWork) {
  Calls calls;
  EXPECT_EQ(UsedStreams(calls.record(), nullptr), 0u);
  calls.Kernel(0, 0);
  calls.Add({.kind = Kind::kEventRecord, .stream = 1, .event = 1});
  calls.Kernel(2, 0);
  EXPECT_EQ(UsedStreams(calls.record(), nullptr), 1u);
}

TEST(Timeline, PutsEachOperationAfterWhatItWaitsFor) {
  Calls calls;
  calls.Copy(1, 0);
  calls.Kernel(1, 0);
  calls.Copy(2, 100);
  calls.WaitForDevice();
  calls.Kernel(2, 100).count = 3;
  const Timeline timeline = TimelineOf(calls.record());
  EXPECT_THAT(timeline.streams, ElementsAre("stream 1", "stream 2"));
  ASSERT_EQ(timeline.operations.size(), 4u);
  EXPECT_EQ(timeline.operations[0].what, "copy to the device, 100 bytes");
  EXPECT_EQ(timeline.operations[1].step, 1u) << "the other copy";
  EXPECT_EQ(timeline.operations[2].what, "kernel scale<float>");
  EXPECT_EQ(timeline.operations[3].step, 3u);
  EXPECT_THAT(timeline.operations[3].waits_for, ElementsAre("stream 1"));
  ASSERT_EQ(timeline.waits.size(), 1u);
  EXPECT_EQ(timeline.waits[0].step, 2u);
  EXPECT_EQ(timeline.waits[0].what,
            "cudaDeviceSynchronize: the host waits for stream 1 and stream 2");
  EXPECT_TRUE(timeline.waits[0].costs_overlap);
  ASSERT_EQ(timeline.costs.size(), 1u);
  EXPECT_EQ(timeline.costs[0].message,
            "cudaDeviceSynchronize orders work that could overlap: the kernel scale<float> in "
            "stream 2 (a.cu:5) waits for the copy to the device, 100 bytes in stream 1 (a.cu:1), "
            "and they have no bytes in common");
  const auto rows = RowsOf(timeline);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].cells[1]->what, "copy to the device, 100 bytes");
  EXPECT_EQ(rows[1].cells[1], nullptr);
  EXPECT_EQ(rows[1].waits.size(), 1u);
}

TEST(Timeline, SaysHowMuchItLeavesOut) {
  Calls calls;
  for (std::size_t i = 0; i < kMostShown + 5; ++i) calls.Kernel(1, 100 * i);
  calls.record().left_out = 7;
  const Timeline timeline = TimelineOf(calls.record());
  EXPECT_EQ(timeline.operations.size(), kMostShown);
  EXPECT_EQ(timeline.left_out, 12u);
}

TEST(HostCalls, AreSoundWithinTheirLimits) {
  Calls calls;
  calls.Kernel(2, 0);
  EXPECT_TRUE(calls.record().IsSound());
  calls.record().calls[0].stream = 3;
  EXPECT_FALSE(calls.record().IsSound());
  calls.record().calls[0].stream = 0;
  calls.record().calls[0].kind = static_cast<Kind>(9);
  EXPECT_FALSE(calls.record().IsSound());
  calls.record().calls.assign(HostCalls::kMost + 1, {});
  EXPECT_FALSE(calls.record().IsSound());
  EXPECT_FALSE(HostCalls{.streams = {}}.IsSound());
}

}  // namespace
}  // namespace warpcheck::order
