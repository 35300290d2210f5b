#include "gpu/fake_driver.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "base/round_up.h"

namespace warpcheck::gpu {
namespace {

FakeDriver* g_driver = nullptr;  // NOLINT: the driver's functions have no object

constexpr std::size_t kPage = std::size_t{2} << 20;
constexpr double kCopyBytesPerUs = 2e6;
// What is filled or copied beyond this is nobody's data, and would only take time.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

template <class T>
T* Pointer(CUdeviceptr address) {
  return reinterpret_cast<T*>(address);
}

struct Block {
  std::size_t bytes = 0;
  void* memory = nullptr;
};
std::map<CUdeviceptr, Block>& Blocks() {
  static std::map<CUdeviceptr, Block> blocks;
  return blocks;
}

CUresult MemAlloc(CUdeviceptr* address, std::size_t bytes) {
  FakeDriver& driver = *g_driver;
  if (driver.lost != CUDA_SUCCESS) return driver.lost;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > driver.memory_limit - driver.allocated_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  void* const memory = std::aligned_alloc(512, RoundUp(bytes + driver.misalign_by, 512));
  *address = reinterpret_cast<CUdeviceptr>(memory) + driver.misalign_by;
  std::memset(Pointer<void>(*address), 0x5A, std::min(bytes, kMostBytes));
  driver.allocated.insert(*address);
  driver.allocated_bytes += bytes;
  Blocks()[*address] = {bytes, memory};
  return CUDA_SUCCESS;
}

CUresult MemFree(CUdeviceptr address) {
  const auto found = Blocks().find(address);
  if (found == Blocks().end()) return CUDA_ERROR_INVALID_VALUE;
  g_driver->allocated_bytes -= found->second.bytes;
  g_driver->allocated.erase(address);
  std::free(found->second.memory);
  Blocks().erase(found);
  return CUDA_SUCCESS;
}

CUresult MemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr at,
                           unsigned long long) {
  if (at % kPage != 0 || bytes % kPage != 0) return CUDA_ERROR_INVALID_VALUE;
  void* const memory = ::mmap(Pointer<void>(at), bytes, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return memory == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult MemAddressFree(CUdeviceptr address, std::size_t bytes) {
  return ::munmap(Pointer<void>(address), bytes) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult MemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                   const CUmemAllocationProp* properties, unsigned long long) {
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED || bytes % kPage != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *handle = 1;
  return CUDA_SUCCESS;
}

CUresult MemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc* access,
                      std::size_t count) {
  if (count != 1 || access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return ::mprotect(Pointer<void>(address), bytes, PROT_READ | PROT_WRITE) == 0
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

CUresult MemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  if (g_driver->lost != CUDA_SUCCESS) return g_driver->lost;
  std::memcpy(Pointer<void>(to), from, bytes);
  return CUDA_SUCCESS;
}

CUresult MemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  if (g_driver->lost != CUDA_SUCCESS) return g_driver->lost;
  std::memcpy(to, Pointer<void>(from), bytes);
  return CUDA_SUCCESS;
}

// Ranges that overlap make nonsense, as on the device.
CUresult MemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  if (g_driver->lost != CUDA_SUCCESS) return g_driver->lost;
  if (to < from + bytes && from < to + bytes) return CUDA_ERROR_UNKNOWN;
  std::memcpy(Pointer<void>(to), Pointer<void>(from), std::min(bytes, kMostBytes));
  g_driver->clock_us += static_cast<double>(bytes) / kCopyBytesPerUs;
  return CUDA_SUCCESS;
}

CUresult MemsetD8(CUdeviceptr to, unsigned char value, std::size_t bytes) {
  if (g_driver->lost != CUDA_SUCCESS) return g_driver->lost;
  std::memset(Pointer<void>(to), value, std::min(bytes, kMostBytes));
  return CUDA_SUCCESS;
}

CUresult MemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  const auto l2 = static_cast<std::size_t>(g_driver->attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE]);
  if (bytes == 2 * l2) ++g_driver->flushes;
  return MemsetD8(to, value, bytes);
}

CUresult ModuleLoadDataEx(CUmodule* module, const void* text, unsigned count, CUjit_option* names,
                          void** values) {
  FakeDriver& driver = *g_driver;
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
  *module = reinterpret_cast<CUmodule>(g_driver);
  return CUDA_SUCCESS;
}

CUresult ModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule) {
  for (unsigned i = 0; i < count; ++i) {
    functions[i] = reinterpret_cast<CUfunction>(g_driver->kernels[i].get());
  }
  return CUDA_SUCCESS;
}

CUresult ModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule, const char* name) {
  const auto found = g_driver->variables.find(name);
  if (found == g_driver->variables.end()) return CUDA_ERROR_NOT_FOUND;
  *address = reinterpret_cast<CUdeviceptr>(found->second.data());
  *bytes = found->second.size();
  return CUDA_SUCCESS;
}

FakeKernel& Kernel(CUfunction function) { return *reinterpret_cast<FakeKernel*>(function); }

CUresult FuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                          std::size_t* bytes) {
  if (!Kernel(function).loaded) return CUDA_ERROR_FUNCTION_NOT_LOADED;
  const auto& parameters = Kernel(function).parameters;
  if (index >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  std::tie(*offset, *bytes) = parameters[index];
  return CUDA_SUCCESS;
}

CUresult FuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const FakeKernel& kernel = Kernel(function);
  if (!kernel.loaded) return CUDA_ERROR_FUNCTION_NOT_LOADED;
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
  FakeDriver& driver = *g_driver;
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
  api.Init = [](unsigned) { return g_driver->init_error; };
  api.DriverGetVersion = [](int* version) { return *version = 13000, CUDA_SUCCESS; };
  api.GetErrorName = [](CUresult result, const char** name) {
    if (result == CUDA_ERROR_UNKNOWN) return CUDA_ERROR_INVALID_VALUE;
    return *name = "CUDA_ERROR_NAME", CUDA_SUCCESS;
  };
  api.GetErrorString = [](CUresult, const char** text) {
    return *text = "the driver's words", CUDA_SUCCESS;
  };
  api.DeviceGetCount = [](int* count) { return *count = g_driver->devices, CUDA_SUCCESS; };
  api.DeviceGet = [](CUdevice* device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; };
  api.DeviceGetName = [](char* name, int bytes, CUdevice) {
    return std::strncpy(name, "NVIDIA Fake", static_cast<std::size_t>(bytes)), CUDA_SUCCESS;
  };
  api.DeviceGetPCIBusId = [](char* id, int, CUdevice) { return *id = '\0', CUDA_SUCCESS; };
  api.DeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice) {
    const auto found = g_driver->attributes.find(attribute);
    if (found == g_driver->attributes.end()) return CUDA_ERROR_INVALID_VALUE;
    return *value = found->second, CUDA_SUCCESS;
  };
  api.DeviceTotalMem = [](std::size_t* bytes, CUdevice) {
    return *bytes = g_driver->memory_limit, CUDA_SUCCESS;
  };
  api.CtxCreate = [](CUcontext* context, unsigned, CUdevice) {
    if (g_driver->context_error != CUDA_SUCCESS) return g_driver->context_error;
    ++g_driver->contexts;
    return *context = reinterpret_cast<CUcontext>(g_driver), CUDA_SUCCESS;
  };
  api.CtxDestroy = [](CUcontext) { return --g_driver->contexts, CUDA_SUCCESS; };
  api.CtxSetCurrent = [](CUcontext) { return CUDA_SUCCESS; };
  api.CtxSynchronize = [] { return g_driver->lost; };
}

void FillMemoryCalls(DriverApi& api) {
  api.MemGetInfo = [](std::size_t* free_bytes, std::size_t* total) {
    *total = g_driver->memory_limit;
    return *free_bytes = *total - g_driver->allocated_bytes, g_driver->lost;
  };
  api.MemAlloc = MemAlloc;
  api.MemFree = MemFree;
  api.MemcpyHtoD = MemcpyHtoD;
  api.MemcpyDtoH = MemcpyDtoH;
  api.MemcpyDtoDAsync = MemcpyDtoDAsync;
  api.MemsetD8 = MemsetD8;
  api.MemsetD8Async = MemsetD8Async;
  api.MemAddressReserve = MemAddressReserve;
  api.MemAddressFree = MemAddressFree;
  api.MemCreate = MemCreate;
  api.MemRelease = [](CUmemGenericAllocationHandle) { return CUDA_SUCCESS; };
  api.MemMap = [](CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle,
                  unsigned long long) { return CUDA_SUCCESS; };
  api.MemUnmap = [](CUdeviceptr, std::size_t) { return CUDA_SUCCESS; };
  api.MemSetAccess = MemSetAccess;
  api.MemGetAllocationGranularity = [](std::size_t* bytes, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags) {
    return *bytes = kPage, CUDA_SUCCESS;
  };
}

void FillModuleCalls(DriverApi& api) {
  api.ModuleLoadDataEx = ModuleLoadDataEx;
  api.ModuleUnload = [](CUmodule) { return --g_driver->modules, CUDA_SUCCESS; };
  api.ModuleGetFunctionCount = [](unsigned* count, CUmodule) {
    return *count = static_cast<unsigned>(g_driver->kernels.size()), CUDA_SUCCESS;
  };
  api.ModuleEnumerateFunctions = ModuleEnumerateFunctions;
  api.ModuleGetGlobal = ModuleGetGlobal;
  api.FuncLoad = [](CUfunction function) { return Kernel(function).loaded = true, CUDA_SUCCESS; };
  api.FuncGetName = [](const char** name, CUfunction function) {
    return *name = Kernel(function).name.c_str(), CUDA_SUCCESS;
  };
  api.FuncGetParamInfo = FuncGetParamInfo;
  api.FuncGetAttribute = FuncGetAttribute;
  api.FuncSetAttribute = FuncSetAttribute;
  api.OccupancyMaxActiveBlocksPerMultiprocessor = [](int* blocks, CUfunction, int, std::size_t) {
    return *blocks = g_driver->active_blocks, CUDA_SUCCESS;
  };
  api.LaunchKernel = LaunchKernel;
  api.LaunchCooperativeKernel = LaunchCooperativeKernel;
}

void FillEventCalls(DriverApi& api) {
  api.EventCreate = [](CUevent* event, unsigned) {
    ++g_driver->events;
    return *event = reinterpret_cast<CUevent>(new FakeEvent), CUDA_SUCCESS;
  };
  api.EventDestroy = [](CUevent event) {
    --g_driver->events;
    return delete &Event(event), CUDA_SUCCESS;
  };
  api.EventRecord = [](CUevent event, CUstream) {
    return Event(event).us = g_driver->clock_us, g_driver->lost;
  };
  api.EventElapsedTime = [](float* ms, CUevent begin, CUevent end) {
    *ms = static_cast<float>((Event(end).us - Event(begin).us) / 1000);
    return g_driver->lost;
  };
}

}  // namespace

FakeDriver::FakeDriver() {
  g_driver = this;
  FillContextCalls(api_);
  FillMemoryCalls(api_);
  FillModuleCalls(api_);
  FillEventCalls(api_);
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
  while (!allocated.empty()) (void)MemFree(*allocated.begin());
  g_driver = nullptr;
}

FakeKernel& FakeDriver::Add(FakeKernel kernel) {
  kernels.push_back(std::make_unique<FakeKernel>(std::move(kernel)));
  return *kernels.back();
}

}  // namespace warpcheck::gpu
