#include "emulator/core/loaded_module.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/text/demangle.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {
namespace {

bool IsVariable(const ptx::Symbol& symbol) {
  return symbol.space == ptx::Space::kGlobal || symbol.space == ptx::Space::kConst;
}

// Returns the name of a variable as the program writes it: nvcc puts those of an anonymous
// namespace into one more namespace, whose name begins with "_INTERNAL_".
std::string VariableName(const ptx::Symbol& symbol) {
  std::string name = Demangle(symbol.name);
  const std::size_t scope = name.find("::");
  if (name.starts_with("_INTERNAL_") && scope != name.npos) name.erase(0, scope + 2);
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  if (name.starts_with(kAnonymous)) name.erase(0, kAnonymous.size());
  return name;
}

}  // namespace

DeviceResult<std::unique_ptr<LoadedModule>> LoadedModule::Load(
    std::shared_ptr<const ptx::Module> module, DeviceMemory& memory) {
  std::unique_ptr<LoadedModule> loaded(new LoadedModule(std::move(module), memory));
  const DeviceError error = loaded->PlaceVariables();
  if (error != DeviceError::kSuccess) return tl::unexpected(error);
  loaded->InitialiseVariables();
  return loaded;
}

LoadedModule::~LoadedModule() {
  for (const DeviceAddress address : allocated_) {
    const Allocation* allocation = memory_.Find(address, 1);
    if (allocation != nullptr) (void)memory_.Free(address, allocation->kind);
  }
}

DeviceError LoadedModule::PlaceVariables() {
  addresses_.resize(module_.symbols.size());
  for (std::size_t i = 0; i < module_.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module_.symbols[i];
    if (!IsVariable(symbol)) continue;
    const bool constant = symbol.space == ptx::Space::kConst;
    const auto address = memory_.Allocate(
        std::max<std::uint64_t>(symbol.bytes, 1), 0, true,
        constant ? AllocationKind::kConstant : AllocationKind::kVariable, VariableName(symbol));
    if (!address) return address.error();
    addresses_[i] = *address;
    allocated_.push_back(*address);
  }
  return DeviceError::kSuccess;
}

void LoadedModule::InitialiseVariables() {
  for (std::size_t i = 0; i < module_.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module_.symbols[i];
    if (!IsVariable(symbol)) continue;
    std::byte* host = memory_.Host(addresses_[i], std::max<std::uint64_t>(symbol.bytes, 1));
    const std::size_t bytes = std::min<std::size_t>(symbol.initial.size(), symbol.bytes);
    if (bytes != 0) std::memcpy(host, symbol.initial.data(), bytes);
    for (const auto& relocation : symbol.relocations) {
      std::uint64_t value = static_cast<std::uint64_t>(relocation.addend);
      if (relocation.symbol) value += addresses_[*relocation.symbol];
      if (relocation.function) value += FunctionAddress(*relocation.function);
      if (relocation.at + sizeof value <= symbol.bytes) {
        std::memcpy(host + relocation.at, &value, sizeof value);
      }
    }
  }
}

void LoadedModule::Decode(
    ParsedModules& parsed, const Isa& isa,
    const std::function<std::uint32_t(const std::string& kernel)>& registers_of) {
  DecodedFor wanted{.isa = &isa, .addresses = addresses_, .registers = {}};
  for (const ptx::Function& function : module_.functions) {
    const bool asked = function.is_entry && registers_of;
    wanted.registers.push_back(asked ? registers_of(function.name) : 0);
  }
  decoded_ = parsed.Decoded(owner_, std::move(wanted));
}

ModuleInfo LoadedModule::Info(ModuleId id, const DeviceProperties& properties) const {
  ModuleInfo info{.id = id, .kernels = {}, .variables = {}};
  std::uint64_t constant_bytes = 0;
  for (std::size_t i = 0; i < module_.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module_.symbols[i];
    if (!IsVariable(symbol)) continue;
    const bool constant = symbol.space == ptx::Space::kConst;
    if (constant) constant_bytes += symbol.bytes;
    info.variables.push_back({symbol.name, addresses_[i], symbol.bytes, constant});
  }
  for (const auto& kernel : decoded_->kernels()) {
    info.kernels.push_back(kernel->Info(properties));
    info.kernels.back().constant_bytes = static_cast<std::uint32_t>(constant_bytes);
  }
  return info;
}

}  // namespace warpcheck::emulator
