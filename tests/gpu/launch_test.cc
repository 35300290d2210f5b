// Tests launches that run, and launches that are refused.
#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LaunchTest : public DeviceTest {
 protected:
  // Expects that the launch is refused with `error` and this finding, and changes nothing.
  void ExpectRefused(const LaunchRequest& request, DeviceError error, const std::string& message) {
    const std::size_t ran = driver.launches.size();
    EXPECT_EQ(device().Launch(request), error);
    EXPECT_EQ(driver.launches.size(), ran);
    ASSERT_FALSE(log.launches.empty());
    const LaunchRecord& record = log.launches.back();
    EXPECT_EQ(record.error, error);
    ASSERT_EQ(record.findings.size(), 1u);
    EXPECT_EQ(record.findings[0].kind, FindingKind::kInvalidLaunch);
    EXPECT_EQ(record.findings[0].kernel, "scale(float*)");
    EXPECT_EQ(record.findings[0].message, message);
    EXPECT_EQ(record.not_measured, "");
    driver.kernels[0]->body = nullptr;
    EXPECT_EQ(device().Launch(Request(0)), DeviceError::kSuccess);  // the error is not sticky
  }
};

TEST_F(LaunchTest, RunsTheKernelWithItsParameters) {
  AddKernel([](std::span<const std::byte> parameters) {
    BytesAt(parameters)[99] = 5;
    return CUDA_SUCCESS;
  });
  const DeviceAddress array = Array(100);
  EXPECT_EQ(Launch(array), DeviceError::kSuccess);
  std::vector<std::byte> read(1);
  EXPECT_EQ(device().Read(array + 99, read), DeviceError::kSuccess);
  EXPECT_EQ(read[0], std::byte{5});
}

TEST_F(LaunchTest, RecordsTheLaunch) {
  FakeKernel& kernel = AddKernel(nullptr);
  kernel.static_shared = 1000;
  kernel.registers = 40;
  kernel.local_bytes = 8;
  LaunchRequest request = Request(Array(100));
  request.grid = {7, 2, 3};
  request.block = {33, 3, 1};
  request.dynamic_shared_bytes = 24;
  EXPECT_EQ(device().Launch(request), DeviceError::kSuccess);
  LaunchRecord expected;
  expected.kernel = "scale(float*)";
  expected.grid = {7, 2, 3};
  expected.block = {33, 3, 1};
  expected.shared_bytes = 1024;
  expected.not_measured = "counters were not asked for";
  LaunchResources resources;
  resources.registers = 40;
  resources.local_bytes = 8;
  resources.active_blocks = 4;
  resources.occupancy = 0.25;  // 4 blocks of 4 warps; a multiprocessor can run 64 warps
  expected.resources = resources;
  EXPECT_THAT(log.launches, ElementsAre(expected));
}

TEST_F(LaunchTest, AllowsMuchDynamicSharedMemory) {
  FakeKernel& kernel = AddKernel(nullptr);
  kernel.static_shared = 1024;
  LaunchRequest request = Request(0);
  request.allowed_shared_bytes = 232448;
  request.dynamic_shared_bytes = 48 << 10;
  EXPECT_EQ(device().Launch(request), DeviceError::kSuccess);
  EXPECT_EQ(kernel.allowed_shared, 48 << 10);
  request.dynamic_shared_bytes = 232448 - 1024;
  EXPECT_EQ(device().Launch(request), DeviceError::kSuccess);
  EXPECT_EQ(kernel.allowed_shared, 232448 - 1024);
}

TEST_F(LaunchTest, LaunchesCooperatively) {
  AddKernel([](std::span<const std::byte> parameters) {
    BytesAt(parameters)[0] = 5;
    return CUDA_SUCCESS;
  });
  LaunchRequest request = Request(Array(100));
  request.cooperative = true;
  request.grid = {4 * 132, 1, 1};
  EXPECT_EQ(device().Launch(request), DeviceError::kSuccess);
  EXPECT_THAT(driver.launches, ElementsAre("_Z5scalePf cooperative"));
  request.grid = {4 * 132 + 1, 1, 1};
  ExpectRefused(
      request, DeviceError::kCooperativeLaunchTooLarge,
      "the launch of scale(float*) fails with cudaErrorCooperativeLaunchTooLarge: a cooperative "
      "launch needs room for all its 529 blocks at once, and the device holds 528: 4 on each "
      "of 132 multiprocessors (see cudaOccupancyMaxActiveBlocksPerMultiprocessor); "
      "launch fewer blocks, and let each do more of the work");
}

TEST_F(LaunchTest, LaunchesAKernelWithoutParameters) {
  driver.Add({.name = "nothing"});
  LaunchRequest request = Request(0);
  request.kernel = "nothing";
  request.parameters.clear();
  EXPECT_EQ(device().Launch(request), DeviceError::kSuccess);
  EXPECT_THAT(driver.launches, ElementsAre("nothing"));
}

TEST_F(LaunchTest, RefusesWhatDoesNotExist) {
  AddKernel(nullptr);
  LaunchRequest request = Request(0);
  request.kernel = "other";
  EXPECT_EQ(device().Launch(request), DeviceError::kInvalidDeviceFunction);
  request.module = 77;
  EXPECT_EQ(device().Launch(request), DeviceError::kInvalidResourceHandle);
  EXPECT_THAT(log.launches, IsEmpty());
}

TEST_F(LaunchTest, RefusesExtentsBeyondTheDevice) {
  AddKernel(nullptr);
  LaunchRequest request = Request(0);
  request.grid = {0, 1, 1};
  ExpectRefused(
      request, DeviceError::kInvalidValue,
      "the launch of scale(float*) fails with cudaErrorInvalidValue: gridDim.x is 0 in a grid of "
      "0x1x1 blocks: round up with (n + block - 1) / block, and do not launch if n is 0");
  request.grid = {1, 70000, 1};
  ExpectRefused(
      request, DeviceError::kInvalidValue,
      "the launch of scale(float*) fails with cudaErrorInvalidValue: gridDim.y is 70000 in a grid "
      "of 1x70000x1 blocks, and the limit is 65535: use x for the largest extent, or let "
      "each block do more of the work");
  request.grid = {};
  request.block = {1, 1, 65};
  ExpectRefused(
      request, DeviceError::kInvalidValue,
      "the launch of scale(float*) fails with cudaErrorInvalidValue: blockDim.z is 65 in a block "
      "of 1x1x65 threads, and the limit is 64: use more blocks");
  request.block = {33, 32, 1};
  ExpectRefused(request, DeviceError::kInvalidValue,
                "the launch of scale(float*) fails with cudaErrorInvalidValue: a block of 33x32x1 "
                "has 1056 threads, "
                "and the limit is 1024: use smaller blocks, or let each thread process "
                "several elements");
}

TEST_F(LaunchTest, RefusesTooMuchSharedMemory) {
  AddKernel(nullptr).static_shared = 1000;
  LaunchRequest request = Request(0);
  request.dynamic_shared_bytes = 232448;
  ExpectRefused(
      request, DeviceError::kInvalidValue,
      "the launch of scale(float*) fails with cudaErrorInvalidValue: a block asks for 232448 "
      "bytes of dynamic shared memory and has 1000 bytes of __shared__ arrays, and the limit "
      "for both together is 232448: use a smaller tile");
}

TEST_F(LaunchTest, RefusesAnotherParameterBlock) {
  AddKernel(nullptr);
  LaunchRequest request = Request(0);
  request.parameters.resize(12);
  ExpectRefused(request, DeviceError::kInvalidValue,
                "the launch of scale(float*) fails with cudaErrorInvalidValue: the launch passes "
                "12 bytes of parameters, "
                "and the kernel takes 8");
}

TEST_F(LaunchTest, ExplainsTooManyRegisters) {
  AddKernel(nullptr).registers = 200;
  LaunchRequest request = Request(0);
  request.block = {16, 16, 2};
  ExpectRefused(
      request, DeviceError::kLaunchOutOfResources,
      "the launch of scale(float*) fails with cudaErrorLaunchOutOfResources: a block of "
      "512 threads needs "
      "102400 registers, 200 for each thread, and the limit is 65536: use smaller blocks, "
      "or declare the kernel with __launch_bounds__(512)");
}

TEST_F(LaunchTest, ExplainsLaunchBounds) {
  AddKernel(nullptr).max_threads = 128;
  LaunchRequest request = Request(0);
  request.block = {256, 1, 1};
  ExpectRefused(request, DeviceError::kInvalidValue,
                "the launch of scale(float*) fails with cudaErrorInvalidValue: a block of 256 "
                "threads exceeds the "
                "kernel's __launch_bounds__(128)");
}

TEST_F(LaunchTest, PassesOnWhatTheDriverSays) {
  AddKernel(nullptr);
  driver.api().FuncSetAttribute = [](CUfunction, CUfunction_attribute, int) {
    return CUDA_ERROR_NOT_SUPPORTED;
  };
  LaunchRequest request = Request(0);
  request.dynamic_shared_bytes = request.allowed_shared_bytes = 100000;
  ExpectRefused(request, DeviceError::kNotSupported,
                "the launch of scale(float*) fails with cudaErrorNotSupported: the driver says "
                "CUDA_ERROR_NAME "
                "(801): the driver's words");
}

TEST_F(LaunchTest, PassesOnWhatKernelsPrint) {
  AddKernel([](std::span<const std::byte>) {
    std::printf("printed %d\n", 42);  // buffered, because the driver's output may be too
    return CUDA_SUCCESS;
  });
  testing::internal::CaptureStdout();
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  std::printf("after");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "after");
  EXPECT_EQ(log.printed, "printed 42\n");
}

TEST_F(LaunchTest, LeavesOthersMessagesOnStandardError) {
  AddKernel([](std::span<const std::byte>) {
    std::fputs("a warning\n", stderr);
    return CUDA_SUCCESS;
  });
  testing::internal::CaptureStderr();
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a warning\n");
}

TEST_F(LaunchTest, NotesCallsThatAreNotOffered) {
  device().NoteUnsupportedCall("cudaMallocArray");
  ASSERT_EQ(log.findings.size(), 1u);
  EXPECT_EQ(log.findings[0].kind, FindingKind::kUnsupportedCall);
  EXPECT_EQ(log.findings[0].message,
            "cudaMallocArray is not offered by warpcheck: it returned cudaErrorNotSupported");
}

}  // namespace
}  // namespace warpcheck::gpu
