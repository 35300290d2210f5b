#include "gpu/clocks.h"

#include <dlfcn.h>

#include <array>
#include <optional>

namespace warpcheck::gpu {
namespace {

// The few functions of NVML, declared here since its header is a package of its own (NVML API
// Reference Guide: nvmlReturn_t 0 is success; nvmlClockType_t 1 is the SM's clock, 2 the memory's).
struct Nvml {
  int (*Init)() = nullptr;
  int (*DeviceByBus)(const char* bus, void** device) = nullptr;
  int (*ClockInfo)(void* device, int type, unsigned* mhz) = nullptr;
};
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;

// Loaded and initialised once a process; nullopt where that fails.
const std::optional<Nvml>& TheNvml() {
  static const std::optional<Nvml> nvml = []() -> std::optional<Nvml> {
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    Nvml found;
    const auto find = [&](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    const bool complete = find(found.Init, "nvmlInit_v2") &&
                          find(found.DeviceByBus, "nvmlDeviceGetHandleByPciBusId_v2") &&
                          find(found.ClockInfo, "nvmlDeviceGetClockInfo");
    if (!complete || found.Init() != 0) return std::nullopt;
    return found;
  }();
  return nvml;
}

}  // namespace

Clocks ReadClocks(const DriverApi& api, CUdevice device, const DeviceProperties& properties) {
  const Clocks highest = {.sm_mhz = properties.clock_khz / 1000,
                          .memory_mhz = properties.memory_clock_khz / 1000};
  std::array<char, 32> bus = {};
  if (api.DeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()) - 1, device) != CUDA_SUCCESS) {
    return highest;
  }
  const std::optional<Nvml>& nvml = TheNvml();
  void* handle = nullptr;
  if (!nvml || nvml->DeviceByBus(bus.data(), &handle) != 0) return highest;
  unsigned sm = 0;
  unsigned memory = 0;
  if (nvml->ClockInfo(handle, kSmClock, &sm) != 0 ||
      nvml->ClockInfo(handle, kMemoryClock, &memory) != 0) {
    return highest;
  }
  return {.sm_mhz = sm, .memory_mhz = memory};
}

}  // namespace warpcheck::gpu
