// The kernels of a module, decoded for variables that lie at certain addresses. A submission is
// loaded anew for every call of it, mostly to the same addresses: then its kernels are the same
// (decoded_module.h).
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
#include "emulator/code/preparation.h"
#include "emulator/code/program.h"
#include "emulator/code/shared_variables.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct Isa;  // emulator/code/isa.h

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

// What a module is decoded for.
struct DecodedFor {
  const Isa* isa = nullptr;
  std::vector<std::uint64_t> addresses;  // of each symbol
  std::vector<std::uint32_t> registers;  // of each function: Kernel::registers; 0 for others

  friend bool operator==(const DecodedFor&, const DecodedFor&) = default;
};

class DecodedModule {
 public:
  // `preparation` outlives it.
  DecodedModule(std::shared_ptr<const ptx::Module> module, DecodedFor made_for,
                Preparation& preparation);
  ~DecodedModule();
  DecodedModule(const DecodedModule&) = delete;
  DecodedModule& operator=(const DecodedModule&) = delete;

  const DecodedFor& made_for() const { return made_for_; }
  // In the order of the text.
  const std::vector<std::unique_ptr<const Kernel>>& kernels() const { return kernels_; }
  // Null where there is none of that name.
  const Kernel* Find(std::string_view mangled) const;

 private:
  // What functions reach, by calls or through addresses, and name.
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
  std::optional<std::set<ptx::FunctionId>> address_taken_;  // once it was asked for
};

// Modules that were parsed before, by their text, and what they were last decoded to: a submission
// is loaded anew for every call of it.

class ParsedModules {
 public:
  // Of all modules that are kept or in use. Those in use are never dropped: what does not fit
  // beside them is refused.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{384} << 20;

  // As ptx::ParseModule.
  Result<std::shared_ptr<const ptx::Module>> Parse(std::string_view ptx);

  // The kernels of a module that Parse gave. Work and memory of making them are counted
  // (preparation.h); what nobody uses is dropped before.
  std::shared_ptr<const DecodedModule> Decoded(const std::shared_ptr<const ptx::Module>& module,
                                               DecodedFor wanted);

 private:
  void DropIdle();
  void DropIdleDecoded();

  std::map<std::string, std::shared_ptr<const ptx::Module>, std::less<>> kept_;
  std::uint64_t kept_bytes_ = 0;
  // Of all emulators that look up here. What is decoded gives back to it: it ends after that.
  Preparation preparation_;
  std::map<const ptx::Module*, std::shared_ptr<const DecodedModule>> decoded_;  // the last of each
};

}  // namespace warpcheck::emulator
