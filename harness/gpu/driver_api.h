// The CUDA driver, loaded at run time: a build serves machines with and without a GPU, and tests
// put a driver of their own in place of the table.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "device/types.h"

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

// A context of the driver's, destroyed with this.
class Context {
 public:
  // Of device `ordinal`, counted from 0. `api` outlives the context. The context is current
  // afterwards. Fails where there is no such device, or it gives none.
  static Result<std::unique_ptr<Context>> Make(const DriverApi& api, int ordinal);

  ~Context() { (void)api_.CtxDestroy(context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  CUdevice device() const { return device_; }
  CUcontext get() const { return context_; }
  // Makes it the calling thread's.
  CUresult Enter() const { return api_.CtxSetCurrent(context_); }

 private:
  Context(const DriverApi& api, CUdevice device, CUcontext context)
      : api_(api), device_(device), context_(context) {}

  const DriverApi& api_;
  const CUdevice device_;
  const CUcontext context_;
};

// All that the driver says of a device. Fails with the attribute that it does not know.
Result<DeviceProperties> ReadProperties(const DriverApi& api, CUdevice device);

}  // namespace warpcheck::gpu
