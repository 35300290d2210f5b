#include "checks/host_call_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using Kind = HostCall::Kind;
using Memory = HostCall::Memory;
using WaitsFor = HostCall::WaitsFor;
using testing::AllOf;
using testing::ElementsAre;
using testing::Eq;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

// A copy to the device in line 30 and a kernel in line 31, for each piece.
class HostCallMatchers : public testing::Test {
 protected:
  HostCallMatchers() {
    calls_.streams = {{.name = "the default stream", .is_default = true},
                      {.name = "stream 1"},
                      {.name = "stream 2"}};
  }

  void Add(HostCall call) {
    calls_.totals.Add(call);
    calls_.calls.push_back(std::move(call));
  }

  void AddPiece(std::uint32_t stream, std::uint64_t begin, bool asynchronous = true,
                Memory host = Memory::kPinned) {
    Add({.kind = Kind::kCopy,
         .function = asynchronous ? "cudaMemcpyAsync" : "cudaMemcpy",
         .where = {"overlap.cu", 30, 0},
         .stream = asynchronous ? stream : 0,
         .from = host,
         .to = Memory::kDevice,
         .bytes = 100,
         .asynchronous = asynchronous,
         .waits_for = asynchronous ? WaitsFor::kNothing : WaitsFor::kEarlierWork,
         .uses = {{MemoryUse::Kind::kWrite, begin, begin + 100}}});
    Add({.kind = Kind::kKernel,
         .function = "a kernel launch",
         .where = {"overlap.cu", 31, 0},
         .stream = stream,
         .kernel = "scale(float*)",
         .uses = {{MemoryUse::Kind::kWrite, begin, begin + 100}}});
  }
  void AddWait() {
    Add({.kind = Kind::kHostWait,
         .function = "cudaDeviceSynchronize",
         .where = {"overlap.cu", 32, 0},
         .waits_for = WaitsFor::kDevice});
  }

  Trial Made() const {
    Trial trial = ReturnedTrial();
    trial.host_calls = std::make_shared<const HostCalls>(calls_);
    return trial;
  }
  template <class M>
  std::vector<CaseFailure> Judge(const M& matcher) const {
    return FailuresOf(Made(), matcher);
  }

  HostCalls calls_;
};

// Matches one failure with this text in the message and this one in the hint.
auto FailsWith(const std::string& message, const std::string& hint, int line = 30) {
  return ElementsAre(Field(&CaseFailure::complaint,
                           AllOf(Field(&Complaint::message, HasSubstr(message)),
                                 Field(&Complaint::hint, HasSubstr(hint)),
                                 Field(&Complaint::where, SourceLocation{"overlap.cu", line, 0}))));
}

TEST_F(HostCallMatchers, AcceptPiecesInTwoStreams) {
  for (std::uint64_t piece = 0; piece < 4; ++piece) {
    AddPiece(1 + static_cast<std::uint32_t>(piece % 2), 100 * piece);
  }
  AddWait();
  EXPECT_THAT(Judge(UsesStreams(Ge(2))), IsEmpty());
  EXPECT_THAT(Judge(CopiesAreAsynchronous()), IsEmpty());
  EXPECT_THAT(Judge(OverlapsCopiesWithKernels()), IsEmpty());
  EXPECT_THAT(Judge(OverlapsCopiesWithKernels(Ge(0.9))), IsEmpty());
  EXPECT_THAT(Judge(CopiesToDevice(Le(4))), IsEmpty());
  EXPECT_THAT(Judge(CopiesToHost(Eq(0))), IsEmpty());
  EXPECT_THAT(Judge(WaitsForTheDeviceAtMost(0)), IsEmpty());
}

TEST_F(HostCallMatchers, CountBytesAndLaunches) {
  AddPiece(1, 0);
  const auto copy = [](Memory from, Memory to, std::uint64_t count) {
    return HostCall{.kind = Kind::kCopy,
                    .function = "cudaMemcpy",
                    .where = {"overlap.cu", 30, 0},
                    .from = from,
                    .to = to,
                    .bytes = 8,
                    .count = count};
  };
  Add(copy(Memory::kDevice, Memory::kPageable, 3));
  Add(copy(Memory::kDevice, Memory::kDevice, 2));
  Add(copy(Memory::kManaged, Memory::kDevice, 1));
  EXPECT_THAT(Judge(BytesToHost(Eq(24))), IsEmpty());
  EXPECT_THAT(Judge(BytesToHost(Le(23))),
              FailsWith("24 bytes are copied from the device to the host; target: <= 23\n  "
                        "overlap.cu:30: cudaMemcpy in the default stream, copy to the host",
                        "copy only these"));
  // The copy of the piece is the only one from the host.
  EXPECT_THAT(Judge(BytesToDevice(Ge(100))), IsEmpty());
  EXPECT_THAT(Judge(BytesToDevice(Ge(101))),
              FailsWith("100 bytes are copied from the host to device memory; target: >= 101",
                        "memory that cudaMalloc gives", 30));
  EXPECT_THAT(Judge(BytesOnTheDevice(Eq(24))), IsEmpty());
  EXPECT_THAT(
      Judge(BytesOnTheDevice(Le(16))),
      FailsWith("copies on the device move 24 bytes; target: <= 16", "exchange the pointers"));
  EXPECT_THAT(Judge(KernelLaunches(Eq(1))), IsEmpty());
  EXPECT_THAT(Judge(KernelLaunches(Ge(2))),
              FailsWith("kernels are launched 1 time; target: >= 2", "", 31));

  // Two equal launches, and one that was refused.
  Trial trial = Made();
  trial.launches = {LaunchOf("k"), LaunchOf("k")};
  trial.launches[0].grid = {3, 2, 1};
  trial.launches[0].block = {32, 4, 1};
  trial.launches[0].launches = 2;
  trial.launches[1].error = DeviceError::kInvalidValue;
  EXPECT_THAT(FailuresOf(trial, LaunchedThreads(Le(1536))), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, LaunchedThreads(Le(1535))),
              FailsWith("all launches together have 1,536 threads; target: <= 1535",
                        "the size of the grid", 31));

  // The host may also read memory that it shares with the device.
  trial.traffic.read_back = 100;
  EXPECT_THAT(FailuresOf(trial, BytesToHost(Le(99))),
              FailsWith("100 bytes are copied from the device to the host", ""));
  // Copies that are left out of the list could be of any size.
  calls_.left_out = 1;
  EXPECT_THAT(Judge(BytesOnTheDevice(Le(1000))),
              ElementsAre(Field(&CaseFailure::complaint,
                                Field(&Complaint::message, HasSubstr("not recorded: 1 call")))));
  EXPECT_THAT(Judge(IsFinishedOnReturn()), SizeIs(1)) << "nobody knows what was left out";
}

TEST_F(HostCallMatchers, CountBytesThatKernelsReadAndNothingWrote) {
  const auto use = [](MemoryUse::Kind kind, DeviceAddress begin, DeviceAddress end) {
    return MemoryUse{kind, begin, end};
  };
  const auto add = [&](Kind kind, int line, std::vector<MemoryUse> uses) {
    Add({.kind = kind, .where = {"overlap.cu", line, 0}, .stream = 1, .uses = std::move(uses)});
  };
  using enum MemoryUse::Kind;
  add(Kind::kCopy, 30, {use(kRead, 5000, 5100), use(kWrite, 100, 200)});
  add(Kind::kFill, 30, {use(kWrite, 200, 300)});
  add(Kind::kCopy, 30, {use(kWrite, 320, 400), use(kWrite, 90, 110)});
  // The copies and the fill wrote [90, 300) and [320, 400).
  add(Kind::kKernel, 31, {use(kRead, 95, 400), use(kAtomic, 400, 404)});
  add(Kind::kKernel, 31, {use(kRead, 100, 300), use(kRead, 390, 404)});
  EXPECT_THAT(Judge(BytesReadUncopied(Eq(20))), IsEmpty());
  EXPECT_THAT(Judge(BytesReadUncopied(Le(19))),
              FailsWith("kernels read 20 bytes that no copy, fill or kernel of this call wrote "
                        "before; target: <= 19",
                        "not the memory of the host", 31));
  // This is where a copy reads. What a kernel reads before it writes it was not copied either.
  add(Kind::kKernel, 31, {use(kRead, 5000, 5100)});
  add(Kind::kKernel, 31, {use(kRead, 80, 95), use(kWrite, 80, 95)});
  EXPECT_THAT(Judge(BytesReadUncopied(Eq(20 + 100 + 10))), IsEmpty());
}

TEST_F(HostCallMatchers, NameTheLinesOfOneStream) {
  AddPiece(1, 0);
  AddPiece(1, 100);
  EXPECT_THAT(Judge(UsesStreams(Ge(2))),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "copies and kernels use 1 stream besides the default stream; target: >= 2\n  "
                  "overlap.cu:30: cudaMemcpyAsync in stream 1, copy to the device, 100 bytes, 2 "
                  "times\n  overlap.cu:31: a kernel launch in stream 1, kernel scale, 2 times",
                  "make streams with cudaStreamCreate, and name one in each copy "
                  "(cudaMemcpyAsync) and each launch (<<<grid, block, 0, stream>>>)",
                  {"overlap.cu", 30, 0})));
  EXPECT_THAT(Judge(OverlapsCopiesWithKernels()),
              FailsWith("no copy can overlap with a kernel", "cut the work into pieces"));
}

TEST_F(HostCallMatchers, NameTheWaitThatPreventsOverlap) {
  AddPiece(1, 0);
  AddWait();
  AddPiece(2, 100);
  AddWait();
  EXPECT_THAT(Judge(OverlapsCopiesWithKernels()),
              FailsWith("no copy can overlap", "remove cudaDeviceSynchronize (overlap.cu:32)"));
  EXPECT_THAT(Judge(WaitsForTheDeviceAtMost(0)),
              FailsWith("the host waits 1 time for all work of the device although more work "
                        "follows; at most 0 allowed",
                        "wait once, after the last operation", 32));
  EXPECT_THAT(Judge(WaitsForTheDeviceAtMost(1)), IsEmpty());
}

TEST_F(HostCallMatchers, NameWhatMayStillRun) {
  AddPiece(1, 0);
  AddPiece(2, 100);
  EXPECT_THAT(Judge(IsFinishedOnReturn()),
              FailsWith("work may still run on the device when the function returns: the host has "
                        "not waited for it\n  overlap.cu:31: a kernel launch in stream 1, kernel "
                        "scale\n  overlap.cu:31: a kernel launch in stream 2",
                        "cudaDeviceSynchronize once", 31));
  AddWait();
  EXPECT_THAT(Judge(IsFinishedOnReturn()), IsEmpty());
}

// The kernel of the second piece writes what nobody looks at.
TEST_F(HostCallMatchers, CountOnlyWhatTheResultNeedsIfTheDeviceTells) {
  AddPiece(1, 0);
  AddPiece(2, 100);
  for (HostCall& call : calls_.calls) {
    if (call.kind == Kind::kKernel) {
      call.uses.push_back({MemoryUse::Kind::kRead, call.uses[0].begin, call.uses[0].end});
    }
  }
  Trial trial = Made();
  trial.launches = {LaunchOf("scale")};
  EXPECT_THAT(FailuresOf(trial, UsesStreams(Ge(2))), IsEmpty()) << "a GPU tells nothing";
  trial.launches[0].counters.Set(Counter::kBusiestBlockBytes, 100);
  const auto output = [](DeviceAddress begin, std::size_t bytes) {
    ArrayEnd array;
    array.start = std::make_shared<ArrayStart>(
        ArrayStart{typeid(char), {bytes}, std::vector<std::byte>(bytes), false});
    array.address = begin;
    return array;
  };
  trial.arrays = {output(0, 100)};
  EXPECT_THAT(FailuresOf(trial, UsesStreams(Ge(2))),
              FailsWith("copies and kernels that the result needs use 1 stream", ""));
  EXPECT_THAT(FailuresOf(trial, BytesToDevice(Ge(101))),
              FailsWith("100 bytes that the result needs are copied", ""));
  EXPECT_THAT(FailuresOf(trial, OverlapsCopiesWithKernels()),
              FailsWith("no copy can overlap with a kernel that works for the result", ""));
  trial.arrays = {output(0, 200)};
  EXPECT_THAT(FailuresOf(trial, UsesStreams(Ge(2))), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, BytesToDevice(Ge(200))), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, OverlapsCopiesWithKernels(Ge(0.9))), IsEmpty());
}

TEST_F(HostCallMatchers, TellSynchronousCopiesFromPageableMemory) {
  AddPiece(1, 0, false, Memory::kPageable);
  EXPECT_THAT(
      Judge(CopiesAreAsynchronous()),
      FailsWith("the host waits until each of these copies is done", "pinned memory of the host"));
  calls_.calls.clear();
  AddPiece(1, 0, true, Memory::kPageable);
  EXPECT_THAT(Judge(CopiesAreAsynchronous()),
              FailsWith("these asynchronous copies make the host wait", "cudaMallocHost"));
}

TEST_F(HostCallMatchers, CountCopiesThatAreNotListed) {
  AddPiece(1, 0);
  calls_.totals.copies_to_device = 5000;
  calls_.left_out = 9998;
  EXPECT_THAT(Judge(CopiesToDevice(Le(5000))), IsEmpty());
  EXPECT_THAT(
      Judge(CopiesToDevice(Le(1))),
      FailsWith("5,000 copies to the device; target: <= 1\n  overlap.cu:30: cudaMemcpyAsync in "
                "stream 1, copy to the device, 100 bytes\n  not listed: 9,998 further calls",
                "in one call"));
}

TEST_F(HostCallMatchers, AskForAShareOfTheBytes) {
  AddPiece(1, 0);
  AddPiece(2, 100);
  AddWait();
  AddPiece(1, 0);
  EXPECT_THAT(Judge(OverlapsCopiesWithKernels()), IsEmpty());
  EXPECT_THAT(Judge(OverlapsCopiesWithKernels(Ge(0.9))),
              FailsWith("only 200 of 300 copied bytes can overlap with a kernel", ""));
}

TEST_F(HostCallMatchers, JudgeNoCallWithoutARecordThatAgrees) {
  Trial trial = EndedTrial(remote::CallEnd::kDisconnected);
  EXPECT_THAT(FailuresOf(trial, CopiesAreAsynchronous()),
              ElementsAre(Field(&CaseFailure::verdict, Verdict::kSkipped)));
  trial = Made();
  trial.host_calls_doubt = "the device saw 1 kernels";
  EXPECT_THAT(FailuresOf(trial, UsesStreams(Ge(0))),
              ElementsAre(Field(&CaseFailure::complaint,
                                Field(&Complaint::message, HasSubstr("cannot be judged: the device "
                                                                     "saw 1 kernels")))));
}

}  // namespace
}  // namespace warpcheck
