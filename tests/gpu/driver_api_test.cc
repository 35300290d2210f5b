#include "gpu/driver_api.h"

#include <gmock/gmock.h>

#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::StartsWith;

TEST(DriverApi, SaysWhatToDoWithoutADriver) {
  const auto api = LoadDriverFrom("libno_such_driver.so.1");
  ASSERT_FALSE(api.has_value());
  EXPECT_EQ(api.error().Text(),
            "error: the NVIDIA driver cannot be loaded: libno_such_driver.so.1: cannot open shared "
            "object file: No such file or directory\n"
            "  install the NVIDIA driver (nvidia-smi then works), or grade on the emulator: "
            "--device emulator");
}

TEST(DriverApi, SaysWhatAnOldDriverLacks) {
  const auto api =
      // A library that lacks functions of the driver, as a very old driver does.
      LoadDriverFrom("libm.so.6");
  ASSERT_FALSE(api.has_value());
  EXPECT_EQ(api.error().Text(),
            "error: the NVIDIA driver is too old: libm.so.6 lacks cuCtxCreate_v2\n"
            "  update the NVIDIA driver; CUDA's release notes name the driver that each toolkit "
            "needs");
}

TEST(DriverApi, SaysWhatToDoWithoutAGpu) {
  constexpr const char* kHint =
      "\n  look at what nvidia-smi says; in a container, start it with access to the GPU (docker "
      "run --gpus all), and see that CUDA_VISIBLE_DEVICES is not empty";
  FakeDriver driver;
  driver.init_error = CUDA_ERROR_NO_DEVICE;
  auto started = StartDriver(driver.api());
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().Text(),
            std::string("error: the driver finds no GPU: CUDA_ERROR_NAME (100): the driver's "
                        "words") +
                kHint);
  driver.init_error = CUDA_SUCCESS;
  driver.devices = 0;
  started = StartDriver(driver.api());
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().Text(),
            std::string("error: the driver finds no GPU: CUDA_ERROR_NAME (100): the driver's "
                        "words") +
                kHint);
}

TEST(DriverApi, SaysWhyADriverDoesNotStart) {
  FakeDriver driver;
  driver.init_error = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  auto started = StartDriver(driver.api());
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().Text(),
            "error: the driver's library does not fit its kernel module: CUDA_ERROR_NAME (803): "
            "the driver's words\n"
            "  restart the machine after an update of the driver, or bring both to one version");
  driver.init_error = CUDA_ERROR_UNKNOWN;
  started = StartDriver(driver.api());
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().Text(),
            "error: the NVIDIA driver does not start: an unknown error (999): the driver's words\n"
            "  look at what nvidia-smi says");
}

TEST(DriverApi, StartsADriverWithDevices) {
  const FakeDriver driver;
  EXPECT_TRUE(StartDriver(driver.api()).has_value());
  EXPECT_EQ(DriverVersion(driver.api()), "CUDA 13.0");
}

TEST(DriverApi, GivesErrorsAsTheRuntimeHasThem) {
  EXPECT_EQ(ToDeviceError(CUDA_SUCCESS), DeviceError::kSuccess);
  EXPECT_EQ(ToDeviceError(CUDA_ERROR_OUT_OF_MEMORY), DeviceError::kMemoryAllocation);
  EXPECT_EQ(ToDeviceError(CUDA_ERROR_ILLEGAL_ADDRESS), DeviceError::kIllegalAddress);
  EXPECT_EQ(ToDeviceError(CUDA_ERROR_INVALID_PC), DeviceError::kLaunchFailure);
  EXPECT_EQ(ToDeviceError(CUDA_ERROR_UNSUPPORTED_PTX_VERSION), DeviceError::kInvalidPtx);
  EXPECT_EQ(ToDeviceError(CUDA_ERROR_ECC_UNCORRECTABLE), DeviceError::kUnknown);
}

class MakeDevice : public DeviceTest {
 protected:
  std::string Failure() {
    const auto made = MakeGpuDevice(driver.api(), log, options, tools);
    return made ? "" : made.error().Text();
  }
};

TEST_F(MakeDevice, ReadsEveryProperty) {
  DeviceProperties expected;
  expected.name = "NVIDIA Fake";
  expected.compute_major = 9;
  expected.global_bytes = 1 << 30;
  expected.warp_size = 32;
  expected.max_threads_per_block = 1024;
  expected.max_block = {1024, 1024, 64};
  expected.max_grid = {2147483647, 65535, 65535};
  expected.multiprocessors = 132;
  expected.max_threads_per_multiprocessor = 2048;
  expected.max_blocks_per_multiprocessor = 32;
  expected.registers_per_block = 65536;
  expected.registers_per_multiprocessor = 65536;
  expected.max_registers_per_thread = 255;
  expected.register_allocation_unit = 256;
  expected.shared_bytes_per_block = 49152;
  expected.shared_bytes_per_block_optin = 232448;
  expected.shared_bytes_per_multiprocessor = 233472;
  expected.shared_bytes_reserved_per_block = 1024;
  expected.shared_allocation_unit = 128;
  expected.constant_bytes = 65536;
  expected.l2_bytes = 1 << 20;
  expected.memory_bus_bits = 6016;
  expected.clock_khz = 1980000;
  expected.memory_clock_khz = 3201000;
  EXPECT_EQ(device().Properties(), expected);
}

TEST_F(MakeDevice, RefusesAnOrdinalBeyondTheLast) {
  options.ordinal = 2;
  EXPECT_EQ(Failure(), "error: there is no GPU 2: the machine has 1, counted from 0");
  options.ordinal = -1;
  EXPECT_EQ(Failure(), "error: there is no GPU -1: the machine has 1, counted from 0");
}

TEST_F(MakeDevice, RefusesAnOldGpuAndGivesItsContextBack) {
  driver.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 7;
  EXPECT_EQ(
      Failure(),
      "error: NVIDIA Fake has compute capability 7.0, and CUDA 13 compiles for 7.5 and newer\n"
      "  grade on the emulator: --device emulator");
  EXPECT_EQ(driver.contexts, 0);
}

TEST_F(MakeDevice, SaysWhyThereIsNoContext) {
  driver.context_error = CUDA_ERROR_DEVICE_UNAVAILABLE;
  EXPECT_THAT(Failure(), StartsWith("error: GPU 0 cannot be used: CUDA_ERROR_NAME (46): the "
                                    "driver's words\n  look at what nvidia-smi says"));
}

TEST_F(MakeDevice, SaysWhichPropertyIsMissing) {
  driver.attributes.erase(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  EXPECT_EQ(Failure(),
            "error: the driver does not say the GPU's L2 cache: CUDA_ERROR_NAME (1): the driver's "
            "words");
}

TEST_F(MakeDevice, LeavesNothingBehind) {
  options.timed = true;
  AddKernel(nullptr);
  EXPECT_EQ(Launch(Array(100)), DeviceError::kSuccess);
  EXPECT_EQ(driver.contexts, 1);
  Destroy();
  EXPECT_EQ(driver.contexts, 0);
  EXPECT_EQ(driver.modules, 0);
  EXPECT_EQ(driver.events, 0);
  EXPECT_EQ(driver.allocated_bytes, 0u);
}

}  // namespace
}  // namespace warpcheck::gpu
