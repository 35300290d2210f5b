// Registry keeps what loaded objects have registered: fat binaries, kernels and variables. The
// device gets the PTX of a fat binary when something in it is first used.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "cudart/tables/memory_table.h"
#include "device/device.h"
#include "order/origin.h"

namespace warpcheck::cudart {

struct Runtime;

struct FatBinary {
  const void* wrapper = nullptr;
  std::optional<ModuleInfo> module{};
  cudaError_t load_error = cudaSuccess;
};

struct Function {
  FatBinary* binary = nullptr;
  std::string name;                           // the mangled name
  const KernelInfo* kernel = nullptr;         // set once loaded; lives as long as the module
  std::optional<int> dynamic_shared_limit{};  // in bytes; set by cudaFuncSetAttribute
  int shared_carveout = -1;                   // in percent; -1 leaves the choice to the device
};

struct Variable {
  FatBinary* binary = nullptr;
  std::string name;  // the mangled name
  std::uint64_t bytes = 0;
  void** managed = nullptr;   // the place where the object stores the pointer to its memory
  DeviceAddress address = 0;  // set once loaded
};

class Registry {
 public:
  FatBinary* AddBinary(const void* wrapper);
  // Removes the binary and everything that belongs to it.
  void RemoveBinary(FatBinary* binary, MemoryTable& memory);
  bool Knows(const FatBinary* binary) const;

  void AddFunction(const void* host, Function function) { functions_[host] = std::move(function); }
  void AddVariable(const void* host, Variable variable) { variables_[host] = std::move(variable); }

  // Finds the function or variable that is registered under a host address, and loads its module.
  // Fails with cudaErrorInvalidDeviceFunction, cudaErrorInvalidSymbol, or the error of loading.
  cudaError_t FindFunction(Runtime& runtime, const void* host, Function** function);
  cudaError_t FindVariable(Runtime& runtime, const void* host, Variable** variable);
  const std::string* NameOf(
      const void* host) const;  // the mangled name; nullptr if `host` is not a kernel
  // Returns the variable that holds the byte at an address of the device, or of the host if the
  // variable is managed; nothing if there is none.
  std::optional<Origin> VariableAt(std::uintptr_t address) const;

  cudaError_t Load(Runtime& runtime, FatBinary& binary);
  // Gives every managed variable of the binary host memory, if it does not have any yet.
  void PlaceManaged(MemoryTable& memory, const FatBinary& binary);
  void ForgetModules();  // without calling the device

 private:
  cudaError_t LoadPtx(Device& device, FatBinary& binary);
  void Resolve(FatBinary& binary);
  cudaError_t AddVariables(Runtime& runtime, const FatBinary& binary);

  std::list<FatBinary> binaries_;
  std::map<const void*, Function> functions_;
  std::map<const void*, Variable> variables_;
};

}  // namespace warpcheck::cudart
