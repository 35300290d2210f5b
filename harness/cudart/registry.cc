#include "cudart/registry.h"

#include <algorithm>
#include <cstdio>

#include "cudart/fat_binary.h"

namespace warpcheck::cudart {
namespace {

const KernelInfo* KernelNamed(const ModuleInfo& module, const std::string& name) {
  const auto found = std::ranges::find(module.kernels, name, &KernelInfo::name);
  return found == module.kernels.end() ? nullptr : &*found;
}

const VariableInfo* VariableNamed(const ModuleInfo& module, const std::string& name) {
  const auto found = std::ranges::find(module.variables, name, &VariableInfo::name);
  return found == module.variables.end() ? nullptr : &*found;
}

}  // namespace

FatBinary* Registry::AddBinary(const void* wrapper) {
  return &binaries_.emplace_back(FatBinary{.wrapper = wrapper, .module = {}});
}

void Registry::RemoveBinary(FatBinary* binary, MemoryTable& memory) {
  const auto belongs = [&](const auto& entry) { return entry.second.binary == binary; };
  for (const auto& [host, variable] : variables_) {
    if (variable.binary == binary) memory.ForgetVariable(variable.managed);
  }
  std::erase_if(functions_, belongs);
  std::erase_if(variables_, belongs);
  std::erase_if(binaries_, [&](const FatBinary& other) { return &other == binary; });
}

bool Registry::Knows(const FatBinary* binary) const {
  return std::ranges::any_of(binaries_, [&](const FatBinary& other) { return &other == binary; });
}

void Registry::AddFunction(const void* host, Function function) {
  functions_[host] = std::move(function);
}

void Registry::AddVariable(const void* host, Variable variable) {
  variables_[host] = std::move(variable);
}

cudaError_t Registry::FindFunction(Device& device, MemoryTable& memory, const void* host,
                                   Function** function) {
  const auto found = functions_.find(host);
  if (found == functions_.end()) return cudaErrorInvalidDeviceFunction;
  const cudaError_t error = Load(device, memory, *found->second.binary);
  if (error != cudaSuccess) return error;
  if (found->second.kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  *function = &found->second;
  return cudaSuccess;
}

const std::string* Registry::NameOf(const void* host) const {
  const auto found = functions_.find(host);
  return found == functions_.end() ? nullptr : &found->second.name;
}

cudaError_t Registry::FindVariable(Device& device, MemoryTable& memory, const void* host,
                                   Variable** variable) {
  auto found = variables_.find(host);
  if (found == variables_.end()) {  // a managed variable is named by the address of its memory
    found = std::ranges::find_if(variables_, [&](const auto& entry) {
      return host != nullptr && entry.second.managed != nullptr && *entry.second.managed == host;
    });
  }
  if (found == variables_.end()) return cudaErrorInvalidSymbol;
  const cudaError_t error = Load(device, memory, *found->second.binary);
  if (error != cudaSuccess) return error;
  if (found->second.address == 0) return cudaErrorInvalidSymbol;
  *variable = &found->second;
  return cudaSuccess;
}

cudaError_t Registry::Load(Device& device, MemoryTable& memory, FatBinary& binary) {
  if (binary.module) return cudaSuccess;
  if (binary.load_error != cudaSuccess) return binary.load_error;
  binary.load_error = LoadPtx(device, binary);
  if (binary.load_error != cudaSuccess) return binary.load_error;
  Resolve(binary);
  return MapManaged(device, memory, binary);
}

cudaError_t Registry::LoadPtx(Device& device, FatBinary& binary) {
  const DeviceProperties& properties = device.Properties();
  const int architecture = properties.compute_major * 10 + properties.compute_minor;
  const auto ptx = PtxBehind(binary.wrapper, architecture);
  if (!ptx) {
    std::fprintf(stderr, "warpcheck: %s\n", ptx.error().Text().c_str());
    return cudaErrorNoKernelImageForDevice;
  }
  auto module = device.LoadModule(*ptx);
  if (!module) return static_cast<cudaError_t>(module.error());
  binary.module = std::move(*module);
  return cudaSuccess;
}

void Registry::Resolve(FatBinary& binary) {
  for (auto& [host, function] : functions_) {
    if (function.binary == &binary) function.kernel = KernelNamed(*binary.module, function.name);
  }
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary) continue;
    const VariableInfo* info = VariableNamed(*binary.module, variable.name);
    if (info != nullptr && info->bytes >= variable.bytes) variable.address = info->address;
  }
}

cudaError_t Registry::MapManaged(Device& device, MemoryTable& memory, FatBinary& binary) {
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary || variable.managed == nullptr || variable.address == 0)
      continue;
    const cudaError_t error =
        memory.MapVariable(device, variable.address, variable.bytes, variable.managed);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

void Registry::PlaceManaged(MemoryTable& memory, const FatBinary& binary) {
  for (auto& [host, variable] : variables_) {
    if (variable.binary == &binary && variable.managed != nullptr) {
      memory.PlaceVariable(0, variable.bytes, variable.managed);
    }
  }
}

void Registry::ForgetModules() {
  for (FatBinary& binary : binaries_) {
    binary.module.reset();
    binary.load_error = cudaSuccess;
  }
  for (auto& [host, function] : functions_) {
    function.kernel = nullptr;
    function.dynamic_shared_limit.reset();
    function.shared_carveout = -1;
  }
  for (auto& [host, variable] : variables_) variable.address = 0;
}

}  // namespace warpcheck::cudart
