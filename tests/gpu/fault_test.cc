// Tests kernels that end in an error, and kernels that write where they must not.
#include <fmt/format.h>

#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::IsEmpty;

class Fault : public DeviceTest {
 protected:
  // Adds a kernel that writes `errors` as the driver does, and ends with `result`.
  void AddFault(CUresult result, const std::string& errors = "") {
    AddKernel([result, errors](std::span<const std::byte>) {
      std::fputs(errors.c_str(), stderr);
      return result;
    });
  }

  // Expects the result of the launch, and of every request after it.
  void ExpectFault(DeviceError error, FindingKind kind, const std::string& message) {
    const DeviceAddress array = Array(100);
    EXPECT_EQ(Launch(array), error);
    ASSERT_EQ(log.launches.size(), 1u);
    const LaunchRecord& record = log.launches[0];
    EXPECT_EQ(record.error, error);
    ASSERT_EQ(record.findings.size(), 1u);
    EXPECT_EQ(Name(record.findings[0].kind), Name(kind));
    EXPECT_EQ(record.findings[0].kernel, "scale(float*)");
    EXPECT_EQ(record.findings[0].message, message);
    ExpectSticky(array, error);
  }

  void ExpectSticky(DeviceAddress array, DeviceError error) {
    std::vector<std::byte> bytes(4);
    EXPECT_EQ(device().Allocate(100), tl::unexpected(error));
    EXPECT_EQ(device().Free(array), error);
    EXPECT_EQ(device().Write(array, bytes), error);
    EXPECT_EQ(device().Read(array, bytes), error);
    EXPECT_EQ(device().Copy(array, array + 4, 4), error);
    EXPECT_EQ(device().Fill(array, std::byte{0}, 4), error);
    EXPECT_EQ(device().LoadModule("ptx"), tl::unexpected(error));
    EXPECT_EQ(device().UnloadModule(1), error);
    EXPECT_EQ(Launch(array), error);
    EXPECT_EQ(device().Memory().total_bytes, 0u);
    EXPECT_EQ(log.launches.size(), 1u);
  }
};

TEST_F(Fault, IllegalAddress) {
  AddFault(CUDA_ERROR_ILLEGAL_ADDRESS);
  ExpectFault(DeviceError::kIllegalAddress, FindingKind::kIllegalAddress,
              "the kernel accesses an address where the device has no memory: an index far outside "
              "its array, a pointer to memory of the host, or null; the driver says "
              "CUDA_ERROR_NAME (700): the driver's words");
}

TEST_F(Fault, Misaligned) {
  AddFault(CUDA_ERROR_MISALIGNED_ADDRESS);
  ExpectFault(DeviceError::kMisalignedAddress, FindingKind::kMisaligned,
              "the kernel accesses an address that is not a multiple of the access width; the "
              "driver says CUDA_ERROR_NAME (716): the driver's words");
}

TEST_F(Fault, Trap) {
  AddFault(CUDA_ERROR_LAUNCH_FAILED);
  ExpectFault(DeviceError::kLaunchFailure, FindingKind::kTrap,
              "the kernel executes a trap, or accesses shared or local memory outside its bounds; "
              "the driver says CUDA_ERROR_NAME (719): the driver's words");
}

TEST_F(Fault, IllegalInstruction) {
  AddFault(CUDA_ERROR_ILLEGAL_INSTRUCTION);
  ExpectFault(DeviceError::kIllegalInstruction, FindingKind::kTrap,
              "the kernel executes an instruction that the GPU does not have, or __trap(); the "
              "driver says CUDA_ERROR_NAME (715): the driver's words");
}

TEST_F(Fault, Timeout) {
  AddFault(CUDA_ERROR_LAUNCH_TIMEOUT);
  ExpectFault(DeviceError::kLaunchTimeout, FindingKind::kBudgetExceeded,
              "the kernel did not end within the time that the driver gives a kernel; the driver "
              "says CUDA_ERROR_NAME (702): the driver's words");
}

TEST_F(Fault, Stack) {
  AddFault(CUDA_ERROR_HARDWARE_STACK_ERROR);
  ExpectFault(DeviceError::kLaunchFailure, FindingKind::kStackOverflow,
              "the kernel runs out of stack: a recursion without end, or local arrays that are too "
              "large; the driver says CUDA_ERROR_NAME (714): the driver's words");
}

TEST_F(Fault, AddressSpace) {
  AddFault(CUDA_ERROR_INVALID_ADDRESS_SPACE);
  ExpectFault(DeviceError::kLaunchFailure, FindingKind::kIllegalAddress,
              "the kernel accesses an address of another kind of memory than the instruction is "
              "for; the driver says CUDA_ERROR_NAME (717): the driver's words");
}

TEST_F(Fault, ProgramCounter) {
  AddFault(CUDA_ERROR_INVALID_PC);
  ExpectFault(DeviceError::kLaunchFailure, FindingKind::kTrap,
              "the kernel jumps where there is no code: a function pointer is wrong; the driver "
              "says CUDA_ERROR_NAME (718): the driver's words");
}

TEST_F(Fault, AnErrorThatNobodyKnows) {
  AddFault(CUDA_ERROR_ECC_UNCORRECTABLE);
  ExpectFault(DeviceError::kUnknown, FindingKind::kTrap,
              "the kernel ends in an error; the driver says CUDA_ERROR_NAME (214): the driver's "
              "words");
}

TEST_F(Fault, AssertIsReadFromStandardError) {
  AddFault(CUDA_ERROR_ASSERT,
           "noise\n"
           "dir/k.cu:12: void scale(float *): block: [1,2,3], thread: [4,5,6] Assertion `n > 3` "
           "failed.\n"
           "dir/k.cu:12: void scale(float *): block: [1,2,3], thread: [5,5,6] Assertion `n > 3` "
           "failed.\n");
  ExpectFault(DeviceError::kAssert, FindingKind::kDeviceAssert, "assert(n > 3) fails");
  const Finding& finding = log.launches[0].findings[0];
  EXPECT_EQ(finding.where.Text(), "dir/k.cu:12");
  EXPECT_EQ(finding.thread, (ThreadPosition{.block = {1, 2, 3}, .thread = {4, 5, 6}}));
  EXPECT_EQ(finding.count, 2u);
}

TEST_F(Fault, AssertWithoutText) {
  AddFault(CUDA_ERROR_ASSERT);
  ExpectFault(DeviceError::kAssert, FindingKind::kDeviceAssert,
              "the kernel fails an assert; the driver says CUDA_ERROR_NAME (710): the driver's "
              "words");
  EXPECT_FALSE(log.launches[0].findings[0].where.known());
}

TEST_F(Fault, ThatTheNextCallOfTheDriverShows) {
  AddKernel(nullptr);
  const LaunchRequest request = Request(Array(100));
  driver.lost = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_EQ(device().Launch(request), DeviceError::kIllegalAddress);
  ASSERT_EQ(log.launches.size(), 1u);
  EXPECT_EQ(log.launches[0].findings.size(), 1u);
}

class RedZones : public DeviceTest {
 protected:
  // Adds a kernel that writes zeros to [first, last] of its array.
  void AddWriter(std::ptrdiff_t first, std::ptrdiff_t last) {
    AddKernel([first, last](std::span<const std::byte> parameters) {
      for (std::ptrdiff_t i = first; i <= last; ++i) BytesAt(parameters)[i] = 0;
      return CUDA_SUCCESS;
    });
  }
  // Returns the messages of the last launch, which did not fail.
  std::vector<std::string> Messages(DeviceAddress array) {
    EXPECT_EQ(Launch(array), DeviceError::kSuccess);
    std::vector<std::string> messages;
    for (const Finding& finding : log.launches.back().findings) {
      EXPECT_EQ(finding.kind, FindingKind::kOutOfBoundsWrite);
      EXPECT_EQ(finding.kernel, "scale(float*)");
      messages.push_back(finding.message);
    }
    return messages;
  }
};

TEST_F(RedZones, AreQuietAboutWritesInside) {
  AddWriter(0, 99);
  EXPECT_THAT(Messages(Array(100)), IsEmpty());
}

TEST_F(RedZones, SeeTheFirstByteBehind) {
  AddWriter(0, 100);
  const DeviceAddress array = Array(100);
  Array(100);
  EXPECT_THAT(Messages(array),
              testing::ElementsAre(fmt::format("changes 1 byte at {:#x}, just past the end of the "
                                               "100-byte allocation at {:#x}",
                                               array + 100, array)));
}

TEST_F(RedZones, SeeTheLastByteBehind) {
  AddWriter(100 + 4092, 100 + 4095);
  const DeviceAddress array = Array(100);
  EXPECT_THAT(Messages(array), testing::ElementsAre(fmt::format(
                                   "changes 4 bytes, the first at {:#x}, 4,092 bytes past the end "
                                   "of the 100-byte allocation at {:#x}",
                                   array + 100 + 4092, array)));
}

TEST_F(RedZones, SeeWritesBefore) {
  AddWriter(-4, 10);
  const DeviceAddress array = Array(100);
  EXPECT_THAT(Messages(array), testing::ElementsAre(fmt::format(
                                   "changes 4 bytes, the first at {:#x}, 4 bytes before the start "
                                   "of the 100-byte allocation at {:#x}",
                                   array - 4, array)));
}

TEST_F(RedZones, AreRepaired) {
  AddWriter(100, 103);
  const DeviceAddress array = Array(100);
  EXPECT_EQ(Messages(array).size(), 1u);
  driver.kernels[0]->body = nullptr;
  EXPECT_THAT(Messages(array), IsEmpty());
  EXPECT_THAT(log.launches[0].findings, testing::SizeIs(1));
}

TEST_F(RedZones, CanBeLeftOut) {
  options.red_zone_bytes = 0;
  AddWriter(0, 99);
  EXPECT_THAT(Messages(Array(100)), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::gpu
