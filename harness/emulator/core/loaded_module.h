// A LoadedModule is a module in device memory: its variables at their addresses, and its kernels
// decoded for these addresses.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "emulator/decode/parsed_modules.h"
#include "emulator/memory/device_memory.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class LoadedModule {
 public:
  // Places the module's variables in `memory`, which must outlive the result. Fails if they do not
  // fit.
  static DeviceResult<std::unique_ptr<LoadedModule>> Load(std::shared_ptr<const ptx::Module> module,
                                                          DeviceMemory& memory);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  // Decodes the kernels; must be called before FindKernel and Info. `registers_of` returns the
  // registers that ptxas gives a thread of a kernel, by its mangled name; it may be empty.
  void Decode(ParsedModules& parsed, const Isa& isa,
              const std::function<std::uint32_t(const std::string& kernel)>& registers_of);
  ModuleInfo Info(ModuleId id, const DeviceProperties& properties) const;
  // Returns null if there is no kernel with that name.
  const Kernel* FindKernel(std::string_view mangled) const { return decoded_->Find(mangled); }

 private:
  LoadedModule(std::shared_ptr<const ptx::Module> module, DeviceMemory& memory)
      : owner_(std::move(module)), module_(*owner_), memory_(memory) {}
  DeviceError PlaceVariables();
  void InitialiseVariables();

  std::shared_ptr<const ptx::Module> owner_;
  const ptx::Module& module_;
  DeviceMemory& memory_;
  std::vector<std::uint64_t> addresses_;  // addresses by ptx::SymbolId
  std::vector<DeviceAddress> allocated_;
  std::shared_ptr<const DecodedModule> decoded_;
};

}  // namespace warpcheck::emulator
