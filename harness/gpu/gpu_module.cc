#include "gpu/gpu_module.h"

#include "base/demangle.h"

namespace warpcheck::gpu {
namespace {

CUresult ReadParameters(const DriverApi& api, CUfunction function, KernelInfo& into) {
  for (std::size_t i = 0;; ++i) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    const CUresult result = api.FuncGetParamInfo(function, i, &offset, &bytes);
    if (result == CUDA_ERROR_INVALID_VALUE) return CUDA_SUCCESS;  // beyond the last
    if (result != CUDA_SUCCESS) return result;
    into.parameters.push_back(
        {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
    into.parameter_bytes = static_cast<std::uint32_t>(offset + bytes);
  }
}

CUresult ReadKernel(const DriverApi& api, CUfunction function, KernelInfo& into) {
  CUresult error = CUDA_SUCCESS;
  const auto read = [&](CUfunction_attribute attribute, std::uint32_t& value) {
    int number = 0;
    const CUresult result = api.FuncGetAttribute(&number, attribute, function);
    if (error == CUDA_SUCCESS) error = result;
    value = static_cast<std::uint32_t>(number);
  };
  read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, into.static_shared_bytes);
  read(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, into.local_bytes);
  read(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, into.constant_bytes);
  read(CU_FUNC_ATTRIBUTE_NUM_REGS, into.registers);
  read(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, into.max_threads_per_block);
  return error == CUDA_SUCCESS ? ReadParameters(api, function, into) : error;
}

}  // namespace

tl::expected<std::unique_ptr<GpuModule>, LoadFailure> GpuModule::Load(
    const DriverApi& api, std::string_view ptx, const CubinCapturer& capture) {
  std::unique_ptr<GpuModule> module(new GpuModule(api));
  tl::expected<CUmodule, LoadFailure> loaded = nullptr;
  const auto load = [&] { loaded = LoadPtx(api, ptx); };
  if (capture) {
    module->cubin_ = capture(load);
  } else {
    load();
  }
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  module->module_ = *loaded;
  const PtxNames names = ReadNames(ptx);
  CUresult result = module->ListKernels(names.kernels);
  if (result == CUDA_SUCCESS) result = module->ListVariables(names.variable_candidates);
  if (result == CUDA_SUCCESS) return module;
  LoadFailure failure;
  failure.error = ToDeviceError(result);
  failure.message = "the driver does not say what the module has: " + ErrorText(api, result);
  return tl::unexpected(std::move(failure));
}

GpuModule::~GpuModule() {
  if (module_ != nullptr) (void)api_.ModuleUnload(module_);
}

// By name: of the functions that the driver enumerates it says nothing before each is loaded, and a
// function that is asked for by its name is loaded when it is needed.
CUresult GpuModule::ListKernels(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (Find(name) != nullptr) continue;  // declared, then defined
    GpuKernel kernel;
    kernel.info.name = name;
    kernel.display_name = Demangle(name);
    CUresult result = api_.ModuleGetFunction(&kernel.function, module_, name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) continue;  // declared only
    if (result == CUDA_SUCCESS) result = ReadKernel(api_, kernel.function, kernel.info);
    if (result != CUDA_SUCCESS) return result;
    kernels_.push_back(std::move(kernel));
  }
  return CUDA_SUCCESS;
}

CUresult GpuModule::ListVariables(const std::vector<std::string>& candidates) {
  for (const std::string& name : candidates) {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    const CUresult result = api_.ModuleGetGlobal(&address, &bytes, module_, name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) continue;  // a word of another meaning
    if (result != CUDA_SUCCESS) return result;
    VariableInfo variable;
    variable.name = name;
    variable.address = address;
    variable.bytes = bytes;
    variables_.push_back(std::move(variable));
  }
  return CUDA_SUCCESS;
}

const GpuKernel* GpuModule::Find(std::string_view mangled) const {
  for (const GpuKernel& kernel : kernels_) {
    if (kernel.info.name == mangled) return &kernel;
  }
  return nullptr;
}

ModuleInfo GpuModule::Info(ModuleId id) const {
  ModuleInfo info;
  info.id = id;
  info.variables = variables_;
  for (const GpuKernel& kernel : kernels_) info.kernels.push_back(kernel.info);
  return info;
}

bool GpuModule::Holds(DeviceAddress address, std::uint64_t bytes) const {
  for (const VariableInfo& variable : variables_) {
    if (address < variable.address) continue;
    const std::uint64_t offset = address - variable.address;
    if (offset <= variable.bytes && bytes <= variable.bytes - offset) return true;
  }
  return false;
}

}  // namespace warpcheck::gpu
