// Loads the CUDA driver at run time, so that a build works on machines with and without a GPU, and
// so that tests can replace the table of functions.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "device/types.h"

namespace warpcheck::gpu {

struct DriverApi {
  // cuCtxCreate has another parameter since CUDA 13; every driver still has this form.
  using CtxCreateFunction = CUresult (*)(CUcontext* context, unsigned flags, CUdevice device);
  CtxCreateFunction CtxCreate = nullptr;
#define DRIVER_FUNCTION(name) decltype(&cu##name) name = nullptr;
#include "gpu/driver_api.def"
#undef DRIVER_FUNCTION
};

// Loads and initialises the machine's driver once for each process. Fails with advice if there is
// no driver or no device, or if the driver is older than warpcheck needs.
Result<const DriverApi*> LoadDriver();

// Loads the driver from one library, as LoadDriver() does; the library stays loaded.
Result<DriverApi> LoadDriverFrom(const char* library);
// Initialises the driver, and checks that there are devices.
Result<> StartDriver(const DriverApi& api);

// Returns the newest version of CUDA that the driver supports, such as "CUDA 13.0"; empty if the
// driver does not tell.
std::string DriverVersion(const DriverApi& api);

// Returns the driver's text for an error: "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is
// detected".
std::string ErrorText(const DriverApi& api, CUresult result);

// Returns the runtime's error for a driver's error. An error without a value in DeviceError becomes
// kLaunchFailure if it destroys the context, and kUnknown otherwise.
DeviceError ToDeviceError(CUresult result);

// A context of the driver, destroyed with this object.
class Context {
 public:
  // Makes a context of device `ordinal`, counted from 0, and makes it current. `api` must outlive
  // the context. Fails if there is no such device, or the driver refuses.
  static Result<std::unique_ptr<Context>> Make(const DriverApi& api, int ordinal);

  ~Context() { (void)api_.CtxDestroy(context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  CUdevice device() const { return device_; }
  CUcontext get() const { return context_; }
  // Makes the context current in the calling thread.
  CUresult Enter() const { return api_.CtxSetCurrent(context_); }

 private:
  Context(const DriverApi& api, CUdevice device, CUcontext context)
      : api_(api), device_(device), context_(context) {}

  const DriverApi& api_;
  const CUdevice device_;
  const CUcontext context_;
};

// Reads all properties of a device. If the driver does not know an attribute, fails with its name.
Result<DeviceProperties> ReadProperties(const DriverApi& api, CUdevice device);

}  // namespace warpcheck::gpu
