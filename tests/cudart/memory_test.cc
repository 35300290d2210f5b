#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "cudart/objects.h"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;

class MemoryTest : public RuntimeTest {
 protected:
  // Returns device memory that contains 0, 1, 2, ...
  char* Counting(std::size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    std::vector<char> values(bytes);
    std::iota(values.begin(), values.end(), char{0});
    EXPECT_EQ(cudaMemcpy(pointer, values.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return static_cast<char*>(pointer);
  }
  template <std::size_t N>
  std::array<char, N> Read(const void* pointer) {
    std::array<char, N> values{};
    EXPECT_EQ(cudaMemcpy(values.data(), pointer, N, cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
};

TEST_F(MemoryTest, AResetEndsPools) {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMallocFromPoolAsync(&pointer, 1000, pool, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, AllocatesOfPools) {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  void* a = nullptr;
  void* b = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&a, 1000, pool, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&b, 24, nullptr), cudaSuccess);
  const auto bytes = [&](cudaMemPoolAttr attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  };
  EXPECT_EQ(bytes(cudaMemPoolAttrUsedMemCurrent), 1024u);
  EXPECT_EQ(bytes(cudaMemPoolAttrReservedMemCurrent), std::uint64_t{2} << 20);
  EXPECT_EQ(cudaFreeAsync(a, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(b), cudaSuccess);
  EXPECT_EQ(bytes(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(bytes(cudaMemPoolAttrUsedMemHigh), 1024u);
  std::uint64_t number = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &number), cudaSuccess);
  EXPECT_EQ(bytes(cudaMemPoolAttrUsedMemHigh), 0u);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &number),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&a, 1000, pool, nullptr), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, HasADefaultPoolOfTheDevice) {
  cudaMemPool_t pool = nullptr;
  cudaMemPool_t current = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(pool, current);
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 1), cudaErrorInvalidDevice);
  std::uint64_t threshold = UINT64_MAX;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  threshold = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  EXPECT_EQ(threshold, UINT64_MAX);
  int follow = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &follow),
            cudaSuccess);
  cudaMemAccessFlags flags{};
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &place), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, CopiesInEveryDirection) {
  char* const a = Counting(4);
  char* const b = Counting(4);
  const std::array<char, 4> host = {9, 8, 7, 6};
  std::array<char, 4> other{};
  EXPECT_EQ(cudaMemcpy(a, host.data(), 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b, a, 4, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(other.data(), b + 1, 3, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_THAT(other, ElementsAre(8, 7, 6, 0));
  EXPECT_EQ(cudaMemcpy(other.data(), host.data(), 4, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_THAT(other, ElementsAre(9, 8, 7, 6));
  EXPECT_EQ(cudaMemcpy(a, "1234", 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(other.data(), a, 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_THAT(other, ElementsAre('1', '2', '3', '4'));
}

TEST_F(MemoryTest, RefusesWrongCopies) {
  char* const a = Counting(4);
  std::array<char, 8> host{};
  const auto kind = [](int k) { return static_cast<cudaMemcpyKind>(k); };
  EXPECT_EQ(cudaMemcpy(host.data(), a, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), a + 1, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 4, kind(7)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, reinterpret_cast<void*>(0x10), 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, MemoryOfTheJudgeCanBeCopiedButNotFreed) {
  const DeviceAddress address = *device.Allocate(4, 0);
  void* const pointer = reinterpret_cast<void*>(address);
  EXPECT_EQ(cudaMemcpy(pointer, "abcd", 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_THAT(Read<4>(pointer), ElementsAre('a', 'b', 'c', 'd'));
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
}

TEST_F(MemoryTest, FreesWhatItGave) {
  char* const a = Counting(4);
  EXPECT_EQ(cudaFree(a + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(cudaFree(a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST_F(MemoryTest, AllocatesNothingForNoBytesAndFailsForTooMany) {
  void* pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaMalloc(&pointer, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, ~std::size_t{0}, 2), cudaErrorMemoryAllocation);
}

TEST_F(MemoryTest, CopiesRowsByTheirPitch) {
  void* pitched = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, 3, 2), cudaSuccess);
  EXPECT_EQ(pitch, 512);
  EXPECT_EQ(cudaMemset2D(pitched, pitch, '.', 3, 2), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, "abcdef", 3, 2, 2, cudaMemcpyHostToDevice), cudaSuccess);
  std::array<char, 8> back{};
  EXPECT_EQ(cudaMemcpy2D(back.data(), 4, pitched, pitch, 3, 2, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_THAT(back, ElementsAre('a', 'b', '.', 0, 'd', 'e', '.', 0));
  EXPECT_EQ(cudaMemcpy2D(pitched, 2, "abcdef", 3, 3, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, "abcdef", 3, 3, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST_F(MemoryTest, CopiesBoxes) {
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, {.width = 2, .height = 2, .depth = 2}), cudaSuccess);
  EXPECT_EQ(cudaMemset3D(box, '.', {.width = 2, .height = 2, .depth = 2}), cudaSuccess);
  std::array<char, 8> host = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
  cudaMemcpy3DParms in{};
  in.srcPtr = {.ptr = host.data(), .pitch = 2, .xsize = 2, .ysize = 2};
  in.dstPtr = box;
  in.dstPos = {.x = 0, .y = 1, .z = 0};
  in.extent = {.width = 2, .height = 1, .depth = 2};
  in.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  std::array<char, 8> back{};
  cudaMemcpy3DParms out{};
  out.srcPtr = box;
  out.dstPtr = {.ptr = back.data(), .pitch = 2, .xsize = 2, .ysize = 2};
  out.extent = {.width = 2, .height = 2, .depth = 2};
  out.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_THAT(back, ElementsAre('.', '.', 'a', 'b', '.', '.', 'e', 'f'));
}

// The number of rows does not matter, and it does not matter which side has gaps between them.
TEST_F(MemoryTest, ABoxIsOneRequest) {
  constexpr std::size_t kRows = 32'768;
  void* pitched = nullptr;
  void* other = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, 3, kRows), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&other, 5 * kRows), cudaSuccess);
  std::vector<char> host(7 * kRows, '-');
  for (std::size_t i = 0; i < kRows; ++i) host[7 * i] = static_cast<char>(i);
  device.reads = device.writes = 0;
  EXPECT_EQ(cudaMemset2D(pitched, pitch, '.', 3, kRows), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, host.data(), 7, 2, kRows, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(device.writes, 2);
  EXPECT_EQ(cudaMemcpy2D(other, 5, pitched, pitch, 3, kRows, cudaMemcpyDeviceToDevice),
            cudaSuccess);
  EXPECT_EQ(device.writes, 3);
  device.reads = 0;
  std::vector<char> back(7 * kRows, '+');
  EXPECT_EQ(cudaMemcpy2D(back.data(), 7, other, 5, 3, kRows, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(device.reads, 1);
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(std::string(&back[7 * i], 7), std::string(1, static_cast<char>(i)) + "-.++++");
  }
}

TEST_F(MemoryTest, RefusesBoxesWhoseSizesOverflow) {
  char* const a = Counting(64);
  std::array<char, 64> host{};
  constexpr std::size_t kHuge = SIZE_MAX / 2;
  EXPECT_EQ(cudaMemcpy2D(a, kHuge, host.data(), 4, 4, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(a, 4, host.data(), 4, 4, kHuge, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(host.data(), kHuge, a, 4, 4, 4, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(a, kHuge, 0, 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(a, 1, 0, 4, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset3D({.ptr = a, .pitch = 4, .xsize = 4, .ysize = 1}, 0, {4, 2, 2}),
            cudaErrorInvalidValue);  // the slices overlap
  EXPECT_THAT(Read<4>(a), ElementsAre(0, 1, 2, 3));
}

TEST_F(MemoryTest, AsksWithoutReading) {
  char* const a = Counting(4);
  const DeviceAddress judges = device.Allocate(4, 0).value();
  device.reads = 0;
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, reinterpret_cast<void*>(judges)), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(cudaMemcpy(a, reinterpret_cast<void*>(judges), 5, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(device.reads, 0);
}

TEST_F(MemoryTest, FillsBytes) {
  char* const a = Counting(4);
  EXPECT_EQ(cudaMemset(a + 1, 0x1FF, 2), cudaSuccess);
  EXPECT_THAT(Read<4>(a), ElementsAre(0, char(0xFF), char(0xFF), 3));
  EXPECT_EQ(cudaMemset(a, 0, 5), cudaErrorInvalidValue);
  char local = 1;
  EXPECT_EQ(cudaMemset(&local, 0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(local, 1);
}

// Both sides see this memory: a kernel finds what the host wrote, and the host finds what the
// kernel wrote.
class SharedMemory : public MemoryTest {
 protected:
  void RunIncrement(void* on_device) {
    device.on_launch = [this, on_device](const LaunchRequest&) {
      int value = 0;
      const auto address = reinterpret_cast<DeviceAddress>(on_device);
      const auto bytes = std::as_writable_bytes(std::span(&value, 1));
      EXPECT_EQ(device.Read(address, bytes), DeviceError::kSuccess);
      ++value;
      return device.Write(address, bytes);
    };
    EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  }

  Object kernels{"kernels"};
};

TEST_F(SharedMemory, ManagedIsSeenByKernelsAndHost) {
  void* pointer = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, sizeof(int), cudaMemAttachGlobal), cudaSuccess);
  int& value = *static_cast<int*>(pointer);
  value = 41;
  RunIncrement(pointer);
  EXPECT_EQ(value, 42);
  EXPECT_EQ(cudaMemset(pointer, 0, sizeof(int)), cudaSuccess);
  RunIncrement(pointer);
  EXPECT_EQ(value, 1);
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, sizeof(int), {cudaMemLocationTypeDevice, 0}, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(SharedMemory, LargeMemoryIsSentWhereItHasChanged) {
  const auto writes_of_launch = [&] {
    const int before = device.writes;
    EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
    return device.writes - before;
  };
  writes_of_launch();
  const int others = writes_of_launch();  // these are writes of variables, which are small
  void* pointer = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, 65'537, cudaMemAttachGlobal), cudaSuccess);
  EXPECT_EQ(writes_of_launch(), others) << "both sides begin with zeros";
  *static_cast<char*>(pointer) = 1;
  EXPECT_EQ(writes_of_launch(), others + 1);
  EXPECT_EQ(writes_of_launch(), others);
  *static_cast<char*>(pointer) = 2;
  EXPECT_EQ(writes_of_launch(), others + 1);
}

TEST_F(SharedMemory, ADeviceThatFetchesIsSentWhatALaunchUses) {
  device.fetches = true;
  void *used = nullptr, *other = nullptr;
  ASSERT_EQ(cudaMallocManaged(&used, 65'537, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&other, 65'537), cudaSuccess);
  int& value = *static_cast<int*>(used);
  int& beside = *static_cast<int*>(other);
  for (int round = 0; round < 3; ++round) {
    value = 40 + 10 * round;
    beside = 70 + round;
    const int before = device.writes;
    RunIncrement(used);
    EXPECT_EQ(value, 41 + 10 * round);
    EXPECT_EQ(beside, 70 + round);
    EXPECT_EQ(device.writes - before, 2) << "what is sent, and what the kernel writes";
  }
  RunIncrement(other);
  EXPECT_EQ(beside, 73) << "the launches before have not taken it over";
  RunIncrement(other);
  EXPECT_EQ(beside, 74);
  const int before = device.reads + device.writes;
  device.on_launch = nullptr;
  beside = 1;
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(device.reads + device.writes, before) << "a launch that uses none of it";
  EXPECT_EQ(beside, 1);
}

TEST_F(SharedMemory, ALaunchThatCannotFetchFails) {
  device.fetches = true;
  void* pointer = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, 65'537, cudaMemAttachGlobal), cudaSuccess);
  *static_cast<char*>(pointer) = 1;
  device.on_launch = [&](const LaunchRequest&) {
    EXPECT_EQ(device.Free(reinterpret_cast<DeviceAddress>(pointer)), DeviceError::kSuccess);
    device.FetchAll();
    return DeviceError::kSuccess;
  };
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaErrorInvalidValue);
}

// As far as the device can tell, the host has written no byte of it.
TEST_F(SharedMemory, IsCopiedOnTheDevice) {
  void *pointer = nullptr, *from = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, 8, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&from, 8), cudaSuccess);
  EXPECT_EQ(cudaMemset(from, 7, 8), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(pointer, from, 8, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(*static_cast<char*>(pointer), 7);
  std::array<std::byte, 1> there{};
  EXPECT_EQ(device.Read(reinterpret_cast<DeviceAddress>(pointer), there), DeviceError::kSuccess);
  EXPECT_EQ(there[0], std::byte{7});
}

// Another thread of the program may write during the launch.
TEST_F(SharedMemory, BytesOfTheHostStayWhereAKernelWroteOthers) {
  for (const bool pinned : {false, true}) {
    void* pointer = nullptr;
    ASSERT_EQ(pinned ? cudaHostAlloc(&pointer, 8192, cudaHostAllocMapped)
                     : cudaMallocManaged(&pointer, 8192, cudaMemAttachGlobal),
              cudaSuccess);
    char* const host = static_cast<char*>(pointer);
    const auto address = reinterpret_cast<DeviceAddress>(pointer);
    device.on_launch = [&](const LaunchRequest&) {
      host[0] = 'h';
      host[2] = 'h';
      host[8191] = 'h';
      return device.Write(address + 1, std::vector<std::byte>(1, std::byte{'k'}));
    };
    EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
    EXPECT_EQ(std::string(host, 4), std::string("hkh\0", 4));
    EXPECT_EQ(host[8191], 'h');
    device.on_launch = [&](const LaunchRequest&) {
      std::array<std::byte, 4> seen{};
      EXPECT_EQ(device.Read(address, seen), DeviceError::kSuccess);
      EXPECT_THAT(seen, ElementsAre(std::byte{'h'}, std::byte{'k'}, std::byte{'h'}, std::byte{0}));
      return device.Write(address + 2, std::vector<std::byte>(1, std::byte{'K'}));
    };
    EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
    EXPECT_EQ(std::string(host, 4), std::string("hkK\0", 4));
    EXPECT_EQ(pinned ? cudaFreeHost(pointer) : cudaFree(pointer), cudaSuccess);
  }
}

// A GPU chooses addresses by itself. The host then uses the same ones.
TEST_F(SharedMemory, HostFollowsADeviceThatChoosesAddresses) {
  device.honours_at = false;
  device.next_address += 512;  // the address is not the start of a page
  void* first = nullptr;
  void* second = nullptr;
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);  // this call loads the module
  const std::uint64_t before = device.Allocated();
  ASSERT_EQ(cudaMallocManaged(&first, sizeof(int), cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&second, 20'000, cudaMemAttachGlobal), cudaSuccess);
  *static_cast<int*>(first) = 6;
  static_cast<char*>(second)[19'999] = 'x';
  RunIncrement(first);
  EXPECT_EQ(*static_cast<int*>(first), 7);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  RunIncrement(first);  // the two variables shared a page
  EXPECT_EQ(*static_cast<int*>(first), 8);
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocMapped), cudaSuccess);
  *static_cast<int*>(pinned) = 1;
  RunIncrement(pinned);
  EXPECT_EQ(*static_cast<int*>(pinned), 2);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(device.Allocated(), before);
}

TEST_F(SharedMemory, TriesAnotherPlaceWhereTheHostHasItsOwn) {
  device.honours_at = false;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const taken = mmap(nullptr, 3 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(taken, MAP_FAILED);
  char* const next = static_cast<char*>(taken) + page;
  munmap(next, 2 * page);
  device.next_address = reinterpret_cast<DeviceAddress>(next) - 512;
  void* pointer = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, 100, cudaMemAttachGlobal), cudaSuccess);
  EXPECT_GE(pointer, next);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(device.Allocated(), 0) << "of the first try nothing is left";
  munmap(taken, page);
}

TEST_F(SharedMemory, PinnedWorksAtAnotherAddressToo) {
  device.honours_at = false;
  const DeviceAddress usual = device.next_address;
  // An address at which this process cannot have memory.
  device.next_address = DeviceAddress{1} << 48;
  void* host = nullptr;
  void* on_device = nullptr;
  ASSERT_EQ(cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&on_device, 4, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
  device.next_address = usual;
  ASSERT_EQ(cudaHostGetDevicePointer(&on_device, host, 0), cudaSuccess);
  EXPECT_NE(host, on_device);
  *static_cast<int*>(host) = 6;
  RunIncrement(on_device);
  EXPECT_EQ(*static_cast<int*>(host), 7);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(SharedMemory, RegisteredIsTheProgramsOwn) {
  int value = 1;
  EXPECT_EQ(cudaHostRegister(&value, sizeof(value), cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(&value, sizeof(value), cudaHostRegisterMapped),
            cudaErrorHostMemoryAlreadyRegistered);
  RunIncrement(&value);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(cudaHostUnregister(&value), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&value), cudaErrorHostMemoryNotRegistered);
}

TEST_F(SharedMemory, RegisteredHasAnAddressOfItsOwnOnADeviceThatChoosesAddresses) {
  device.honours_at = false;
  int value = 1;
  ASSERT_EQ(cudaHostRegister(&value, sizeof(value), cudaHostRegisterMapped), cudaSuccess);
  int* on_device = nullptr;
  ASSERT_EQ(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), &value, 0), cudaSuccess);
  EXPECT_NE(on_device, &value);
  RunIncrement(on_device);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(cudaHostUnregister(&value), cudaSuccess);
}

TEST_F(SharedMemory, RegisteredMemoryMayBeginAnywhere) {
  RunIncrement(kernels.Call<int*>("counter_address"));  // the module is already loaded
  const auto before = device.Allocated();
  // Malloc aligns to 16 bytes, and a program may register memory that begins in between.
  std::vector<int> values(64, 1);
  for (int* const value : {&values[1], &values[6], &values[40]}) {
    ASSERT_EQ(cudaHostRegister(value, sizeof(int), cudaHostRegisterDefault), cudaSuccess);
    RunIncrement(value);
    EXPECT_EQ(*value, 2);
  }
  EXPECT_EQ(cudaHostUnregister(&values[6]), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&values[1]), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&values[40]), cudaSuccess);
  EXPECT_EQ(device.Allocated(), before);
}

TEST_F(SharedMemory, ManagedVariablesKeepTheirPlaceAcrossDevices) {
  EXPECT_EQ(kernels.Call("add_to_counter", 5), 5);
  int* const counter = kernels.Call<int*>("counter_address");
  RunIncrement(counter);
  EXPECT_EQ(kernels.Call("add_to_counter", 0), 6);
  FakeDevice other;
  Attach(&other);
  EXPECT_EQ(kernels.Call("add_to_counter", 2), 2) << "the new device's module is new";
  EXPECT_EQ(kernels.Call<int*>("counter_address"), counter);
  EXPECT_EQ(kernels.Call("launch_cuda12"), cudaSuccess);
  EXPECT_EQ(*counter, 2);
  Attach(nullptr);
  EXPECT_EQ(kernels.Call<int*>("counter_address"), counter) << "even without a device";
  Attach(&device);
}

TEST_F(SharedMemory, ManagedVariablesAreReachedByNameAndByPointer) {
  // An address at which this process cannot have memory.
  device.next_address = DeviceAddress{1} << 48;
  EXPECT_EQ(kernels.Call("add_to_counter", 5), 5);
  RunIncrement(kernels.Call<int*>("counter_address"));
  EXPECT_EQ(kernels.Call("add_to_counter", 0), 6);
  const auto variable = std::ranges::find(device.module.variables, "counter", &VariableInfo::name);
  ASSERT_NE(variable, device.module.variables.end());
  RunIncrement(reinterpret_cast<void*>(variable->address));
  RunIncrement(kernels.Call<int*>("counter_address"));
  EXPECT_EQ(kernels.Call("add_to_counter", 1), 9);
}

TEST_F(SharedMemory, SymbolsAreWrittenAndRead) {
  const std::array<int, 4> in = {1, 2, 3, 4};
  std::array<int, 4> out{};
  EXPECT_EQ(kernels.Call("write_table", in.data()), cudaSuccess);
  EXPECT_EQ(kernels.Call("read_table", out.data()), cudaSuccess);
  EXPECT_EQ(out, in);
  EXPECT_EQ(kernels.Call("write_past_table", in.data()), cudaErrorInvalidValue);
  void* address = nullptr;
  EXPECT_EQ(kernels.Call("table_address", &address), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out.data(), address, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  std::array<int, 5> more{};
  EXPECT_EQ(cudaMemcpy(more.data(), address, 20, cudaMemcpyDeviceToHost), cudaErrorInvalidValue)
      << "the variable has 16 bytes";
  EXPECT_EQ(cudaMemset(address, 0, 20), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue);
  std::size_t bytes = 0;
  EXPECT_EQ(kernels.Call("weights_size", &bytes), cudaSuccess);
  EXPECT_EQ(bytes, 32);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, &in), cudaErrorInvalidSymbol);
}

}  // namespace
}  // namespace warpcheck::cudart
