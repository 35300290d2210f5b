#include "gpu/driver_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

namespace warpcheck::gpu {

namespace {

#define WARPCHECK_TEXT(name) #name
// Expands the macros of cuda.h first, because they choose a version: cuMemAlloc becomes
// "cuMemAlloc_v2".
#define WARPCHECK_EXPANDED_TEXT(name) WARPCHECK_TEXT(name)

constexpr const char* kUpdateHint =
    "update the NVIDIA driver; CUDA's release notes name the driver that each toolkit needs";

Result<> NoDevice(const DriverApi& api, CUresult result) {
  return Fail(fmt::format("the driver finds no GPU: {}", ErrorText(api, result)), {},
              "look at what nvidia-smi says; in a container, start it with access to the GPU "
              "(docker run --gpus all), and see that CUDA_VISIBLE_DEVICES is not empty");
}

// These values are from the CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability". The driver has no attribute for them. They are the same from 7.0 to 12.x.
constexpr std::uint32_t kRegistersPerThread = 255;
// Registers are allocated to a warp in multiples of this.
constexpr std::uint32_t kRegisterUnit = 256;
constexpr std::uint32_t kSharedUnit = 128;        // in bytes, since 8.0
constexpr std::uint32_t kSharedUnitTuring = 256;  // in bytes, for 7.x

}  // namespace

Result<DriverApi> LoadDriverFrom(const char* library) {
  void* const handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return Fail(fmt::format("the NVIDIA driver cannot be loaded: {}", ::dlerror()), {},
                "install the NVIDIA driver (nvidia-smi then works), or grade on the emulator: "
                "--device emulator");
  }
  DriverApi api;
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        ::dlsym(handle, name));  // NOLINT: dlsym is meant to be used so
    if (function == nullptr && missing.empty()) missing = name;
  };
  find(api.CtxCreate, "cuCtxCreate_v2");
#define DRIVER_FUNCTION(name) find(api.name, WARPCHECK_EXPANDED_TEXT(cu##name));
#include "gpu/driver_api.def"
#undef DRIVER_FUNCTION
  if (missing.empty()) return api;
  const std::string version = DriverVersion(api);
  return Fail(fmt::format("the NVIDIA driver is too old: {} lacks {}{}", library, missing,
                          version.empty() ? "" : fmt::format(", and supports {}", version)),
              {}, kUpdateHint);
}

Result<> StartDriver(const DriverApi& api) {
  const CUresult result = api.Init(0);
  if (result == CUDA_ERROR_NO_DEVICE) return NoDevice(api, result);
  if (result == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ||
      result == CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE) {
    return Fail(fmt::format("the driver's library does not fit its kernel module: {}",
                            ErrorText(api, result)),
                {},
                "restart the machine after an update of the driver, or bring both to one version");
  }
  if (result != CUDA_SUCCESS) {
    return Fail(fmt::format("the NVIDIA driver does not start: {}", ErrorText(api, result)), {},
                "look at what nvidia-smi says");
  }
  int count = 0;
  const CUresult counted = api.DeviceGetCount(&count);
  if (counted != CUDA_SUCCESS) return NoDevice(api, counted);
  if (count == 0) return NoDevice(api, CUDA_ERROR_NO_DEVICE);
  return {};
}

Result<const DriverApi*> LoadDriver() {
  static const Result<DriverApi> loaded = []() -> Result<DriverApi> {
    auto api = LoadDriverFrom("libcuda.so.1");
    if (!api) return api;
    WARPCHECK_TRY(StartDriver(*api));
    return api;
  }();
  if (!loaded) return Fail(loaded.error());
  return &*loaded;
}

std::string DriverVersion(const DriverApi& api) {
  int version = 0;
  if (api.DriverGetVersion == nullptr || api.DriverGetVersion(&version) != CUDA_SUCCESS ||
      version == 0) {
    return "";
  }
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

std::string ErrorText(const DriverApi& api, CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.GetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) name = "an unknown error";
  if (api.GetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) {
    return fmt::format("{} ({})", name, static_cast<int>(result));
  }
  return fmt::format("{} ({}): {}", name, static_cast<int>(result), text);
}

DeviceError ToDeviceError(CUresult result) {
  switch (result) {
    case CUDA_SUCCESS:
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_NOT_SUPPORTED:
      return static_cast<DeviceError>(result);  // both APIs use the same numbers
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return DeviceError::kInvalidPtx;
    case CUDA_ERROR_INVALID_HANDLE:
      return DeviceError::kInvalidResourceHandle;
    case CUDA_ERROR_NOT_FOUND:
      return DeviceError::kSymbolNotFound;
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
      return DeviceError::kLaunchFailure;
    default:
      return DeviceError::kUnknown;
  }
}

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
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;
  const struct {
    CUdevice_attribute attribute;
    const char* name;
    std::uint32_t& value;
  } attributes[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "compute capability", compute_major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "compute capability", compute_minor},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, "warp size", properties.warp_size},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "threads per block",
       properties.max_threads_per_block},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, "block size in x", properties.max_block.x},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, "block size in y", properties.max_block.y},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, "block size in z", properties.max_block.z},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, "grid size in x", properties.max_grid.x},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, "grid size in y", properties.max_grid.y},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, "grid size in z", properties.max_grid.z},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "multiprocessors", properties.multiprocessors},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, "threads per multiprocessor",
       properties.max_threads_per_multiprocessor},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, "blocks per multiprocessor",
       properties.max_blocks_per_multiprocessor},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, "registers per block",
       properties.registers_per_block},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, "registers per multiprocessor",
       properties.registers_per_multiprocessor},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, "shared memory per block",
       properties.shared_bytes_per_block},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, "shared memory per block by opt-in",
       properties.shared_bytes_per_block_optin},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, "shared memory per multiprocessor",
       properties.shared_bytes_per_multiprocessor},
      {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, "reserved shared memory",
       properties.shared_bytes_reserved_per_block},
      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, "constant memory", properties.constant_bytes},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "L2 cache", properties.l2_bytes},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, "memory bus", properties.memory_bus_bits},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, "clock rate", properties.clock_khz},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, "memory clock rate", properties.memory_clock_khz},
  };
  for (const auto& read : attributes) {
    int value = 0;
    result = api.DeviceGetAttribute(&value, read.attribute, device);
    if (result != CUDA_SUCCESS) {
      return Fail(fmt::format("the driver does not say the GPU's {}: {}", read.name,
                              ErrorText(api, result)));
    }
    read.value = static_cast<std::uint32_t>(value);
  }
  properties.compute_major = static_cast<int>(compute_major);
  properties.compute_minor = static_cast<int>(compute_minor);
  properties.max_registers_per_thread = kRegistersPerThread;
  properties.register_allocation_unit = kRegisterUnit;
  properties.shared_allocation_unit = compute_major < 8 ? kSharedUnitTuring : kSharedUnit;
  return properties;
}

}  // namespace warpcheck::gpu
