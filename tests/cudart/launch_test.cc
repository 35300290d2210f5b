#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <cstring>

#include "cudart/load_failure.h"
#include "cudart/objects.h"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;

class LaunchTest : public RuntimeTest {
 protected:
  template <class T>
  static T At(const LaunchRequest& request, std::size_t offset) {
    T value{};
    EXPECT_LE(offset + sizeof(T), request.parameters.size());
    std::memcpy(&value, request.parameters.data() + offset, sizeof(T));
    return value;
  }

  Object kernels{"kernels"};
};

TEST_F(LaunchTest, PacksArgumentsAtTheKernelsOffsets) {
  float* const data = reinterpret_cast<float*>(0x1234500);
  const float* const p = reinterpret_cast<const float*>(0x6789A00);
  EXPECT_EQ(kernels.Call("launch_mixed", data, p, 3), cudaSuccess);
  ASSERT_EQ(device.launches.size(), 1);
  const LaunchRequest& request = device.launches[0];
  EXPECT_EQ(request.kernel, "_Z5mixed5MixedicdsPKf");
  EXPECT_EQ(request.grid, (Dim3{2, 3, 4}));
  EXPECT_EQ(request.block, (Dim3{32, 2, 1}));
  EXPECT_EQ(request.dynamic_shared_bytes, 256);
  EXPECT_FALSE(request.cooperative);
  ASSERT_EQ(request.parameters.size(), 56);
  EXPECT_EQ(At<char>(request, 0), 'L');
  EXPECT_EQ(At<double>(request, 8), 0.5);
  EXPECT_EQ(At<float*>(request, 16), data);
  EXPECT_EQ(At<int>(request, 24), 3);
  EXPECT_EQ(At<char>(request, 28), 'c');
  EXPECT_EQ(At<double>(request, 32), 2.25);
  EXPECT_EQ(At<short>(request, 40), -7);
  EXPECT_EQ(At<const float*>(request, 48), p);
}

TEST_F(LaunchTest, LoadsAModuleOnceWhenItIsFirstUsed) {
  EXPECT_EQ(device.modules_loaded, 0);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(device.modules_loaded, 1);
}

TEST_F(LaunchTest, AttachingAnotherDeviceLoadsTheModuleThere) {
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  FakeDevice other;
  Attach(&other);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(other.modules_loaded, 1);
  EXPECT_EQ(other.launches.size(), 1);
  EXPECT_EQ(device.launches.size(), 1);
  Attach(&device);
}

TEST_F(LaunchTest, TakesEveryFormOfLaunch) {
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_cooperative"), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_ex", 0), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_ex", 1), cudaSuccess);
  std::vector<bool> cooperative;
  for (const LaunchRequest& request : device.launches) cooperative.push_back(request.cooperative);
  EXPECT_THAT(cooperative, ElementsAre(false, true, false, true));
  EXPECT_EQ(device.launches[2].grid, (Dim3{7, 1, 1}));
  EXPECT_EQ(device.launches[2].block, (Dim3{8, 1, 1}));
}

TEST_F(LaunchTest, ReportsAWrongConfigurationAtTheLaunch) {
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 2000U, std::size_t{0}),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(LaunchTest, MoreThan48KiBOfSharedMemoryHasToBeAskedFor) {
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, std::size_t{49152}), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, std::size_t{49153}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(kernels.Call("allow_shared", 232449), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(kernels.Call("allow_shared", 65536), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, std::size_t{65536}), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, std::size_t{65537}), cudaErrorInvalidValue);
}

TEST_F(LaunchTest, SharedMemoryOfAnySizeReachesTheDeviceAsItIs) {
  for (const std::size_t bytes : {std::size_t{1} << 32, (std::size_t{1} << 32) + 64, SIZE_MAX}) {
    EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, bytes), cudaErrorInvalidValue) << bytes;
  }
  EXPECT_TRUE(device.launches.empty());
}

TEST_F(LaunchTest, AnUnknownKernelIsAnError) {
  int local = 0;
  EXPECT_EQ(cudaLaunchKernel(&local, dim3(1), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchTest, AForgottenObjectsKernelsAreUnknown) {
  const void* stub = nullptr;
  {
    const Object other("per_thread");
    stub = other.Call<const void*>("nothing_stub");
    EXPECT_EQ(cudaLaunchKernel(stub, dim3(1), dim3(1), nullptr, 0, nullptr), cudaSuccess);
  }
  EXPECT_EQ(cudaLaunchKernel(stub, dim3(1), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchTest, AFaultIsReportedByTheNextCallThatWaits) {
  device.on_launch = [](const LaunchRequest&) { return DeviceError::kIllegalAddress; };
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, std::size_t{0}), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_nothing", 1U, 32U, std::size_t{0}), cudaSuccess);
  EXPECT_EQ(device.launches.size(), 1) << "nothing runs after a fault";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorIllegalAddress);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaErrorIllegalAddress);
}

TEST_F(LaunchTest, TakingTheLastErrorFinishesAllWork) {
  device.on_launch = [](const LaunchRequest&) { return DeviceError::kMisalignedAddress; };
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(TakeLastError(), cudaErrorMisalignedAddress);
}

TEST_F(LaunchTest, PerThreadDefaultStreamsWork) {
  const Object object("per_thread");
  void* to = nullptr;
  const int value = 5;
  ASSERT_EQ(cudaMalloc(&to, sizeof(value)), cudaSuccess);
  EXPECT_EQ(object.Call("launch_and_copy", to, static_cast<const void*>(&value), sizeof(value)),
            cudaSuccess);
  int back = 0;
  EXPECT_EQ(cudaMemcpy(&back, to, sizeof(back), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, 5);
  EXPECT_EQ(device.launches.size(), 1);
}

TEST(ExplainLoadFailure, SaysWhatToDo) {
  EXPECT_EQ(ExplainLoadFailure("./a.so: undefined symbol: __cudaRegisterLinkedBinary_c23_a_cu"),
            "the object was compiled with -rdc=true, which warpcheck does not offer: compile "
            "without it");
  EXPECT_EQ(ExplainLoadFailure("a.so: undefined symbol: cudaNew, version libcudart.so.14"),
            "the object calls cudaNew, which is not in the CUDA runtime that warpcheck offers");
  EXPECT_EQ(ExplainLoadFailure("a.so: undefined symbol: cublasCreate_v2"),
            "the program calls cublasCreate_v2 of cuBLAS. This library is not available here: "
            "write the function yourself");
  EXPECT_EQ(
      ExplainLoadFailure("a.so: undefined symbol: cuLaunchKernel"),
      "the object calls cuLaunchKernel, of CUDA's driver: use the runtime's cuda... functions");
  EXPECT_EQ(ExplainLoadFailure("a.so: undefined symbol: _Z6helperPfi"),
            "helper(float*, int) is used but not defined: define it in a .cu file, "
            "with the parameter types of its declaration");
  EXPECT_EQ(ExplainLoadFailure("a.so: file too short"), "a.so: file too short");
}

TEST(ExplainLoadFailure, OfAnObjectOfRelocatableCode) {
  ASSERT_EQ(dlopen(WARPCHECK_TEST_OBJECTS "/relocatable.so", RTLD_NOW), nullptr);
  EXPECT_EQ(ExplainLoadFailure(dlerror()),
            "the object was compiled with -rdc=true, which warpcheck does not offer: compile "
            "without it");
}

TEST(ManagedVariable, HasMemoryWithoutADevice) {
  const Object kernels("kernels");
  EXPECT_EQ(kernels.Call("add_to_counter", 3), 3);
  EXPECT_EQ(TakeLastError(), cudaErrorNoDevice);
}

// nvcc compressed this object: by zstd, or with --compress-mode=speed by LZ4.
class CompressedObject : public RuntimeTest, public testing::WithParamInterface<const char*> {};

TEST_P(CompressedObject, IsUsedAsAnyOther) {
  const Object object(GetParam());
  EXPECT_EQ(object.Call("launch"), cudaSuccess);
  ASSERT_EQ(device.launches.size(), 1U);
  EXPECT_EQ(device.launches[0].kernel, "_Z7nothingv");
}

INSTANTIATE_TEST_SUITE_P(All, CompressedObject, testing::Values("compressed", "compressed_lz4"),
                         [](const auto& test) { return std::string(test.param); });

using Waiting = RuntimeTest;

TEST_F(Waiting, IsToldOncePerCallThatWaits) {
  int waits = 0;
  AtWait([&] { ++waits; });
  void* memory = nullptr;
  cudaMalloc(&memory, 4);
  cudaMemsetAsync(memory, 0, 4);
  EXPECT_EQ(waits, 0);
  cudaDeviceSynchronize();
  EXPECT_EQ(waits, 1);
  int value = 1;
  cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost);
  EXPECT_EQ(waits, 2);
  AtWait(nullptr);
}

struct Refused {
  const char* object;
  const char* message;
};

class RefusedObject : public RuntimeTest, public testing::WithParamInterface<Refused> {};

TEST_P(RefusedObject, SaysWhy) {
  const Object object(GetParam().object);
  testing::internal::CaptureStderr();
  EXPECT_EQ(object.Call("launch"), cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(All, RefusedObject,
                         testing::Values(Refused{
                             "machine_code",
                             "warpcheck: error: the object holds machine code only, no PTX\n"
                             "  compile with -gencode arch=compute_90,code=compute_90\n"}),
                         [](const auto& test) { return std::string(test.param.object); });

}  // namespace
}  // namespace warpcheck::cudart
