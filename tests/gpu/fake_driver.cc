#include "gpu/fake_driver.h"

#include <algorithm>
#include <cstring>

#include "gpu/fake_memory.h"
#include "gpu/fake_textures.h"

namespace warpcheck::gpu {
namespace {

FakeDriver* g_driver = nullptr;  // NOLINT: the driver's functions have no object

CUresult ModuleLoadDataEx(CUmodule* module, const void* text, unsigned count, CUjit_option* names,
                          void** values) {
  FakeDriver& driver = FakeDriver::Current();
  if (driver.lost != CUDA_SUCCESS) return driver.lost;
  bool lines = false;
  for (unsigned i = 0; i < count; ++i) {
    lines |= names[i] == CU_JIT_GENERATE_LINE_INFO && values[i] != nullptr;
    if (names[i] != CU_JIT_ERROR_LOG_BUFFER) continue;
    std::memcpy(values[i], driver.load_log.c_str(), driver.load_log.size() + 1);
  }
  if (!lines) return CUDA_ERROR_INVALID_VALUE;
  if (driver.load_error != CUDA_SUCCESS) return driver.load_error;
  driver.loaded.emplace_back(static_cast<const char*>(text));
  ++driver.modules;
  *module = reinterpret_cast<CUmodule>(&driver);
  return CUDA_SUCCESS;
}

CUresult ModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  for (const auto& kernel : FakeDriver::Current().kernels) {
    if (kernel->name != name) continue;
    return *function = reinterpret_cast<CUfunction>(kernel.get()), CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

CUresult ModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule, const char* name) {
  const auto found = FakeDriver::Current().variables.find(name);
  if (found == FakeDriver::Current().variables.end()) return CUDA_ERROR_NOT_FOUND;
  *address = reinterpret_cast<CUdeviceptr>(found->second.data());
  *bytes = found->second.size();
  return CUDA_SUCCESS;
}

FakeKernel& Kernel(CUfunction function) { return *reinterpret_cast<FakeKernel*>(function); }

CUresult FuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                          std::size_t* bytes) {
  const auto& parameters = Kernel(function).parameters;
  if (index >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  std::tie(*offset, *bytes) = parameters[index];
  return CUDA_SUCCESS;
}

CUresult FuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const FakeKernel& kernel = Kernel(function);
  const std::map<CUfunction_attribute, int> values = {
      {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel.static_shared},
      {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel.local_bytes},
      {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, kernel.constant_bytes},
      {CU_FUNC_ATTRIBUTE_NUM_REGS, kernel.registers},
      {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel.max_threads},
  };
  const auto found = values.find(attribute);
  if (found == values.end()) return CUDA_ERROR_INVALID_VALUE;
  *value = found->second;
  return CUDA_SUCCESS;
}

CUresult FuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Kernel(function).allowed_shared = value;
  return CUDA_SUCCESS;
}

CUresult Start(CUfunction function, unsigned grid, unsigned threads, unsigned shared,
               std::span<const std::byte> parameters, const char* how) {
  FakeDriver& driver = FakeDriver::Current();
  if (driver.lost != CUDA_SUCCESS) return driver.lost;
  FakeKernel& kernel = Kernel(function);
  const int blocks =
      driver.active_blocks * driver.attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
  if (*how != '\0' && static_cast<int>(grid) > blocks) {
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  if (threads * static_cast<unsigned>(kernel.registers) > 65536) {
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  }
  if (static_cast<int>(threads) > kernel.max_threads ||
      static_cast<int>(shared) + kernel.static_shared >
          std::max(kernel.allowed_shared + kernel.static_shared, 48 << 10)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  driver.launches.push_back(kernel.name + how);
  driver.clock_us += kernel.us;
  if (kernel.body) driver.lost = kernel.body(parameters);
  return CUDA_SUCCESS;
}

CUresult LaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned x, unsigned y, unsigned z, unsigned shared, CUstream, void**,
                      void** extra) {
  std::span<const std::byte> parameters;
  if (extra != nullptr) {
    if (extra[0] != CU_LAUNCH_PARAM_BUFFER_POINTER || extra[2] != CU_LAUNCH_PARAM_BUFFER_SIZE ||
        extra[4] != CU_LAUNCH_PARAM_END) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    parameters = {static_cast<const std::byte*>(extra[1]), *static_cast<std::size_t*>(extra[3])};
  }
  return Start(function, grid_x * grid_y * grid_z, x * y * z, shared, parameters, "");
}

CUresult LaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned x, unsigned y, unsigned z,
                                 unsigned shared, CUstream, void** arguments) {
  const auto& parameters = Kernel(function).parameters;
  std::vector<std::byte> block;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    block.resize(parameters[i].first + parameters[i].second);
    std::memcpy(block.data() + parameters[i].first, arguments[i], parameters[i].second);
  }
  return Start(function, grid_x * grid_y * grid_z, x * y * z, shared, block, " cooperative");
}

struct FakeEvent {
  double us = 0;
};
FakeEvent& Event(CUevent event) { return *reinterpret_cast<FakeEvent*>(event); }

void FillContextCalls(DriverApi& api) {
  api.Init = [](unsigned) { return FakeDriver::Current().init_error; };
  api.DriverGetVersion = [](int* version) { return *version = 13000, CUDA_SUCCESS; };
  api.GetErrorName = [](CUresult result, const char** name) {
    if (result == CUDA_ERROR_UNKNOWN) return CUDA_ERROR_INVALID_VALUE;
    return *name = "CUDA_ERROR_NAME", CUDA_SUCCESS;
  };
  api.GetErrorString = [](CUresult, const char** text) {
    return *text = "the driver's words", CUDA_SUCCESS;
  };
  api.DeviceGetCount = [](int* count) {
    return *count = FakeDriver::Current().devices, CUDA_SUCCESS;
  };
  api.DeviceGet = [](CUdevice* device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; };
  api.DeviceGetName = [](char* name, int bytes, CUdevice) {
    return std::strncpy(name, "NVIDIA Fake", static_cast<std::size_t>(bytes)), CUDA_SUCCESS;
  };
  api.DeviceGetPCIBusId = [](char* id, int, CUdevice) { return *id = '\0', CUDA_SUCCESS; };
  api.DeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice) {
    const auto found = FakeDriver::Current().attributes.find(attribute);
    if (found == FakeDriver::Current().attributes.end()) return CUDA_ERROR_INVALID_VALUE;
    return *value = found->second, CUDA_SUCCESS;
  };
  api.DeviceTotalMem = [](std::size_t* bytes, CUdevice) {
    return *bytes = FakeDriver::Current().memory_limit, CUDA_SUCCESS;
  };
  api.CtxCreate = [](CUcontext* context, unsigned, CUdevice) {
    if (FakeDriver::Current().context_error != CUDA_SUCCESS)
      return FakeDriver::Current().context_error;
    ++FakeDriver::Current().contexts;
    return *context = reinterpret_cast<CUcontext>(&FakeDriver::Current()), CUDA_SUCCESS;
  };
  api.CtxDestroy = [](CUcontext) { return --FakeDriver::Current().contexts, CUDA_SUCCESS; };
  api.CtxSetCurrent = [](CUcontext) { return CUDA_SUCCESS; };
  api.CtxSynchronize = [] { return FakeDriver::Current().lost; };
}

void FillModuleCalls(DriverApi& api) {
  api.ModuleLoadDataEx = ModuleLoadDataEx;
  api.ModuleUnload = [](CUmodule) { return --FakeDriver::Current().modules, CUDA_SUCCESS; };
  api.ModuleGetFunction = ModuleGetFunction;
  api.ModuleGetGlobal = ModuleGetGlobal;
  api.FuncGetParamInfo = FuncGetParamInfo;
  api.FuncGetAttribute = FuncGetAttribute;
  api.FuncSetAttribute = FuncSetAttribute;
  api.OccupancyMaxActiveBlocksPerMultiprocessor = [](int* blocks, CUfunction, int, std::size_t) {
    return *blocks = FakeDriver::Current().active_blocks, CUDA_SUCCESS;
  };
  api.LaunchKernel = LaunchKernel;
  api.LaunchCooperativeKernel = LaunchCooperativeKernel;
}

// Streams share one clock, so that nothing overlaps.
void FillEventCalls(DriverApi& api) {
  api.StreamCreate = [](CUstream* stream, unsigned flags) {
    if (flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    ++FakeDriver::Current().streams;
    return *stream = reinterpret_cast<CUstream>(&FakeDriver::Current()), CUDA_SUCCESS;
  };
  api.StreamDestroy = [](CUstream) { return --FakeDriver::Current().streams, CUDA_SUCCESS; };
  api.EventCreate = [](CUevent* event, unsigned) {
    ++FakeDriver::Current().events;
    return *event = reinterpret_cast<CUevent>(new FakeEvent), CUDA_SUCCESS;
  };
  api.EventDestroy = [](CUevent event) {
    --FakeDriver::Current().events;
    return delete &Event(event), CUDA_SUCCESS;
  };
  api.EventRecord = [](CUevent event, CUstream) {
    return Event(event).us = FakeDriver::Current().clock_us, FakeDriver::Current().lost;
  };
  api.EventElapsedTime = [](float* ms, CUevent begin, CUevent end) {
    *ms = static_cast<float>((Event(end).us - Event(begin).us) / 1000);
    return FakeDriver::Current().lost;
  };
}

}  // namespace

FakeDriver& FakeDriver::Current() { return *g_driver; }

FakeDriver::FakeDriver() {
  g_driver = this;
  FillContextCalls(api_);
  FillMemoryCalls(api_);
  FillModuleCalls(api_);
  FillEventCalls(api_);
  FillTextureCalls(api_);
  attributes = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
      {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 1 << 20},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 6016},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 3201000},
      {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
  };
}

FakeDriver::~FakeDriver() {
  while (!allocated.empty()) (void)api_.MemFree(*allocated.begin());
  g_driver = nullptr;
}

FakeKernel& FakeDriver::Add(FakeKernel kernel) {
  kernels.push_back(std::make_unique<FakeKernel>(std::move(kernel)));
  return *kernels.back();
}

}  // namespace warpcheck::gpu
