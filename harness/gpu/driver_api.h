// The CUDA driver, loaded at run time: a build serves machines with and without a GPU, and tests
// put a driver of their own in place of the table.
#pragma once

#include <cuda.h>

#include <string>

#include "base/result.h"
#include "device/device_error.h"

namespace warpcheck::gpu {

struct DriverApi {
  // cuCtxCreate took another parameter in CUDA 13; every driver still has this form.
  using CtxCreateFunction = CUresult (*)(CUcontext* context, unsigned flags, CUdevice device);
  CtxCreateFunction CtxCreate = nullptr;
#define DRIVER_FUNCTION(name) decltype(&cu##name) name = nullptr;
#include "gpu/driver_api.def"
#undef DRIVER_FUNCTION
};

// The machine's driver, loaded and initialised once a process. Fails with what to do where there is
// no driver, an older one than warpcheck needs, or no device.
Result<const DriverApi*> LoadDriver();

// What LoadDriver does with one library; the library stays loaded.
Result<DriverApi> LoadDriverFrom(const char* library);
// Initialises the driver and sees to it that it has devices.
Result<> StartDriver(const DriverApi& api);

// "CUDA 13.0", the newest version of CUDA that the driver supports; empty where it does not say.
std::string DriverVersion(const DriverApi& api);

// "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected", in the driver's words.
std::string ErrorText(const DriverApi& api, CUresult result);

// The same error as the runtime has it. What DeviceError has no value for is kLaunchFailure where
// the context is lost by it, and kUnknown elsewhere.
DeviceError ToDeviceError(CUresult result);

}  // namespace warpcheck::gpu
