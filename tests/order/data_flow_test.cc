#include "order/data_flow.h"

#include <gtest/gtest.h>

#include "order/overlap.h"

namespace warpcheck::order {
namespace {

using Kind = HostCall::Kind;
using Memory = HostCall::Memory;
using enum MemoryUse::Kind;

constexpr DeviceAddress kOut = 5'000;  // the result has 200 bytes

// Streams 1 and 2, and a call's result of 200 bytes at kOut.
class Flow : public testing::Test {
 protected:
  Flow() {
    record_.streams = {{.name = "the default stream", .is_default = true},
                       {.name = "stream 1"},
                       {.name = "stream 2"}};
  }

  HostCall& Copy(std::uint32_t stream, DeviceAddress begin, DeviceAddress end) {
    return Add({.kind = Kind::kCopy,
                .stream = stream,
                .from = Memory::kPinned,
                .to = Memory::kDevice,
                .bytes = end - begin,
                .asynchronous = true,
                .uses = {{kRead, 90'000 + begin, 90'000 + end}, {kWrite, begin, end}}});
  }
  HostCall& Kernel(std::uint32_t stream, std::vector<MemoryUse> uses) {
    return Add({.kind = Kind::kKernel, .stream = stream, .uses = std::move(uses)});
  }
  // A kernel that makes 100 bytes of the result of the 100 bytes at `from`.
  HostCall& Works(std::uint32_t stream, DeviceAddress from, DeviceAddress at) {
    return Kernel(stream, {{kRead, from, from + 100}, {kWrite, at, at + 100}});
  }

  std::vector<Part> Parts() const {
    return PartsOf(record_, {.arrays = {{kOut, kOut + 200}}, .on_host = on_host_});
  }
  std::uint64_t Overlapping() const {
    const std::vector<Part> parts = Parts();
    return OverlapOf(record_, CallOrder(record_), &parts).overlapping;
  }
  std::uint64_t Streams() const {
    const std::vector<Part> parts = Parts();
    return UsedStreams(record_, &parts);
  }

  bool on_host_ = false;
  HostCalls record_{.streams = {}};

 private:
  HostCall& Add(HostCall call) {
    record_.calls.push_back(std::move(call));
    return record_.calls.back();
  }
};

TEST_F(Flow, GoesFromCopiesThroughKernelsToTheResult) {
  Copy(1, 0, 100);
  Works(1, 0, 1'000);  // into memory of the program
  Works(1, 1'000, kOut);
  const std::vector<Part> parts = Parts();
  for (const Part& part : parts) {
    EXPECT_TRUE(part.needed);
    EXPECT_EQ(part.delivers, 100u);
  }
  EXPECT_EQ(parts[0].uses_of_copies, 0u);
  EXPECT_EQ(parts[1].uses_of_copies, 100u);
  EXPECT_EQ(parts[2].uses_of_copies, 100u) << "what a kernel made of copied bytes";
}

TEST_F(Flow, LeavesOutWhatNobodyReadsOrWhatIsWrittenAgain) {
  Copy(1, 0, 100);       // 0: the kernels read half of it
  Copy(2, 200, 300);     // 1: nobody reads it
  Works(2, 200, 1'000);  // 2: nobody reads it
  Kernel(2, {});         // 3: does nothing
  Works(2, 200, kOut);   // 4: the next kernel writes all of it again
  Kernel(1, {{kRead, 0, 50}, {kWrite, kOut, kOut + 100}});  // 5
  const std::vector<Part> parts = Parts();
  EXPECT_EQ(parts[0].delivers, 50u);
  for (const std::size_t i : {1U, 2U, 3U, 4U}) {
    EXPECT_FALSE(parts[i].needed) << i;
    EXPECT_EQ(parts[i].uses_of_copies, 0u) << i;
  }
  EXPECT_EQ(parts[5].uses_of_copies, 50u);
  EXPECT_EQ(Streams(), 1u);
}

TEST_F(Flow, AddsUpInTheResultByAtomics) {
  Copy(1, 0, 100);
  Kernel(1, {{kRead, 0, 100}, {kAtomic, kOut, kOut + 4}});
  Copy(2, 200, 300);
  Kernel(2, {{kRead, 200, 300}, {kAtomic, kOut, kOut + 4}});
  EXPECT_TRUE(Parts()[1].needed);
  EXPECT_TRUE(Parts()[3].needed);
  EXPECT_EQ(Streams(), 2u);
}

TEST_F(Flow, EndsOnTheHostIfTheCallHasArraysThere) {
  Works(1, 0, 1'000);
  record_.calls.push_back({.kind = Kind::kCopy,
                           .stream = 1,
                           .from = Memory::kDevice,
                           .to = Memory::kPinned,
                           .bytes = 100,
                           .uses = {{kRead, 1'000, 1'100}}});
  EXPECT_FALSE(Parts()[0].needed);
  on_host_ = true;
  EXPECT_TRUE(Parts()[0].needed);
  EXPECT_EQ(Parts()[1].delivers, 100u);
}

TEST_F(Flow, OverlapsOnlyWithWorkForTheResult) {
  Copy(1, 0, 100);
  Works(1, 0, kOut);
  Copy(1, 200, 300);
  Works(1, 200, kOut + 100);
  Kernel(2, {});                        // does nothing
  Kernel(2, {{kWrite, 1'000, 1'100}});  // makes what nobody reads
  Kernel(2, {{kRead, 0, 100}, {kWrite, 1'000, 1'100}});
  EXPECT_EQ(Overlapping(), 0u);
  EXPECT_EQ(Streams(), 1u);
}

// As many bytes of a copy count as the kernels beside it work on.
TEST_F(Flow, OverlapsWithAsMuchAsKernelsWorkOn) {
  Copy(1, 0, 100);
  Works(1, 0, kOut);
  Copy(2, 200, 300);
  Kernel(2, {{kRead, 200, 230}, {kWrite, kOut + 100, kOut + 200}});
  // The first copy beside 30 bytes, and the 30 needed bytes of the second beside 100.
  EXPECT_EQ(Overlapping(), 60u);
  EXPECT_EQ(Streams(), 2u);
}

// Four kernels read the first 100 bytes. The copy of 400 bytes runs beside work on 100 bytes.
TEST_F(Flow, BytesThatSeveralKernelsReadCountOnce) {
  Copy(1, 0, 100);
  for (DeviceAddress part = 0; part < 100; part += 25) {
    Kernel(1, {{kRead, 0, 100}, {kWrite, kOut + part, kOut + part + 25}});
  }
  Copy(2, 200, 600);
  Kernel(2, {{kRead, 200, 600}, {kWrite, kOut + 100, kOut + 200}});
  EXPECT_EQ(Overlapping(), 100u + 100u);
}

// A kernel makes 400 bytes of the 100 that were copied.
TEST_F(Flow, BytesThatKernelsMakeAreNoMoreThanWereCopied) {
  Copy(1, 0, 100);
  Kernel(1, {{kRead, 0, 100}, {kWrite, 1'000, 1'400}});
  Kernel(1, {{kRead, 1'000, 1'400}, {kWrite, kOut, kOut + 100}});
  Copy(2, 200, 600);
  Kernel(2, {{kRead, 200, 600}, {kWrite, kOut + 100, kOut + 200}});
  EXPECT_EQ(Overlapping(), 100u + 100u);
}

TEST_F(Flow, CountsTheBranchesOfAGraphAsStreams) {
  record_.streams.push_back({.name = "branch 1 of a graph", .is_graph = true});
  record_.streams.push_back({.name = "branch 2 of a graph", .is_graph = true});
  Copy(3, 0, 100);
  Works(3, 0, kOut);
  EXPECT_EQ(Streams(), 1u);
  Copy(4, 200, 300);
  EXPECT_EQ(Streams(), 1u) << "nobody reads the copy";
  Works(4, 200, kOut + 100);
  EXPECT_EQ(Streams(), 2u);
}

}  // namespace
}  // namespace warpcheck::order
