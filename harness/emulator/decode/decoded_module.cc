#include "emulator/decode/decoded_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/round_up.h"
#include "base/text/demangle.h"
#include "emulator/decode/decoder.h"

namespace warpcheck::emulator {

namespace {

constexpr std::uint64_t kStepsOfASearch = 400;  // the cost of a function, to find what it reaches
constexpr std::uint64_t kStepsOfALook = 20;     // the cost of an instruction of that function

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

// Returns how a program uses the cluster of its block; empty if it does not use it.
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

// Returns why a kernel with __cluster_dims__ cannot run; empty if it does not use its cluster.
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

DecodedModule::DecodedModule(std::shared_ptr<const ptx::Module> module, DecodedFor made_for,
                             Preparation& preparation)
    : owner_(std::move(module)),
      module_(*owner_),
      made_for_(std::move(made_for)),
      preparation_(preparation) {
  for (ptx::FunctionId id = 0; id < module_.functions.size(); ++id) {
    if (!module_.functions[id].is_entry) continue;
    kernels_.push_back(Decode(id));
    by_name_.emplace(module_.functions[id].name, kernels_.back().get());
  }
}

DecodedModule::~DecodedModule() { preparation_.GiveBack(prepared_bytes_); }

const Kernel* DecodedModule::Find(std::string_view mangled) const {
  const auto found = by_name_.find(mangled);
  return found == by_name_.end() ? nullptr : found->second;
}

void DecodedModule::Collect(const ptx::Operand& operand, References& found) {
  if (operand.kind == ptx::OperandKind::kFunction) found.functions.insert(operand.function);
  if (operand.NamesSymbol()) found.symbols.insert(operand.symbol);
  for (const ptx::Operand& element : operand.elements) Collect(element, found);
}

// Returns the functions whose address is taken, in a table or in any kernel. Another kernel may
// have run before and stored the address.
const std::set<ptx::FunctionId>& DecodedModule::AddressTaken() {
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

// Stops early if preparation_ is exhausted.
DecodedModule::References DecodedModule::Reachable(ptx::FunctionId root) {
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
    if (!preparation_.Spend(kStepsOfASearch + kStepsOfALook * function.body.size())) return found;
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

std::unique_ptr<Kernel> DecodedModule::Decode(ptx::FunctionId id) {
  auto kernel = std::make_unique<Kernel>();
  kernel->module = &module_;
  kernel->function = &module_.functions[id];
  kernel->display_name = Demangle(kernel->function->name);
  kernel->registers = made_for_.registers[id];
  const References reachable = Reachable(id);
  SharedLayout layout = LayOutShared(module_, reachable.symbols);
  std::map<ptx::SymbolId, std::uint64_t> shared;
  for (const SharedVariable& variable : layout.variables) {
    shared[variable.symbol] = variable.range.begin;
  }
  kernel->static_shared_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(layout.static_bytes, ~std::uint32_t{0}));
  kernel->shared_variables = std::move(layout.variables);
  const DecodeContext context{module_, *made_for_.isa, made_for_.addresses, shared, preparation_};
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

void DecodedModule::AddProgram(Kernel& kernel, std::unique_ptr<Program> program) {
  const std::uint64_t bytes = BytesOf(*program);
  prepared_bytes_ += bytes;
  if (!preparation_.Hold(bytes) && program->error.empty()) {
    // A kernel that cannot run keeps only the properties that programs may query, such as its
    // registers.
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
    // Registers that do not fit are spilled. The registers of a warp are a multiple of the
    // allocation unit.
    const std::uint64_t threads =
        RoundUp(info.max_threads_per_block, std::uint64_t{4} * properties.warp_size);
    const std::uint32_t unit = properties.register_allocation_unit / properties.warp_size;
    const auto most = static_cast<std::uint32_t>(properties.registers_per_block / threads);
    info.registers = std::min(info.registers, most / unit * unit);
  }
  return info;
}

}  // namespace warpcheck::emulator
