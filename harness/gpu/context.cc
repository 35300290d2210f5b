#include "gpu/context.h"

#include <fmt/format.h>

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

}  // namespace warpcheck::gpu
