// A DecodedModule has the kernels of a module, decoded for variables at certain addresses. A
// submission is loaded again for every call, usually to the same addresses. Then its kernels can be
// kept (parsed_modules.h).
#pragma once

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
#include "emulator/code/program.h"
#include "emulator/code/shared_variables.h"
#include "emulator/decode/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct Isa;  // defined in emulator/code/isa.h

// A kernel, with all functions that it may call.
struct Kernel {
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::string display_name;    // the demangled name
  std::string error;           // why it cannot run; empty if it can
  SourceLocation error_place;  // the place in the student's source, if known
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t registers = 0;  // the registers of a thread, from ptxas; 0 if ptxas was not asked
  std::vector<SharedVariable> shared_variables;
  // The kernel itself, and every function that it can call.
  std::map<ptx::FunctionId, std::unique_ptr<Program>> programs;

  const Program& entry() const { return *programs.at(id()); }
  // Returns null for a function that the kernel cannot call.
  const Program* ProgramOf(ptx::FunctionId id) const {
    const auto found = programs.find(id);
    return found == programs.end() ? nullptr : found->second.get();
  }
  ptx::FunctionId id() const {
    return static_cast<ptx::FunctionId>(function - module->functions.data());
  }
  // Returns all properties except constant_bytes, which only the module knows.
  KernelInfo Info(const DeviceProperties& properties) const;
};

// The environment that a module is decoded for. If the environment changes, the module must be
// decoded again.
struct DecodedFor {
  const Isa* isa = nullptr;
  std::vector<std::uint64_t> addresses;  // addresses by ptx::SymbolId
  std::vector<std::uint32_t>
      registers;  // Kernel::registers, by ptx::FunctionId; 0 for functions that are no kernels

  friend bool operator==(const DecodedFor&, const DecodedFor&) = default;
};

class DecodedModule {
 public:
  // `preparation` must outlive the object. It pays for the work, and gets the memory back when the
  // object is destroyed.
  DecodedModule(std::shared_ptr<const ptx::Module> module, DecodedFor made_for,
                Preparation& preparation);
  ~DecodedModule();
  DecodedModule(const DecodedModule&) = delete;
  DecodedModule& operator=(const DecodedModule&) = delete;

  const DecodedFor& made_for() const { return made_for_; }
  // Returns the kernels in the order of the text.
  const std::vector<std::unique_ptr<const Kernel>>& kernels() const { return kernels_; }
  // Returns null if there is no kernel with that name.
  const Kernel* Find(std::string_view mangled) const;

 private:
  // The functions that are reached, by calls or through addresses, and the symbols that they name.
  struct References {
    std::set<ptx::FunctionId> functions;
    std::set<ptx::SymbolId> symbols;
  };

  static void Collect(const ptx::Operand& operand, References& found);
  const std::set<ptx::FunctionId>& AddressTaken();
  References Reachable(ptx::FunctionId root);
  std::unique_ptr<Kernel> Decode(ptx::FunctionId id);
  void AddProgram(Kernel& kernel, std::unique_ptr<Program> program);

  std::shared_ptr<const ptx::Module> owner_;
  const ptx::Module& module_;
  DecodedFor made_for_;
  Preparation& preparation_;
  std::uint64_t prepared_bytes_ = 0;
  std::vector<std::unique_ptr<const Kernel>> kernels_;
  std::unordered_map<std::string_view, const Kernel*> by_name_;
  std::optional<std::set<ptx::FunctionId>> address_taken_;  // set after AddressTaken was called
};

}  // namespace warpcheck::emulator
