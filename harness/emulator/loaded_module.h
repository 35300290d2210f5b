// A module in device memory: its variables at their addresses, its kernels decoded when first
// launched.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "emulator/device_memory.h"
#include "emulator/isa.h"
#include "emulator/preparation.h"
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
  std::uint32_t registers = 0;  // of a thread, as ptxas says; 0 where nobody asked it
  std::vector<SharedVariable> shared_variables;
  // Of the functions that it can call, itself included.
  std::map<ptx::FunctionId, std::unique_ptr<Program>> programs;

  const Program& entry() const { return *programs.at(id()); }
  // Null for a function that it cannot call.
  const Program* ProgramOf(ptx::FunctionId id) const {
    const auto found = programs.find(id);
    return found == programs.end() ? nullptr : found->second.get();
  }
  ptx::FunctionId id() const {
    return static_cast<ptx::FunctionId>(function - module->functions.data());
  }
  // All but the size of the module's constants.
  KernelInfo Info(const DeviceProperties& properties) const;
};

class LoadedModule {
 public:
  // `memory` and `preparation` outlive it.
  static DeviceResult<std::unique_ptr<LoadedModule>> Load(std::shared_ptr<const ptx::Module> module,
                                                          DeviceMemory& memory,
                                                          Preparation& preparation);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  // `registers_of`: what ptxas gives a thread of a kernel, by its mangled name; may be empty.
  void SetRegisters(std::function<std::uint32_t(const std::string& kernel)> registers_of) {
    registers_of_ = std::move(registers_of);
  }
  ModuleInfo Info(ModuleId id, const Isa& isa, const DeviceProperties& properties);
  // Null where there is none of that name.
  const Kernel* FindKernel(std::string_view mangled, const Isa& isa);

 private:
  // What functions reach, by calls or through addresses, and name.
  struct References {
    std::set<ptx::FunctionId> functions;
    std::set<ptx::SymbolId> symbols;
  };

  LoadedModule(std::shared_ptr<const ptx::Module> module, DeviceMemory& memory,
               Preparation& preparation)
      : owner_(std::move(module)), module_(*owner_), memory_(memory), preparation_(preparation) {}
  DeviceError PlaceVariables();
  void InitialiseVariables();
  static void Collect(const ptx::Operand& operand, References& found);
  const std::set<ptx::FunctionId>& AddressTaken();
  References Reachable(ptx::FunctionId root);
  std::unique_ptr<Kernel> Decode(ptx::FunctionId id, const Isa& isa);
  void AddProgram(Kernel& kernel, std::unique_ptr<Program> program);
  const Kernel& KernelAt(ptx::FunctionId id, const Isa& isa);

  std::shared_ptr<const ptx::Module> owner_;
  const ptx::Module& module_;
  DeviceMemory& memory_;
  std::vector<std::uint64_t> addresses_;  // of each symbol
  std::vector<DeviceAddress> allocated_;
  Preparation& preparation_;
  std::uint64_t prepared_bytes_ = 0;
  std::function<std::uint32_t(const std::string& kernel)> registers_of_;
  std::unordered_map<std::string_view, ptx::FunctionId> entries_;  // kernels by their names
  std::map<ptx::FunctionId, std::unique_ptr<Kernel>> kernels_;     // that were asked for
  std::optional<std::set<ptx::FunctionId>> address_taken_;         // once it was asked for
};

}  // namespace warpcheck::emulator
