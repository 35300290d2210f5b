#pragma once

#include <memory>

#include "device/types.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

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
