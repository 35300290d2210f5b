#include "gpu/driver_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpcheck::gpu {
namespace {

#define WARPCHECK_TEXT(name) #name
// The version that cuda.h chose: cuMemAlloc is "cuMemAlloc_v2".
#define WARPCHECK_EXPANDED_TEXT(name) WARPCHECK_TEXT(name)

constexpr const char* kUpdateHint =
    "update the NVIDIA driver; CUDA's release notes name the driver that each toolkit needs";

Result<> NoDevice(const DriverApi& api, CUresult result) {
  return Fail(fmt::format("the driver finds no GPU: {}", ErrorText(api, result)), {},
              "look at what nvidia-smi says; in a container, start it with access to the GPU "
              "(docker run --gpus all), and see that CUDA_VISIBLE_DEVICES is not empty");
}

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
        ::dlsym(handle, name));  // NOLINT: as dlsym is meant
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
      return static_cast<DeviceError>(result);  // one number in both APIs
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

}  // namespace warpcheck::gpu
