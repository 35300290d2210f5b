#include "cudart/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text/demangle.h"
#include "cudart/fat_binary.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

// Returns the kernel or variable with that name, or nullptr if there is no such name.
template <class Info>
const Info* Named(const std::vector<Info>& infos, const std::string& name) {
  const auto found = std::ranges::find(infos, name, &Info::name);
  return found == infos.end() ? nullptr : &*found;
}

}  // namespace

FatBinary* Registry::AddBinary(const void* wrapper) {
  return &binaries_.emplace_back(FatBinary{.wrapper = wrapper});
}

void Registry::RemoveBinary(FatBinary* binary, MemoryTable& memory) {
  const auto belongs = [&](const auto& entry) { return entry.second.binary == binary; };
  for (const auto& [host, variable] : variables_) {
    if (variable.binary != binary) continue;
    if (variable.managed != nullptr) {
      memory.ForgetVariable(variable.managed);
    } else if (variable.address != 0) {
      memory.RemoveVariable(variable.address);
    }
  }
  std::erase_if(functions_, belongs);
  std::erase_if(variables_, belongs);
  std::erase_if(binaries_, [&](const FatBinary& other) { return &other == binary; });
}

bool Registry::Knows(const FatBinary* binary) const {
  return std::ranges::any_of(binaries_, [&](const FatBinary& other) { return &other == binary; });
}

cudaError_t Registry::FindFunction(Runtime& runtime, const void* host, Function** function) {
  const auto found = functions_.find(host);
  if (found == functions_.end()) return cudaErrorInvalidDeviceFunction;
  WARPCHECK_TRY_CODE(Load(runtime, *found->second.binary));
  if (found->second.kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  *function = &found->second;
  return cudaSuccess;
}

const std::string* Registry::NameOf(const void* host) const {
  const auto found = functions_.find(host);
  return found == functions_.end() ? nullptr : &found->second.name;
}

cudaError_t Registry::FindVariable(Runtime& runtime, const void* host, Variable** variable) {
  auto found = variables_.find(host);
  if (found == variables_.end()) {  // the address of its memory may also name a managed variable
    found = std::ranges::find_if(variables_, [&](const auto& entry) {
      return host != nullptr && entry.second.managed != nullptr && *entry.second.managed == host;
    });
  }
  if (found == variables_.end()) return cudaErrorInvalidSymbol;
  WARPCHECK_TRY_CODE(Load(runtime, *found->second.binary));
  if (found->second.address == 0) return cudaErrorInvalidSymbol;
  *variable = &found->second;
  return cudaSuccess;
}

std::optional<Origin> Registry::VariableAt(std::uintptr_t address) const {
  for (const auto& [host, variable] : variables_) {
    if (variable.address == 0) continue;
    const std::uintptr_t start =
        variable.managed == nullptr ? std::uintptr_t{variable.address} : Address(*variable.managed);
    if (address < start || address - start >= variable.bytes) continue;
    return Origin{.start = start,
                  .bytes = variable.bytes,
                  .call = fmt::format("the variable `{}`", Demangle(variable.name))};
  }
  return std::nullopt;
}

cudaError_t Registry::Load(Runtime& runtime, FatBinary& binary) {
  if (binary.module) return cudaSuccess;
  if (binary.load_error != cudaSuccess) return binary.load_error;
  binary.load_error = LoadPtx(*runtime.device, binary);
  if (binary.load_error != cudaSuccess) return binary.load_error;
  Resolve(binary);
  return AddVariables(runtime, binary);
}

cudaError_t Registry::LoadPtx(Device& device, FatBinary& binary) {
  const DeviceProperties& properties = device.Properties();
  const int architecture = properties.target();
  const auto ptx = PtxBehind(binary.wrapper, architecture);
  if (!ptx) {
    std::fprintf(stderr, "warpcheck: %s\n", ptx.error().Text().c_str());
    return cudaErrorNoKernelImageForDevice;
  }
  auto module = device.LoadModule(*ptx);
  if (!module) return ToCuda(module.error());
  binary.module = std::move(*module);
  return cudaSuccess;
}

void Registry::Resolve(FatBinary& binary) {
  for (auto& [host, function] : functions_) {
    if (function.binary == &binary) function.kernel = Named(binary.module->kernels, function.name);
  }
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary) continue;
    const VariableInfo* info = Named(binary.module->variables, variable.name);
    if (info != nullptr && info->bytes >= variable.bytes) variable.address = info->address;
  }
}

cudaError_t Registry::AddVariables(Runtime& runtime, const FatBinary& binary) {
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary || variable.address == 0) continue;
    if (variable.managed == nullptr) {
      runtime.memory.AddVariable(variable.address, variable.bytes);
      continue;
    }
    WARPCHECK_TRY_CODE(runtime.memory.MapVariable(*runtime.device, variable.address, variable.bytes,
                                                  variable.managed));
    runtime.host.Start();
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
