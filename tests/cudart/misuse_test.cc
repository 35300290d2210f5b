// Tests that each mistake in the use of the runtime is reported once, and that the same code
// without it is not.
#include "cudart/misuse.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <initializer_list>
#include <string>

#include "cudart/objects.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MisuseTest : public RuntimeTest {
 protected:
  ~MisuseTest() override { NoteLeftovers(); }

  int* DeviceInts(std::size_t count) {
    void* data = nullptr;
    EXPECT_EQ(cudaMalloc(&data, count * sizeof(int)), cudaSuccess);
    return static_cast<int*>(data);
  }
  // Returns the misuses of that kind, without those that the test fixture itself causes.
  std::vector<std::string> MisusesOf(FindingKind kind) const {
    std::vector<std::string> found;
    for (const std::string& one : device.misuses) {
      const std::string prefix = std::string(Name(kind)) + ": ";
      if (one.starts_with(prefix)) found.push_back(one.substr(prefix.size()));
    }
    return found;
  }

  Object misuse{"misuse"};
};

TEST_F(MisuseTest, ALaunchWhoseErrorNobodyAsksFor) {
  misuse.Call<void>("launches_too_many_threads");
  EXPECT_THAT(device.misuses, IsEmpty()) << "the program may still ask";
  NoteLeftovers();
  EXPECT_THAT(
      device.misuses,
      ElementsAre("unchecked_launch: the launch of touch(int*)<<<(1, 1, 1), (2048, 1, 1)>>> in "
                  "launches_too_many_threads failed with cudaErrorInvalidConfiguration, and the "
                  "program never checks this error: cudaGetLastError() after a launch returns it"));
  NoteLeftovers();
  EXPECT_EQ(device.misuses.size(), 1) << "it was told before";
}

TEST_F(MisuseTest, ALaunchWhoseErrorIsAskedForIsSilent) {
  EXPECT_EQ(misuse.Call("asks_for_the_error"), cudaErrorInvalidConfiguration);
  EXPECT_EQ(misuse.Call("takes_what_the_launch_returns"), cudaErrorInvalidConfiguration);
  misuse.Call<void>("launches_well");
  NoteLeftovers();
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(MisuseTest, CopiesInTheWrongDirection) {
  int host[4] = {};
  EXPECT_EQ(misuse.Call("copies_the_wrong_way", &host[0], DeviceInts(4)), cudaErrorInvalidValue);
  EXPECT_THAT(
      device.misuses,
      ElementsAre("wrong_copy: cudaMemcpy in copies_the_wrong_way did nothing: the destination is "
                  "device memory, but cudaMemcpyDeviceToHost needs memory of the host"));
}

TEST_F(MisuseTest, CopiesThatAreTooLong) {
  int host[64] = {};
  EXPECT_EQ(misuse.Call("copies_too_much", &host[0], DeviceInts(4), 20), cudaErrorInvalidValue);
  EXPECT_EQ(misuse.Call("fills_too_much", DeviceInts(4), 17), cudaErrorInvalidValue);
  EXPECT_EQ(misuse.Call("copies_to_symbol", &host[0], 20), cudaErrorInvalidValue);
  EXPECT_THAT(
      device.misuses,
      ElementsAre("wrong_copy: cudaMemcpy in copies_too_much did nothing: the destination is too "
                  "small: 20 bytes from byte 0 of an allocation of 16 bytes",
                  "wrong_copy: cudaMemset in fills_too_much did nothing: the destination is too "
                  "small: 17 bytes from byte 0 of an allocation of 16 bytes",
                  "wrong_copy: cudaMemcpyToSymbol in copies_to_symbol did nothing: 20 bytes "
                  "from byte 0 of counter, which has 16 bytes"));
}

TEST_F(MisuseTest, CopiesFromNullAndToFreedMemory) {
  int* const freed = DeviceInts(4);
  EXPECT_EQ(cudaFree(freed), cudaSuccess);
  int host[4] = {};
  EXPECT_EQ(misuse.Call("copies_too_much", &host[0], freed, 16), cudaErrorInvalidValue);
  EXPECT_EQ(misuse.Call("copies_too_much", static_cast<int*>(nullptr), DeviceInts(4), 16),
            cudaErrorInvalidValue);
  EXPECT_THAT(device.misuses,
              ElementsAre("wrong_copy: cudaMemcpy in copies_too_much did nothing: the destination "
                          "is not memory of the host or of the device (was it freed?)",
                          "wrong_copy: cudaMemcpy in copies_too_much did nothing: the source is a "
                          "null pointer"));
}

TEST_F(MisuseTest, CopiesThatFitAreSilent) {
  int host[4] = {};
  EXPECT_EQ(misuse.Call("copies_too_much", &host[0], DeviceInts(4), 16), cudaSuccess);
  EXPECT_EQ(misuse.Call("fills_too_much", DeviceInts(4), 16), cudaSuccess);
  EXPECT_EQ(misuse.Call("copies_to_symbol", &host[0], 16), cudaSuccess);
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(MisuseTest, HandlesThatAreGone) {
  EXPECT_EQ(misuse.Call("records_a_destroyed_event"), cudaErrorInvalidResourceHandle);
  misuse.Call<void>("launches_in_a_destroyed_stream");
  EXPECT_EQ(misuse.Call("waits_for_nothing_known"), cudaErrorInvalidResourceHandle);
  EXPECT_THAT(
      MisusesOf(FindingKind::kInvalidHandle),
      ElementsAre(
          "cudaEventRecord in records_a_destroyed_event gets an event that was destroyed "
          "before: it returned cudaErrorInvalidResourceHandle",
          "a kernel launch in launches_in_a_destroyed_stream gets a stream that was "
          "destroyed before: it returned cudaErrorInvalidResourceHandle",
          "cudaStreamSynchronize in waits_for_nothing_known gets a stream or event that was "
          "never created: it returned cudaErrorInvalidResourceHandle"));
}

TEST_F(MisuseTest, HandlesInUseAreSilent) {
  EXPECT_EQ(misuse.Call("uses_streams_well"), cudaSuccess);
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(MisuseTest, WrongFrees) {
  int host = 0;
  EXPECT_EQ(misuse.Call("frees_twice"), cudaErrorInvalidValue);
  EXPECT_EQ(misuse.Call("frees_the_middle"), cudaErrorInvalidValue);
  EXPECT_EQ(misuse.Call("frees_pinned_memory_as_device_memory"), cudaErrorInvalidValue);
  EXPECT_EQ(misuse.Call("frees_what_it_did_not_allocate", static_cast<void*>(&host)),
            cudaErrorInvalidValue);
  EXPECT_THAT(
      device.misuses,
      ElementsAre("invalid_free: cudaFree in frees_twice cannot free its argument: it was "
                  "freed before",
                  "invalid_free: cudaFree in frees_the_middle cannot free its argument: it points "
                  "to byte 16 of an allocation of 64 bytes: pass the address of its first byte",
                  "invalid_free: cudaFree in frees_pinned_memory_as_device_memory cannot "
                  "free its argument: it was allocated by another call: free it with cudaFreeHost",
                  "invalid_free: cudaFree in frees_what_it_did_not_allocate cannot free its "
                  "argument: the program did not allocate it"));
}

TEST_F(MisuseTest, LeaksAreToldAtTheEnd) {
  EXPECT_EQ(misuse.Call("leaks"), cudaSuccess);
  EXPECT_THAT(device.misuses, IsEmpty());
  NoteLeftovers();
  EXPECT_THAT(
      device.misuses,
      ElementsAre("leak: cudaMalloc in leaks allocates 2 times 64 bytes, and nothing frees them",
                  "leak: cudaMallocHost in leaks allocates 4,096 bytes, and nothing frees them"));
}

TEST_F(MisuseTest, WhatAnErrorThatStaysKeepsFromBeingFreedIsNoLeak) {
  EXPECT_EQ(misuse.Call("leaks"), cudaSuccess);
  EXPECT_EQ(misuse.Call("creates_and_destroys_nothing"), cudaSuccess);
  device.on_launch = [](const LaunchRequest&) { return DeviceError::kIllegalAddress; };
  misuse.Call<void>("launches_well");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  NoteLeftovers();
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(MisuseTest, WhatIsFreedIsNoLeak) {
  EXPECT_EQ(misuse.Call("frees_all"), cudaSuccess);
  EXPECT_EQ(misuse.Call("leaks"), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  NoteLeftovers();
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(MisuseTest, StreamsAndEventsThatAreNeverDestroyed) {
  EXPECT_EQ(misuse.Call("destroys_what_it_creates"), cudaSuccess);
  NoteLeftovers();
  EXPECT_THAT(device.misuses, IsEmpty());
  EXPECT_EQ(misuse.Call("creates_and_destroys_nothing"), cudaSuccess);
  NoteLeftovers();
  EXPECT_THAT(device.misuses, ElementsAre("leaked_handle: the event of cudaEventCreate in "
                                          "creates_and_destroys_nothing is never destroyed",
                                          "leaked_handle: 2 streams of cudaStreamCreate in "
                                          "creates_and_destroys_nothing are never destroyed"));
}

class LateCopyTest : public MisuseTest {
 protected:
  enum Wait { kNone, kStream, kOtherStream, kEvent, kDevice, kLaunch };
  int CopiesLate(Wait wait) {
    int* const data = DeviceInts(1);
    const int value = 7;
    EXPECT_EQ(cudaMemcpy(data, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
    const int seen = misuse.Call("copies_late", data, static_cast<int>(wait));
    NoteLeftovers();
    return seen;
  }
};

TEST_F(LateCopyTest, ArriveWhenTheProgramWaits) {
  EXPECT_EQ(CopiesLate(kStream), 107);
  EXPECT_EQ(CopiesLate(kEvent), 107);
  EXPECT_EQ(CopiesLate(kDevice), 107);
  EXPECT_THAT(MisusesOf(FindingKind::kUnfinishedCopy), IsEmpty());
}

TEST_F(LateCopyTest, DoNotArriveBefore) {
  EXPECT_EQ(CopiesLate(kNone), 101);
  EXPECT_THAT(
      MisusesOf(FindingKind::kUnfinishedCopy),
      ElementsAre("the program does not wait for cudaMemcpyAsync in copies_late, which copies "
                  "4 bytes to the host: the host may still read the old "
                  "bytes there"));
}

TEST_F(LateCopyTest, ArriveLateEvenIfNobodyAsksForTheOrder) {
  Attach(&device, false);
  EXPECT_EQ(CopiesLate(kStream), 107);
  EXPECT_EQ(CopiesLate(kNone), 101);
  EXPECT_EQ(MisusesOf(FindingKind::kUnfinishedCopy).size(), 1);
  EXPECT_THAT(MisusesOf(FindingKind::kUnorderedUse), IsEmpty());
}

// A loop of many steps copies a residual in each step and waits once at its end. The records do not
// grow with the steps; when they did, this took minutes.
TEST_F(LateCopyTest, ManyOfALoopAreToldOnce) {
  constexpr int kSteps = 50'000;
  int* const data = DeviceInts(1);
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocDefault), cudaSuccess);
  cudaStream_t stream = nullptr;
  cudaStream_t second = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  for (int step = 0; step < kSteps; ++step) {
    // The host may learn from a function that the work before it is done, so it comes first.
    ASSERT_EQ(cudaLaunchHostFunc(
                  stream, [](void*) {}, nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaMemcpyAsync(pinned, data, sizeof(int), cudaMemcpyDeviceToHost, stream),
              cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
  }
  NoteLeftovers();
  EXPECT_EQ(MisusesOf(FindingKind::kUnfinishedCopy).size(), 1);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(LateCopyTest, OfBoxesArriveLateToo) {
  char* const data = reinterpret_cast<char*>(DeviceInts(4));
  EXPECT_EQ(cudaMemset(data, '#', 16), cudaSuccess);
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 16, cudaHostAllocDefault), cudaSuccess);
  const auto text = [&] { return std::string(static_cast<const char*>(pinned), 16); };
  const auto clear = [&] { std::memset(pinned, '.', 16); };
  clear();
  EXPECT_EQ(cudaMemcpy2DAsync(pinned, 4, data, 4, 2, 3, cudaMemcpyDeviceToHost, nullptr),
            cudaSuccess);
  EXPECT_EQ(text(), "................");
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(text(), "##..##..##......");
  clear();
  cudaMemcpy3DParms box{};
  box.srcPtr = {.ptr = data, .pitch = 2, .xsize = 2, .ysize = 2};
  box.dstPtr = {.ptr = pinned, .pitch = 4, .xsize = 2, .ysize = 2};
  box.extent = {.width = 2, .height = 2, .depth = 2};
  box.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3DAsync(&box, nullptr), cudaSuccess);
  EXPECT_EQ(text(), "................");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(text(), "##..##..##..##..");
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

// The next work in the device's order sees the bytes of a late copy.
TEST_F(LateCopyTest, AreDeliveredToACopyInThreeDimensions) {
  char* const data = reinterpret_cast<char*>(DeviceInts(4));
  EXPECT_EQ(cudaMemset(data, '#', 8), cudaSuccess);
  EXPECT_EQ(cudaMemset(data + 8, '.', 8), cudaSuccess);
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 8, cudaHostAllocDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(pinned, data, 8, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  cudaMemcpy3DParms box{};
  box.srcPtr = {.ptr = pinned, .pitch = 4, .xsize = 4, .ysize = 2};
  box.dstPtr = {.ptr = data + 8, .pitch = 4, .xsize = 4, .ysize = 2};
  box.extent = {.width = 4, .height = 2, .depth = 1};
  box.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3DAsync(&box, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::array<char, 8> back{};
  EXPECT_EQ(cudaMemcpy(back.data(), data + 8, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::string(back.data(), 8), "########");
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(LateCopyTest, AnotherStreamSaysNothingAboutThem) {
  EXPECT_EQ(CopiesLate(kOtherStream), 101);
  EXPECT_EQ(MisusesOf(FindingKind::kUnfinishedCopy).size(), 1);
}

TEST_F(LateCopyTest, KernelsSeeThemAndNobodyHasWaited) {
  EXPECT_EQ(CopiesLate(kLaunch), 107);
  EXPECT_EQ(MisusesOf(FindingKind::kUnfinishedCopy).size(), 1);
}

TEST_F(LateCopyTest, ArriveThroughAStreamThatWaitsForTheirEvent) {
  int* const data = DeviceInts(1);
  const int value = 7;
  EXPECT_EQ(cudaMemcpy(data, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(misuse.Call("copies_late_through_a_second_stream", data), 7);
  NoteLeftovers();
  EXPECT_THAT(MisusesOf(FindingKind::kUnfinishedCopy), IsEmpty());
}

class LateKernelTest : public MisuseTest {
 protected:
  enum Wait {
    kNobody,
    kItsStream,
    kDefaultStream,
    kItsEvent,
    kEventBefore,
    kTheDevice,
    kDefaultAfterEvent,
    kBlockingAfterEvent,
  };
  std::vector<std::string> Unfinished(Wait wait) {
    device.misuses.clear();
    misuse.Call<void>("launches_in_a_stream_of_its_own", DeviceInts(32), static_cast<int>(wait));
    NoteLeftovers();
    return MisusesOf(FindingKind::kUnfinishedKernel);
  }
};

TEST_F(LateKernelTest, InANonBlockingStreamThatNobodyWaitsFor) {
  EXPECT_THAT(Unfinished(kNobody),
              ElementsAre("the program does not wait for touch(int*) in a non-blocking stream: its "
                          "results may not be there yet when the default stream goes on"));
}

TEST_F(LateKernelTest, TheDefaultStreamDoesNotWaitForIt) {
  EXPECT_EQ(Unfinished(kDefaultStream).size(), 1);
}

TEST_F(LateKernelTest, AnEventBeforeItDoesNotWaitForIt) {
  EXPECT_EQ(Unfinished(kEventBefore).size(), 1);
}

TEST_F(LateKernelTest, WhoeverWaitsIsSilent) {
  for (const Wait wait :
       {kItsStream, kItsEvent, kTheDevice, kDefaultAfterEvent, kBlockingAfterEvent}) {
    EXPECT_THAT(Unfinished(wait), IsEmpty()) << wait;
  }
}

TEST_F(LateKernelTest, StreamsThatTheDefaultStreamWaitsForAreSilent) {
  misuse.Call<void>("launches_in_blocking_streams", DeviceInts(32));
  NoteLeftovers();
  EXPECT_THAT(MisusesOf(FindingKind::kUnfinishedKernel), IsEmpty());
}

class HostFaultTest : public RuntimeTest {
 protected:
  static HostFault At(std::initializer_list<std::uintptr_t> addresses) {
    HostFault fault;
    for (const std::uintptr_t address : addresses) fault.AddAddress(address);
    fault.SetCode(0);
    return fault;
  }
};

TEST_F(HostFaultTest, NamesTheArray) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 64), cudaSuccess);
  NoteHostFault(Runtime::Get(), At({Address(data) + 28}));
  EXPECT_THAT(device.misuses, ElementsAre(HasSubstr(
                                  "device_memory_on_host: code of the host uses byte 28 of the 64 "
                                  "bytes of cudaMalloc")));
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(HostFaultTest, OtherFaultsAreNoMisuse) {
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  NoteHostFault(Runtime::Get(), At({8, Address(pinned)}));
  EXPECT_THAT(device.misuses, IsEmpty());
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

}  // namespace
}  // namespace warpcheck::cudart
