// Tests errors, streams, events, device queries, and functions that warpcheck does not offer.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <thread>

#include "cudart/objects.h"

extern "C" cudaError_t cudaGetDeviceProperties_v2(void* properties, int device);

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;

class ApiTest : public RuntimeTest {};

TEST_F(ApiTest, TheLastErrorStaysUntilItIsTaken) {
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  std::thread([] {
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "each thread has its own";
  }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(NoDevice, IsWhatEveryCallSays) {
  int value = 7;
  void* pointer = nullptr;
  EXPECT_EQ(cudaGetDeviceCount(&value), cudaErrorNoDevice);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorNoDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorNoDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoDevice);
  EXPECT_EQ(cudaRuntimeGetVersion(&value), cudaSuccess);
  EXPECT_EQ(value, 13000);
}

TEST_F(ApiTest, NamesErrors) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(16000)), "unrecognized error code");
}

TEST_F(ApiTest, StreamsLiveUntilTheyAreDestroyed) {
  cudaStream_t stream = nullptr;
  int priority = 1;
  unsigned flags = 9;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, cudaStreamNonBlocking);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
  char byte = 0;
  EXPECT_EQ(cudaMemcpyAsync(&byte, &byte, 1, cudaMemcpyHostToHost, stream),
            cudaErrorInvalidResourceHandle);
}

TEST_F(ApiTest, HostFunctionsMayUseTheApiOfTheirThread) {
  int calls = 0;
  const auto count = [](void* data) {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ++*static_cast<int*>(data);
  };
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, count, &calls), cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                nullptr,
                [](cudaStream_t, cudaError_t status, void* data) {
                  EXPECT_EQ(status, cudaSuccess);
                  ++*static_cast<int*>(data);
                },
                &calls, 0),
            cudaSuccess);
  EXPECT_EQ(calls, 2);
}

TEST_F(ApiTest, EventsMeasureTime) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  float milliseconds = -1;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(start, nullptr), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 2);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, end, 0), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaErrorInvalidResourceHandle);
}

TEST_F(ApiTest, PropertiesAreTheDevices) {
  cudaDeviceProp p{};
  ASSERT_EQ(Object("kernels").Call("properties", &p), cudaSuccess);
  EXPECT_STREQ(p.name, "fake");
  EXPECT_EQ(p.major, 9);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.totalGlobalMem, 1000);
  EXPECT_EQ(p.maxThreadsDim[2], 64);
  EXPECT_EQ(p.maxGridSize[0], 0x7FFFFFFF);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 227 << 10);
  EXPECT_EQ(p.reservedSharedMemPerBlock, 1024);
  EXPECT_EQ(p.hostRegisterSupported, 1);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
}

TEST_F(ApiTest, PropertiesForCuda12HaveItsLayout) {
  std::array<int, 1032 / 4> p{};
  ASSERT_EQ(cudaGetDeviceProperties_v2(p.data(), 0), cudaSuccess);
  EXPECT_EQ(p[308 / 4], 32);         // warpSize
  EXPECT_EQ(p[348 / 4], 1'980'000);  // clockRate
  EXPECT_EQ(p[360 / 4], 9);          // major
  EXPECT_EQ(p[388 / 4], 132);        // multiProcessorCount
}

TEST_F(ApiTest, Attributes) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 132);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture1DMipmappedWidth, 0),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(200), 0),
            cudaErrorInvalidValue);
}

TEST_F(ApiTest, TheDeviceHasAPlaceOnThePciBus) {
  std::array<char, 13> id{};  // of "0000:19:00.0"
  EXPECT_EQ(cudaDeviceGetPCIBusId(id.data(), id.size(), 0), cudaSuccess);
  int bus = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, 0), cudaSuccess);
  EXPECT_STREQ(id.data(), "0000:19:00.0");
  EXPECT_EQ(bus, 0x19);
  EXPECT_EQ(cudaDeviceGetPCIBusId(id.data(), id.size() - 1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetPCIBusId(nullptr, 13, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetPCIBusId(id.data(), id.size(), 1), cudaErrorInvalidDevice);
  for (const char* known : {"0000:19:00.0", "0:19:0", "19:00.0"}) {
    int number = 7;
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&number, known), cudaSuccess) << known;
    EXPECT_EQ(number, 0) << known;
  }
  for (const char* unknown : {"0000:1a:00.0", "0000:19:00.1", "19:00", "0000:19:00.0 ", ""}) {
    int number = 7;
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&number, unknown), cudaErrorInvalidDevice) << unknown;
    EXPECT_EQ(number, 7) << unknown;
  }
  EXPECT_EQ(cudaDeviceGetByPCIBusId(nullptr, "19:00.0"), cudaErrorInvalidValue);
}

TEST_F(ApiTest, Occupancy) {
  const Object kernels("kernels");
  const void* nothing = kernels.Call<const void*>("nothing_stub");
  int blocks = 0;
  const auto blocks_with = [&](int threads, std::size_t shared) {
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, threads, shared),
              cudaSuccess);
    return blocks;
  };
  EXPECT_EQ(blocks_with(1024, 0), 2);
  EXPECT_EQ(blocks_with(256, 0), 8);
  EXPECT_EQ(blocks_with(32, 0), 32);
  EXPECT_EQ(blocks_with(32, 48 << 10), 4);  // this is 228 KiB / (48 + 1) KiB
  EXPECT_EQ(blocks_with(32, 113 << 10), 2);
  EXPECT_EQ(blocks_with(32, 228 << 10), 0);
  int grid = 0;
  int block = 0;
  EXPECT_EQ(kernels.Call("best_block", &grid, &block), cudaSuccess);
  EXPECT_EQ(grid, 264);
  EXPECT_EQ(block, 1024);
  std::size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 2, 256), cudaSuccess);
  EXPECT_EQ(bytes, 113 << 10);
}

TEST_F(ApiTest, WhatIsNotOfferedSaysSoByName) {
  EXPECT_EQ(Object("kernels").Call("share_memory", nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  EXPECT_THAT(device.unsupported, ElementsAre("cudaIpcGetMemHandle"));
}

TEST_F(ApiTest, ResetForgetsEverything) {
  const Object kernels("kernels");
  void* pointer = nullptr;
  ASSERT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(device.modules_unloaded, 1);
  EXPECT_EQ(device.Allocated(), 0);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(device.modules_loaded, 2);
}

#ifdef WARPCHECK_CUDART_LIBRARY
TEST(Symbols, ErrorsReadAsInTheRuntimeLibrary) {
  using Text = const char* (*)(cudaError_t);
  void* const library = dlopen(WARPCHECK_CUDART_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto name = reinterpret_cast<Text>(dlsym(library, "cudaGetErrorName"));
  const auto text = reinterpret_cast<Text>(dlsym(library, "cudaGetErrorString"));
  ASSERT_NE(name, &cudaGetErrorName) << "this program's own";
  for (int i = 0; i < 11000; ++i) {
    const auto error = static_cast<cudaError_t>(i);
    EXPECT_STREQ(cudaGetErrorName(error), name(error));
    EXPECT_STREQ(cudaGetErrorString(error), text(error));
  }
  dlclose(library);
}

// This program defines every symbol of the toolkit's own runtime library.
TEST(Symbols, AreThoseOfTheRuntimeLibrary) {
  int checked = 0;
  FILE* const symbols = popen("nm -D --defined-only " WARPCHECK_CUDART_LIBRARY, "r");
  ASSERT_NE(symbols, nullptr);
  char address[64];
  char type[8];
  char name[256];
  while (std::fscanf(symbols, "%63s %7s %255s", address, type, name) == 3) {
    const std::string plain(name, std::strcspn(name, "@"));
    if (!plain.starts_with("cuda") && !plain.starts_with("__cuda")) continue;
    EXPECT_NE(dlsym(RTLD_DEFAULT, plain.c_str()), nullptr) << plain;
    ++checked;
  }
  EXPECT_EQ(pclose(symbols), 0);
  EXPECT_GT(checked, 300);
}
#endif

}  // namespace
}  // namespace warpcheck::cudart
