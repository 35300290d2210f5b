// A module in device memory: its variables at their addresses, its kernels decoded when first
// launched.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "emulator/device_memory.h"
#include "emulator/isa.h"
#include "emulator/program.h"
#include "emulator/shared_variables.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// A kernel with all functions that it may call.
struct Kernel {
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::string display_name;    // demangled
  std::string error;           // why it cannot run; empty where it can
  SourceLocation error_place;  // in the student's source where known
  std::uint32_t static_shared_bytes = 0;
  std::vector<SharedVariable> shared_variables;
  // By FunctionId; null for functions that it cannot call. The kernel itself is one of them.
  std::vector<std::unique_ptr<Program>> programs;

  const Program& entry() const;
  // All but the size of the module's constants.
  KernelInfo Info(const DeviceProperties& properties) const;
};

class LoadedModule {
 public:
  static DeviceResult<std::unique_ptr<LoadedModule>> Load(std::shared_ptr<const ptx::Module> module,
                                                          DeviceMemory& memory);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  ModuleInfo Info(ModuleId id, const Isa& isa, const DeviceProperties& properties);
  // Null where there is none of that name.
  const Kernel* FindKernel(std::string_view mangled, const Isa& isa);

 private:
  LoadedModule(std::shared_ptr<const ptx::Module> module, DeviceMemory& memory)
      : owner_(std::move(module)), module_(*owner_), memory_(memory) {}
  DeviceError PlaceVariables();
  void InitialiseVariables();
  std::unique_ptr<Kernel> Decode(ptx::FunctionId id, const Isa& isa);

  std::shared_ptr<const ptx::Module> owner_;
  const ptx::Module& module_;
  DeviceMemory& memory_;
  std::vector<std::uint64_t> addresses_;  // of each symbol
  std::vector<DeviceAddress> allocated_;
  std::vector<std::unique_ptr<Kernel>> kernels_;  // by FunctionId, null until asked for
};

}  // namespace warpcheck::emulator
