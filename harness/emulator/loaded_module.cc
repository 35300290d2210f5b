#include "emulator/loaded_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "base/demangle.h"
#include "base/round_up.h"
#include "emulator/address_space.h"
#include "emulator/decoder.h"

namespace warpcheck::emulator {
namespace {

bool IsVariable(const ptx::Symbol& symbol) {
  return symbol.space == ptx::Space::kGlobal || symbol.space == ptx::Space::kConst;
}

struct References {
  std::set<ptx::FunctionId> functions;
  std::set<ptx::SymbolId> symbols;
};

void Collect(const ptx::Operand& operand, References& found) {
  if (operand.kind == ptx::OperandKind::kFunction) found.functions.insert(operand.function);
  const bool symbol =
      operand.kind == ptx::OperandKind::kSymbol ||
      (operand.kind == ptx::OperandKind::kAddress && operand.base == ptx::AddressBase::kSymbol);
  if (symbol) found.symbols.insert(operand.symbol);
  for (const ptx::Operand& element : operand.elements) Collect(element, found);
}

bool CallsThroughAddress(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::kCall &&
         instruction.operands[1].kind != ptx::OperandKind::kFunction;
}

// The functions of which somebody takes the address: in a table, or in a kernel that may have run
// before.
std::set<ptx::FunctionId> AddressTaken(const ptx::Module& module) {
  References found;
  for (const ptx::Symbol& symbol : module.symbols) {
    for (const auto& relocation : symbol.relocations) {
      if (relocation.function) found.functions.insert(*relocation.function);
    }
  }
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.opcode == ptx::Opcode::kCall) continue;
      for (const ptx::Operand& operand : instruction.operands) Collect(operand, found);
    }
  }
  return found.functions;
}

// The functions that `root` may reach, by calls or through addresses, and the symbols that they
// name.
References Reachable(const ptx::Module& module, ptx::FunctionId root) {
  References found;
  found.functions.insert(root);
  std::vector<ptx::FunctionId> open{root};
  bool through_addresses = false;
  const auto add = [&](const std::set<ptx::FunctionId>& functions) {
    for (const ptx::FunctionId id : functions) {
      if (found.functions.insert(id).second) open.push_back(id);
    }
  };
  while (!open.empty()) {
    const ptx::FunctionId id = open.back();
    open.pop_back();
    References here;
    for (const ptx::Instruction& instruction : module.functions[id].body) {
      for (const ptx::Operand& operand : instruction.operands) Collect(operand, here);
      if (CallsThroughAddress(instruction) && !std::exchange(through_addresses, true)) {
        add(AddressTaken(module));
      }
    }
    found.symbols.merge(here.symbols);
    add(here.functions);
  }
  return found;
}

bool IsOfCluster(ptx::Opcode opcode) {
  return opcode == ptx::Opcode::kBarrierCluster || opcode == ptx::Opcode::kMapa ||
         opcode == ptx::Opcode::kGetctarank;
}

// How a program looks at the cluster of its block; empty where it does not.
std::string LookAtCluster(const Program& program) {
  for (const Program::Special& special : program.specials) {
    if (ptx::IsOfCluster(special.which)) return fmt::format("reads {}", ptx::Text(special.which));
  }
  for (const ptx::Instruction& instruction : program.function->body) {
    if (IsOfCluster(instruction.opcode))
      return fmt::format("uses {}", ptx::Text(instruction.opcode));
  }
  return {};
}

// Why a kernel with __cluster_dims__ cannot run; empty where it does not look at its cluster.
std::string ClusterError(const Kernel& kernel) {
  for (const auto& program : kernel.programs) {
    const std::string look = program == nullptr ? "" : LookAtCluster(*program);
    if (look.empty()) continue;
    return fmt::format(
        "the kernel runs in clusters of {} blocks and {}, and clusters of more than one block are "
        "not supported",
        kernel.function->required_cluster, look);
  }
  return {};
}

}  // namespace

const Program& Kernel::entry() const {
  return *programs[static_cast<std::size_t>(function - module->functions.data())];
}

DeviceResult<std::unique_ptr<LoadedModule>> LoadedModule::Load(
    std::shared_ptr<const ptx::Module> module, DeviceMemory& memory) {
  std::unique_ptr<LoadedModule> loaded(new LoadedModule(std::move(module), memory));
  const DeviceError error = loaded->PlaceVariables();
  if (error != DeviceError::kSuccess) return tl::unexpected(error);
  loaded->InitialiseVariables();
  loaded->kernels_.resize(loaded->module_.functions.size());
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
        constant ? AllocationKind::kConstant : AllocationKind::kVariable, Demangle(symbol.name));
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

std::unique_ptr<Kernel> LoadedModule::Decode(ptx::FunctionId id, const Isa& isa) {
  auto kernel = std::make_unique<Kernel>();
  kernel->module = &module_;
  kernel->function = &module_.functions[id];
  kernel->display_name = Demangle(kernel->function->name);
  kernel->programs.resize(module_.functions.size());
  const References reachable = Reachable(module_, id);
  std::vector<std::uint64_t> addresses = addresses_;
  SharedLayout shared = LayOutShared(module_, reachable.symbols);
  for (const SharedVariable& variable : shared.variables) {
    addresses[variable.symbol] = variable.range.begin;
  }
  kernel->static_shared_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(shared.static_bytes, ~std::uint32_t{0}));
  kernel->shared_variables = std::move(shared.variables);
  const DecodeContext context{module_, isa, addresses};
  for (const ptx::FunctionId function : reachable.functions) {
    if (module_.functions[function].is_extern && module_.functions[function].body.empty()) continue;
    auto program = std::make_unique<Program>(DecodeFunction(context, function));
    if (!program->error.empty() && kernel->error.empty()) {
      kernel->error = program->error;
      const auto& body = program->function->body;
      if (program->error_instruction < body.size()) {
        kernel->error_place = module_.Place(body[program->error_instruction].location,
                                            [](const std::string&) { return true; });
      }
    }
    kernel->programs[function] = std::move(program);
  }
  if (kernel->error.empty() && kernel->function->required_cluster > 1) {
    kernel->error = ClusterError(*kernel);
  }
  return kernel;
}

const Kernel* LoadedModule::FindKernel(std::string_view mangled, const Isa& isa) {
  for (ptx::FunctionId id = 0; id < module_.functions.size(); ++id) {
    const ptx::Function& function = module_.functions[id];
    if (!function.is_entry || function.name != mangled) continue;
    if (!kernels_[id]) kernels_[id] = Decode(id, isa);
    return kernels_[id].get();
  }
  return nullptr;
}

KernelInfo Kernel::Info(const DeviceProperties& properties) const {
  KernelInfo info{.name = function->name, .parameters = {}};
  for (const ptx::SymbolId parameter : function->parameters) {
    const ptx::Symbol& symbol = module->symbols[parameter];
    info.parameters.push_back({static_cast<std::uint32_t>(symbol.param_offset),
                               static_cast<std::uint32_t>(symbol.bytes)});
  }
  info.parameter_bytes = function->parameter_bytes;
  info.static_shared_bytes = static_shared_bytes;
  info.local_bytes = entry().local_bytes;
  info.max_threads_per_block =
      std::min(properties.max_threads_per_block,
               function->max_threads.value_or(properties.max_threads_per_block));
  info.registers = std::min(entry().live_registers, properties.max_registers_per_thread);
  if (function->max_threads) {
    // What does not fit is spilled. A warp gets a multiple of the allocation unit.
    const std::uint64_t threads =
        RoundUp(info.max_threads_per_block, std::uint64_t{4} * properties.warp_size);
    const std::uint32_t unit = properties.register_allocation_unit / properties.warp_size;
    const auto most = static_cast<std::uint32_t>(properties.registers_per_block / threads);
    info.registers = std::min(info.registers, most / unit * unit);
  }
  return info;
}

ModuleInfo LoadedModule::Info(ModuleId id, const Isa& isa, const DeviceProperties& properties) {
  ModuleInfo info{.id = id, .kernels = {}, .variables = {}};
  std::uint64_t constant_bytes = 0;
  for (std::size_t i = 0; i < module_.symbols.size(); ++i) {
    const ptx::Symbol& symbol = module_.symbols[i];
    if (!IsVariable(symbol)) continue;
    if (symbol.space == ptx::Space::kConst) constant_bytes += symbol.bytes;
    info.variables.push_back({symbol.name, addresses_[i], symbol.bytes});
  }
  for (const ptx::Function& function : module_.functions) {
    if (!function.is_entry) continue;
    info.kernels.push_back(FindKernel(function.name, isa)->Info(properties));
    info.kernels.back().constant_bytes = static_cast<std::uint32_t>(constant_bytes);
  }
  return info;
}

}  // namespace warpcheck::emulator
