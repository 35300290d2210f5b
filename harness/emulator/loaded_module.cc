#include "emulator/loaded_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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

constexpr std::uint64_t kStepsOfAFunction = 400;  // to find what it reaches
constexpr std::uint64_t kStepsOfALook = 20;       // at an instruction of it

bool CallsThroughAddress(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::kCall &&
         instruction.operands[1].kind != ptx::OperandKind::kFunction;
}

template <class T>
std::uint64_t BytesOf(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

std::uint64_t BytesOf(const Program& program) {
  return sizeof(Program) + BytesOf(program.register_slots) + BytesOf(program.steps) +
         BytesOf(program.blocks) + BytesOf(program.memory) + BytesOf(program.extra) +
         BytesOf(program.matrices) + BytesOf(program.textures) + BytesOf(program.calls) +
         BytesOf(program.constants);
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
  for (const auto& [id, program] : kernel.programs) {
    const std::string look = LookAtCluster(*program);
    if (look.empty()) continue;
    return fmt::format(
        "the kernel runs in clusters of {} blocks and {}, and clusters of more than one block are "
        "not supported",
        kernel.function->required_cluster, look);
  }
  return {};
}

}  // namespace

void LoadedModule::Collect(const ptx::Operand& operand, References& found) {
  if (operand.kind == ptx::OperandKind::kFunction) found.functions.insert(operand.function);
  const bool symbol =
      operand.kind == ptx::OperandKind::kSymbol ||
      (operand.kind == ptx::OperandKind::kAddress && operand.base == ptx::AddressBase::kSymbol);
  if (symbol) found.symbols.insert(operand.symbol);
  for (const ptx::Operand& element : operand.elements) Collect(element, found);
}

// The functions of which somebody takes the address: in a table, or in a kernel that may have run
// before.
const std::set<ptx::FunctionId>& LoadedModule::AddressTaken() {
  if (address_taken_) return *address_taken_;
  References found;
  for (const ptx::Symbol& symbol : module_.symbols) {
    for (const auto& relocation : symbol.relocations) {
      if (relocation.function) found.functions.insert(*relocation.function);
    }
  }
  for (const ptx::Function& function : module_.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.opcode == ptx::Opcode::kCall) continue;
      for (const ptx::Operand& operand : instruction.operands) Collect(operand, found);
    }
  }
  return address_taken_.emplace(std::move(found.functions));
}

// As far as there is work left to find them.
LoadedModule::References LoadedModule::Reachable(ptx::FunctionId root) {
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
    const ptx::Function& function = module_.functions[open.back()];
    open.pop_back();
    if (!preparation_.Spend(kStepsOfAFunction + kStepsOfALook * function.body.size())) return found;
    References here;
    for (const ptx::Instruction& instruction : function.body) {
      for (const ptx::Operand& operand : instruction.operands) Collect(operand, here);
      if (CallsThroughAddress(instruction) && !std::exchange(through_addresses, true)) {
        add(AddressTaken());
      }
    }
    found.symbols.merge(here.symbols);
    add(here.functions);
  }
  return found;
}

DeviceResult<std::unique_ptr<LoadedModule>> LoadedModule::Load(
    std::shared_ptr<const ptx::Module> module, DeviceMemory& memory, Preparation& preparation) {
  std::unique_ptr<LoadedModule> loaded(new LoadedModule(std::move(module), memory, preparation));
  const DeviceError error = loaded->PlaceVariables();
  if (error != DeviceError::kSuccess) return tl::unexpected(error);
  loaded->InitialiseVariables();
  for (ptx::FunctionId id = 0; id < loaded->module_.functions.size(); ++id) {
    const ptx::Function& function = loaded->module_.functions[id];
    if (function.is_entry) loaded->entries_.emplace(function.name, id);
  }
  return loaded;
}

LoadedModule::~LoadedModule() {
  preparation_.GiveBack(prepared_bytes_);
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
  const References reachable = Reachable(id);
  SharedLayout layout = LayOutShared(module_, reachable.symbols);
  std::map<ptx::SymbolId, std::uint64_t> shared;
  for (const SharedVariable& variable : layout.variables) {
    shared[variable.symbol] = variable.range.begin;
  }
  kernel->static_shared_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(layout.static_bytes, ~std::uint32_t{0}));
  kernel->shared_variables = std::move(layout.variables);
  const DecodeContext context{module_, isa, addresses_, shared, preparation_};
  for (const ptx::FunctionId function : reachable.functions) {
    const bool undefined =
        module_.functions[function].is_extern && module_.functions[function].body.empty();
    if (function != id && (undefined || !kernel->error.empty())) continue;
    AddProgram(*kernel, std::make_unique<Program>(DecodeFunction(context, function)));
  }
  if (kernel->error.empty() && kernel->function->required_cluster > 1) {
    kernel->error = ClusterError(*kernel);
  }
  return kernel;
}

void LoadedModule::AddProgram(Kernel& kernel, std::unique_ptr<Program> program) {
  const std::uint64_t bytes = BytesOf(*program);
  prepared_bytes_ += bytes;
  if (!preparation_.Hold(bytes) && program->error.empty()) {
    // What is asked of a kernel that cannot run is left: how many registers it needs, and the like.
    Program rest;
    rest.function = program->function;
    rest.id = program->id;
    rest.live_registers = program->live_registers;
    rest.local_bytes = program->local_bytes;
    rest.error = fmt::format(
        "the kernels of this program, each with all functions that it may "
        "call, take more than {} MiB of the grader's memory",
        Preparation::kBytes >> 20);
    preparation_.GiveBack(bytes - BytesOf(rest));
    prepared_bytes_ -= bytes - BytesOf(rest);
    *program = std::move(rest);
  }
  if (!program->error.empty() && kernel.error.empty()) {
    kernel.error = program->error;
    const auto& body = program->function->body;
    if (program->error_instruction < body.size()) {
      kernel.error_place = module_.Place(body[program->error_instruction].location,
                                         [](const std::string&) { return true; });
    }
  }
  kernel.programs[program->id] = std::move(program);
}

const Kernel& LoadedModule::KernelAt(ptx::FunctionId id, const Isa& isa) {
  std::unique_ptr<Kernel>& kernel = kernels_[id];
  if (kernel == nullptr) {
    kernel = Decode(id, isa);
    if (registers_of_) kernel->registers = registers_of_(kernel->function->name);
  }
  return *kernel;
}

const Kernel* LoadedModule::FindKernel(std::string_view mangled, const Isa& isa) {
  const auto found = entries_.find(mangled);
  return found == entries_.end() ? nullptr : &KernelAt(found->second, isa);
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
  if (registers != 0) {
    info.registers = registers;
    return info;
  }
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
  for (ptx::FunctionId function = 0; function < module_.functions.size(); ++function) {
    if (!module_.functions[function].is_entry) continue;
    info.kernels.push_back(KernelAt(function, isa).Info(properties));
    info.kernels.back().constant_bytes = static_cast<std::uint32_t>(constant_bytes);
  }
  return info;
}

}  // namespace warpcheck::emulator
