#include "gpu/context.h"

#include <fmt/format.h>

#include <array>

namespace warpcheck::gpu {

Result<std::unique_ptr<Context>> Context::Make(const DriverApi& api, int ordinal) {
  int count = 0;
  CUresult result = api.DeviceGetCount(&count);
  if (result != CUDA_SUCCESS) {
    return Fail(fmt::format("the driver does not count its GPUs: {}", ErrorText(api, result)));
  }
  if (ordinal < 0 || ordinal >= count) {
    return Fail(
        fmt::format("there is no GPU {}: the machine has {}, counted from 0", ordinal, count));
  }
  CUdevice device = 0;
  result = api.DeviceGet(&device, ordinal);
  CUcontext context = nullptr;
  if (result == CUDA_SUCCESS) result = api.CtxCreate(&context, CU_CTX_SCHED_AUTO, device);
  if (result != CUDA_SUCCESS) {
    return Fail(
        fmt::format("GPU {} cannot be used: {}", ordinal, ErrorText(api, result)), {},
        "look at what nvidia-smi says: another program may hold all of its memory, or the GPU for "
        "itself (compute mode)");
  }
  return std::unique_ptr<Context>(new Context(api, device, context));
}

namespace {

class Reader {
 public:
  Reader(const DriverApi& api, CUdevice device) : api_(api), device_(device) {}

  template <class Number>
  void Read(CUdevice_attribute attribute, const char* name, Number& into) {
    int value = 0;
    const CUresult result = api_.DeviceGetAttribute(&value, attribute, device_);
    if (result != CUDA_SUCCESS) {
      if (error_.empty()) {
        error_ =
            fmt::format("the driver does not say the GPU's {}: {}", name, ErrorText(api_, result));
      }
      return;
    }
    into = static_cast<Number>(value);
  }

  const std::string& error() const { return error_; }

 private:
  const DriverApi& api_;
  const CUdevice device_;
  std::string error_;  // the first
};

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": the same from 7.0
// to 12.x, and no attribute of the driver's.
constexpr std::uint32_t kRegistersPerThread = 255;
constexpr std::uint32_t kRegisterUnit = 256;      // registers a warp
constexpr std::uint32_t kSharedUnit = 128;        // bytes, from 8.0
constexpr std::uint32_t kSharedUnitTuring = 256;  // bytes, 7.x

void ReadLimits(Reader& reader, DeviceProperties& into) {
  reader.Read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "compute capability",
              into.compute_major);
  reader.Read(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "compute capability",
              into.compute_minor);
  reader.Read(CU_DEVICE_ATTRIBUTE_WARP_SIZE, "warp size", into.warp_size);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "threads per block",
              into.max_threads_per_block);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, "block size in x", into.max_block.x);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, "block size in y", into.max_block.y);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, "block size in z", into.max_block.z);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, "grid size in x", into.max_grid.x);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, "grid size in y", into.max_grid.y);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, "grid size in z", into.max_grid.z);
}

void ReadMultiprocessor(Reader& reader, DeviceProperties& into) {
  reader.Read(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "multiprocessors", into.multiprocessors);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, "threads per multiprocessor",
              into.max_threads_per_multiprocessor);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, "blocks per multiprocessor",
              into.max_blocks_per_multiprocessor);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, "registers per block",
              into.registers_per_block);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, "registers per multiprocessor",
              into.registers_per_multiprocessor);
  into.max_registers_per_thread = kRegistersPerThread;
  into.register_allocation_unit = kRegisterUnit;
}

void ReadMemory(Reader& reader, DeviceProperties& into) {
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, "shared memory per block",
              into.shared_bytes_per_block);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
              "shared memory per block by opt-in", into.shared_bytes_per_block_optin);
  reader.Read(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
              "shared memory per multiprocessor", into.shared_bytes_per_multiprocessor);
  reader.Read(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, "reserved shared memory",
              into.shared_bytes_reserved_per_block);
  into.shared_allocation_unit = into.compute_major < 8 ? kSharedUnitTuring : kSharedUnit;
  reader.Read(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, "constant memory", into.constant_bytes);
  reader.Read(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "L2 cache", into.l2_bytes);
  reader.Read(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, "memory bus", into.memory_bus_bits);
  reader.Read(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, "clock rate", into.clock_khz);
  reader.Read(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, "memory clock rate", into.memory_clock_khz);
}

}  // namespace

Result<DeviceProperties> ReadProperties(const DriverApi& api, CUdevice device) {
  DeviceProperties properties;
  std::array<char, 256> name = {};
  CUresult result = api.DeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device);
  if (result != CUDA_SUCCESS) {
    return Fail(fmt::format("the driver does not say the GPU's name: {}", ErrorText(api, result)));
  }
  properties.name = name.data();
  std::size_t bytes = 0;
  result = api.DeviceTotalMem(&bytes, device);
  if (result != CUDA_SUCCESS) {
    return Fail(
        fmt::format("the driver does not say the GPU's memory: {}", ErrorText(api, result)));
  }
  properties.global_bytes = bytes;
  Reader reader(api, device);
  ReadLimits(reader, properties);
  ReadMultiprocessor(reader, properties);
  ReadMemory(reader, properties);
  if (!reader.error().empty()) return Fail(reader.error());
  return properties;
}

}  // namespace warpcheck::gpu
