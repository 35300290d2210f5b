// Operations that nothing orders must be found, and those that something orders must not.
#include "order/order.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace warpcheck::order {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Handle kDefault = 1, kA = 2, kB = 3, kFree = 4, kEvent = 10;

class OrderTest : public testing::Test {
 protected:
  OrderTest() {
    order_.AddStream(kDefault, StreamKind::kLegacy);
    order_.AddStream(kA, StreamKind::kBlocking);
    order_.AddStream(kB, StreamKind::kBlocking);
    order_.AddStream(kFree, StreamKind::kNonBlocking);
  }

  void Run(Handle stream, const std::string& text, MemoryUse::Kind kind, DeviceAddress begin = 0,
           DeviceAddress end = 100) {
    const MemoryUse use{kind, begin, end};
    order_.Run(stream, {.text = text}, {&use, 1});
  }
  void Write(Handle stream, const std::string& text, DeviceAddress begin = 0,
             DeviceAddress end = 100) {
    Run(stream, text, MemoryUse::Kind::kWrite, begin, end);
  }
  void Read(Handle stream, const std::string& text, DeviceAddress begin = 0,
            DeviceAddress end = 100) {
    Run(stream, text, MemoryUse::Kind::kRead, begin, end);
  }
  void HostReads(DeviceAddress at = 0) {
    const MemoryUse use{MemoryUse::Kind::kRead, at, at + 1};
    order_.HostUses({.text = "host"}, {&use, 1});
  }

  std::vector<std::string> found_;
  std::vector<Clash> clashes_;
  Order order_{[this](const Clash& clash) {
    found_.push_back(clash.earlier.text + "-" + clash.later.text + (clash.unpromised ? "?" : ""));
    clashes_.push_back(clash);
  }};
};

TEST_F(OrderTest, WorkOfOneStreamIsOrdered) {
  Write(kA, "w");
  Read(kA, "r");
  Write(kA, "w2");
  EXPECT_THAT(found_, IsEmpty());
}

// A report counts as a wait for later reports. The host must still not see what it has not waited
// for, nor for what GPUs do without a promise.
TEST_F(OrderTest, AReportDoesNotCountAsAWaitOfTheProgram) {
  Write(kA, "w");
  const Moment written = order_.LastIn(kA);
  HostReads();
  EXPECT_THAT(found_, ElementsAre("w-host"));
  order_.HostWaitsInPracticeForAll();
  EXPECT_TRUE(order_.IsHostAfterStream(kA));
  EXPECT_FALSE(order_.HasHostWaited(written));
  EXPECT_TRUE(order_.IsBeforeNext(written, kA));
  EXPECT_FALSE(order_.IsBeforeNext(written, kFree));
  Write(kA, "later");
  EXPECT_FALSE(order_.HasHostWaited(written));
  order_.HostWaitsForStream(kA);
  EXPECT_TRUE(order_.HasHostWaited(written));
  EXPECT_TRUE(order_.IsBeforeNext(written, kFree));
}

TEST_F(OrderTest, TellsWhetherTheHostHasWaited) {
  EXPECT_TRUE(order_.IsHostAfterStream(kA));
  Write(kA, "w");
  order_.Record(kEvent, kA);
  Write(kA, "w2");
  EXPECT_FALSE(order_.IsHostAfterEvent(kEvent));
  order_.HostWaitsForEvent(kEvent);
  EXPECT_TRUE(order_.IsHostAfterEvent(kEvent));
  EXPECT_FALSE(order_.IsHostAfterStream(kA));
  order_.HostWaitsForStream(kA);
  EXPECT_TRUE(order_.IsHostAfterStream(kA));
}

TEST_F(OrderTest, WorkOfTwoStreamsIsNot) {
  Write(kA, "w");
  Read(kB, "r");
  EXPECT_THAT(found_, ElementsAre("w-r"));
}

TEST_F(OrderTest, TellsEachPairOnce) {
  for (int i = 0; i < 3; ++i) {
    Write(kA, "w");
    Read(kB, "r");
  }
  EXPECT_THAT(found_, ElementsAre("w-r", "r-w"));
}

TEST_F(OrderTest, ReadersDoNotDisturbEachOther) {
  Read(kA, "a");
  Read(kB, "b");
  EXPECT_THAT(found_, IsEmpty());
  Write(kFree, "w");
  EXPECT_THAT(found_, ElementsAre("a-w", "b-w"));
}

TEST_F(OrderTest, AtomicsDisturbOnlyOthers) {
  Run(kA, "a", MemoryUse::Kind::kAtomic);
  Run(kB, "b", MemoryUse::Kind::kAtomic);
  EXPECT_THAT(found_, IsEmpty());
  Read(kFree, "r");
  EXPECT_THAT(found_, ElementsAre("a-r", "b-r"));
}

TEST_F(OrderTest, TheDefaultStreamOrdersBlockingStreams) {
  Write(kA, "a");
  Write(kDefault, "d");
  Write(kB, "b");
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(OrderTest, TheDefaultStreamOrdersNoOthers) {
  Write(kFree, "f");
  Write(kDefault, "d");
  Write(kFree, "g");
  EXPECT_THAT(found_, ElementsAre("f-d", "d-g"));
}

TEST_F(OrderTest, AnEventOrdersWhatWasBeforeIt) {
  Write(kA, "w", 0, 50);
  order_.Record(kEvent, kA);
  Write(kA, "later", 50, 100);
  EXPECT_TRUE(order_.Wait(kB, kEvent));
  Read(kB, "r", 0, 50);
  EXPECT_THAT(found_, IsEmpty());
  Read(kB, "s", 50, 100);
  EXPECT_THAT(found_, ElementsAre("later-s"));
}

TEST_F(OrderTest, EventsPassOnWhatTheirStreamWaitedFor) {
  Write(kA, "w");
  order_.Record(kEvent, kA);
  order_.Wait(kFree, kEvent);
  order_.Record(kEvent + 1, kFree);
  order_.Wait(kB, kEvent + 1);
  Read(kB, "r");
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(OrderTest, AnEventThatWasNeverRecordedOrdersNothing) {
  Write(kA, "w");
  EXPECT_FALSE(order_.Wait(kB, kEvent));
  EXPECT_FALSE(order_.HostWaitsForEvent(kEvent));
  Read(kB, "r");
  EXPECT_THAT(found_, ElementsAre("w-r"));
}

TEST_F(OrderTest, ADestroyedEventIsForgotten) {
  order_.Record(kEvent, kA);
  order_.RemoveEvent(kEvent);
  EXPECT_FALSE(order_.Wait(kB, kEvent));
}

TEST_F(OrderTest, AWaitOfTheHostOrdersWhatComesAfterIt) {
  Write(kA, "w");
  order_.HostWaitsForStream(kA);
  HostReads();
  Read(kFree, "r");
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(OrderTest, AWaitForTheDefaultStreamIsOneForBlockingStreams) {
  Write(kA, "a", 0, 50);
  Write(kFree, "f", 50, 100);
  order_.HostWaitsForStream(kDefault);
  HostReads(0);
  EXPECT_THAT(found_, IsEmpty());
  HostReads(50);
  EXPECT_THAT(found_, ElementsAre("f-host"));
  EXPECT_TRUE(clashes_[0].host);
}

TEST_F(OrderTest, AWaitForAllIsOneForDestroyedStreams) {
  Write(kFree, "f");
  order_.RemoveStream(kFree);
  HostReads();
  EXPECT_THAT(found_, ElementsAre("f-host"));
  order_.HostWaitsForAll();
  Write(kA, "w");
  EXPECT_THAT(found_, ElementsAre("f-host"));
}

TEST_F(OrderTest, ALineIsUsedAgainOnlyWhenItsWorkIsDone) {
  Write(kFree, "f");
  order_.RemoveStream(kFree);
  order_.AddStream(kFree + 1, StreamKind::kNonBlocking);
  Write(kFree + 1, "g");
  EXPECT_THAT(found_, ElementsAre("f-g"));
  order_.HostWaitsForAll();
  order_.RemoveStream(kFree + 1);
  order_.AddStream(kFree + 2, StreamKind::kNonBlocking);
  Write(kFree + 2, "h");
  Write(kA, "i");
  EXPECT_THAT(found_, ElementsAre("f-g", "h-i"));
}

TEST_F(OrderTest, WhatGpusDoWithoutAPromiseIsMarked) {
  Write(kFree, "f");
  order_.HostWaitsInPracticeForStream(kFree);
  Read(kA, "r");
  EXPECT_THAT(found_, ElementsAre("f-r?"));
}

TEST_F(OrderTest, OnlyCommonBytesClash) {
  Write(kA, "a", 0, 50);
  Write(kB, "b", 50, 100);
  EXPECT_THAT(found_, IsEmpty());
  Write(kFree, "f", 40, 60);
  ASSERT_THAT(found_, ElementsAre("a-f", "b-f"));
  EXPECT_EQ(clashes_[0].begin, 40U);
  EXPECT_EQ(clashes_[0].end, 50U);
  EXPECT_EQ(clashes_[1].begin, 50U);
  EXPECT_EQ(clashes_[1].end, 60U);
}

TEST_F(OrderTest, FreedMemoryIsForgotten) {
  Write(kA, "a");
  order_.Forget(20, 80);
  Write(kB, "b", 20, 80);
  EXPECT_THAT(found_, IsEmpty());
  Write(kB, "c", 0, 100);
  EXPECT_THAT(found_, ElementsAre("a-c"));
}

TEST_F(OrderTest, SaysWhatIsStillInUse) {
  Write(kA, "w", 0, 50);
  Read(kA, "r", 50, 100);
  const auto pending = [&] {
    std::vector<std::string> list;
    order_.EachPending(10, 60, [&](DeviceAddress begin, DeviceAddress end, bool written) {
      list.push_back(std::to_string(begin) + "-" + std::to_string(end) + (written ? "w" : "r"));
    });
    return list;
  };
  EXPECT_THAT(pending(), ElementsAre("10-50w", "50-60r"));
  order_.HostWaitsForStream(kA);
  EXPECT_THAT(pending(), IsEmpty());
}

TEST_F(OrderTest, OneWaitThatIsMissingGivesOneClash) {
  Write(kA, "first");
  Write(kA, "second");
  Read(kB, "r");
  Read(kB, "r2");
  EXPECT_THAT(found_, ElementsAre("second-r"));
}

class FlagTest : public OrderTest {
 protected:
  // A kernel writes bytes 0 to 99, and sets a flag at byte 200.
  void RunKernel(Handle stream, const std::string& text, MemoryUse::Kind flag) {
    const std::vector<MemoryUse> uses = {{MemoryUse::Kind::kWrite, 0, 100}, {flag, 200, 204}};
    order_.Run(stream, {.text = text}, uses);
  }
  bool HostTouches(DeviceAddress at, MemoryUse::Kind kind = MemoryUse::Kind::kRead) {
    return order_.HostTouches({.text = "host"}, {kind, at, at + 1},
                              {kind, at / 100 * 100, at / 100 * 100 + 100});
  }
};

TEST_F(FlagTest, AReleasedFlagTellsThatItsKernelIsFinished) {
  Write(kA, "before", 300, 400);
  RunKernel(kA, "kernel", MemoryUse::Kind::kRelease);
  Write(kA, "after", 400, 500);
  EXPECT_TRUE(HostTouches(200));
  EXPECT_FALSE(HostTouches(200));
  HostTouches(0);
  HostTouches(300);
  EXPECT_THAT(found_, IsEmpty());
  HostTouches(400);
  EXPECT_THAT(found_, ElementsAre("after-host"));
}

TEST_F(FlagTest, AFlagWithoutFenceTellsNothing) {
  RunKernel(kA, "kernel", MemoryUse::Kind::kSignal);
  EXPECT_FALSE(HostTouches(200));
  EXPECT_FALSE(HostTouches(200, MemoryUse::Kind::kWrite));
  EXPECT_THAT(found_, IsEmpty());
  HostTouches(0);
  EXPECT_THAT(found_, ElementsAre("kernel-host"));
}

TEST_F(FlagTest, AnAtomicIsNoFlag) {
  RunKernel(kA, "kernel", MemoryUse::Kind::kAtomic);
  EXPECT_FALSE(HostTouches(200));
  EXPECT_THAT(found_, ElementsAre("kernel-host"));
}

TEST_F(FlagTest, EachKernelOfAStreamHasItsFlag) {
  RunKernel(kA, "first", MemoryUse::Kind::kRelease);
  RunKernel(kA, "second", MemoryUse::Kind::kRelease);
  EXPECT_TRUE(HostTouches(200));
  HostTouches(0);
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(FlagTest, ACopyMayPollAFlag) {
  RunKernel(kA, "kernel", MemoryUse::Kind::kRelease);
  const MemoryUse flag{MemoryUse::Kind::kRead, 200, 204};
  order_.Run(kFree, {.text = "copy"}, {&flag, 1}, true);
  Read(kFree, "results");
  EXPECT_THAT(found_, IsEmpty());
  order_.Run(kB, {.text = "kernel of another stream"}, {&flag, 1});
  EXPECT_THAT(found_, ElementsAre("kernel-kernel of another stream"));
}

// The watch sees only the first access to a page.
TEST_F(FlagTest, TheFlagsOfAPageAreReadTogether) {
  const std::vector<MemoryUse> first = {{MemoryUse::Kind::kWrite, 0, 50},
                                        {MemoryUse::Kind::kRelease, 200, 204}};
  const std::vector<MemoryUse> second = {{MemoryUse::Kind::kWrite, 50, 100},
                                         {MemoryUse::Kind::kRelease, 204, 208}};
  order_.Run(kA, {.text = "first"}, first);
  order_.Run(kB, {.text = "second"}, second);
  EXPECT_TRUE(HostTouches(250)) << "beside the flags";
  HostTouches(0);
  HostTouches(50);
  EXPECT_THAT(found_, IsEmpty());
}

class StagingTest : public OrderTest {
 protected:
  // Copies bytes 0 to 99 of the host to bytes 200 to 299 of the device.
  void Copy(Handle stream, const std::string& text) {
    const MemoryUse from{MemoryUse::Kind::kRead, 0, 100};
    order_.RunStaging(stream, {.text = text}, {&from, 1});
    Write(stream, text, 200, 300);
  }
  void HostWrites() {
    const MemoryUse use{MemoryUse::Kind::kWrite, 0, 1};
    order_.HostUses({.text = "host"}, {&use, 1});
  }
};

TEST_F(StagingTest, TheHostMayNotRelyOnIt) {
  Copy(kA, "copy");
  HostReads();
  EXPECT_THAT(found_, IsEmpty());
  HostWrites();
  EXPECT_THAT(found_, ElementsAre("copy-host?"));
}

TEST_F(StagingTest, IsDoneWithItsStream) {
  Copy(kA, "copy");
  order_.HostWaitsForStream(kA);
  HostWrites();
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(StagingTest, ComesAfterTheEarlierWorkOfItsStreamOnly) {
  Write(kA, "to the host");
  Copy(kA, "copy");
  EXPECT_THAT(found_, IsEmpty());
  Copy(kB, "other");
  EXPECT_THAT(found_, ElementsAre("to the host-other", "copy-other"));
}

TEST_F(StagingTest, TheWorkOfItsStreamIsNamedInstead) {
  Copy(kA, "copy");
  Write(kA, "kernel", 200, 300);
  const std::vector<MemoryUse> back = {{MemoryUse::Kind::kRead, 200, 300},
                                       {MemoryUse::Kind::kWrite, 0, 100}};
  order_.Run(kB, {.text = "back"}, back);
  order_.Run(kB, {.text = "again"}, back);
  EXPECT_THAT(found_, ElementsAre("kernel-back"));
}

TEST_F(StagingTest, DoesNotLetTheHostWaitForEarlierWork) {
  Write(kA, "kernel", 400, 500);
  Copy(kA, "copy");
  HostReads(400);
  EXPECT_THAT(found_, ElementsAre("kernel-host"));
}

// Runs a programmatic launch that uses the bytes before it waits or afterwards.
class ProgrammaticTest : public OrderTest {
 protected:
  static constexpr MemoryUse kWrites{MemoryUse::Kind::kWrite, 0, 100};
  static constexpr MemoryUse kReads{MemoryUse::Kind::kRead, 0, 100};

  void Kernel(const std::string& text, const MemoryUse& use) {
    order_.RunKernel(kA, {.text = text}, {.uses = {use}}, false);
  }
  void Early(const std::string& text, const MemoryUse& use) {
    order_.RunKernel(kA, {.text = text}, {.uses = {use}}, true);
  }
  void Late(const std::string& text, const MemoryUse& use, bool dependents_wait = false) {
    order_.RunKernel(kA, {.text = text},
                     {.uses = {use}, .waits = true, .dependents_wait = dependents_wait}, true);
  }
  // Waits, and has used bytes of its own before.
  void Other(const std::string& text, bool waits) {
    const MemoryUse own{MemoryUse::Kind::kWrite, 1000, 1100};
    order_.RunKernel(kA, {.text = text}, {.uses = {own}, .before_wait = {own}, .waits = waits},
                     true);
  }
};

TEST_F(ProgrammaticTest, KnowsOfTheKernelBeforeItAfterItsWait) {
  Kernel("w", kWrites);
  Late("r", kReads);
  EXPECT_THAT(found_, IsEmpty());
  Early("r2", kReads);
  EXPECT_THAT(found_, ElementsAre("w-r2")) << "it begins when `r` begins";
  EXPECT_EQ(clashes_[0].programmatic, Clash::Programmatic::kBeforeWait);
}

TEST_F(ProgrammaticTest, ComesAfterWhatIsNoKernel) {
  Write(kA, "copy");
  Early("r", kReads);
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(ProgrammaticTest, OrdinaryWorkComesAfterIt) {
  Kernel("w", kWrites);
  Other("k", false);
  Read(kA, "r");
  order_.HostWaitsForStream(kA);
  HostReads();
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(ProgrammaticTest, AKernelThatDoesNotWaitBreaksTheChain) {
  Kernel("w", kWrites);
  Other("k", true);
  Late("r", kReads);
  EXPECT_THAT(found_, IsEmpty());
  Kernel("w2", kWrites);
  Other("k2", false);
  Late("r2", kReads);
  EXPECT_THAT(found_, ElementsAre("w2-r2"));
  EXPECT_EQ(clashes_[0].programmatic, Clash::Programmatic::kBrokenChain);
}

TEST_F(ProgrammaticTest, BeginsLateIfTheKernelBeforeItHasWaitedThen) {
  Kernel("w", kWrites);
  Late("k", {MemoryUse::Kind::kWrite, 1000, 1100}, true);
  Early("r", kReads);
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(ProgrammaticTest, ManyKeepLittleMemory) {
  for (int i = 0; i < 20'000; ++i) Other("k", true);
  order_.HostWaitsForAll();
  order_.HostUses({.text = "host"}, std::vector<MemoryUse>{{MemoryUse::Kind::kRead, 1000, 1100}});
  EXPECT_THAT(found_, ElementsAre("k-k"));
}

}  // namespace
}  // namespace warpcheck::order
