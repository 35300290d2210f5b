#include "run/watchers.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/text/kernel_name.h"
#include "emulator/access/access_cost.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::run {
namespace {

using emulator::AccessEvent;
using emulator::MemoryKind;

emulator::TallyOf TallyFor(const AccessEvent& access) {
  return access.memory == MemoryKind::kShared ? emulator::TallyOf::kShared
                                              : emulator::TallyOf::kGlobal;
}

// Returns true for accesses whose lanes' addresses say what they cost. Textures have events of
// their own.
bool IsCounted(const emulator::MemoryInfo& info) {
  using emulator::Counting;
  return info.counting == Counting::kAccess || info.counting == Counting::kMatrixRows ||
         info.counting == Counting::kCopy || info.counting == Counting::kBarrier;
}

using emulator::Program;

RegisterValues ValuesOf(const emulator::Warp& warp, ptx::RegisterId id) {
  const Program& program = *warp.running.program;
  const ptx::Register& declared = program.function->registers[id];
  RegisterValues values;
  values.name = declared.name;
  values.bytes = ptx::Bytes(declared.type);
  values.type = declared.type == ptx::Type::kPred ? RegisterValues::Type::kPredicate
                : ptx::IsFloat(declared.type)     ? RegisterValues::Type::kFloat
                                                  : RegisterValues::Type::kInteger;
  const std::byte* const at = warp.running.frame + program.register_slots[id];
  for (std::size_t lane = 0; lane < values.lanes.size(); ++lane) {
    if (values.type == RegisterValues::Type::kPredicate) {  // one bit for each lane
      LaneMask mask = 0;
      std::memcpy(&mask, at, sizeof mask);
      values.lanes[lane] = mask >> lane & 1U;
    } else {
      std::memcpy(&values.lanes[lane], at + lane * values.bytes, std::min(values.bytes, 8U));
    }
  }
  return values;
}

class Registers {
 public:
  explicit Registers(const emulator::Warp& warp) : warp_(warp) {}

  void Add(const ptx::Instruction& instruction) {
    if (instruction.guard) Add(instruction.guard->predicate, false);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      Add(instruction.operands[i], i < instruction.destinations);
    }
  }

  std::vector<RegisterValues> Take() { return std::move(values_); }

 private:
  void Add(const ptx::Operand& operand, bool first) {
    switch (operand.kind) {
      case ptx::OperandKind::kRegister:
        Add(operand.reg, first);
        break;
      case ptx::OperandKind::kAddress:
        if (operand.base == ptx::AddressBase::kRegister) Add(operand.reg, false);
        break;
      case ptx::OperandKind::kVector:
        for (const ptx::Operand& element : operand.elements) Add(element, first);
        break;
      default:
        break;
    }
  }

  void Add(ptx::RegisterId id, bool written) {
    if (id >= warp_.running.program->register_slots.size()) return;
    RegisterValues values = ValuesOf(warp_, id);
    const auto same = std::ranges::find(values_, values.name, &RegisterValues::name);
    if (same != values_.end()) {
      same->written = same->written || written;
      return;
    }
    values.written = written;
    values_.push_back(std::move(values));
  }

  const emulator::Warp& warp_;
  std::vector<RegisterValues> values_;
};

}  // namespace

void AccessTracer::OnLaunchBegin(emulator::Launch& launch) {
  watching_ = PlainKernelName(launch.record.kernel) == target_.kernel;
}

void AccessTracer::OnLaunchEnd(emulator::Launch&) {
  if (!watching_) return;
  for (const auto& [key, entry] : entries_) {
    if (entry.wanted) journal_.Add(entry.sample);
  }
}

AccessTracer::Entry& AccessTracer::EntryOf(const AccessEvent& access) {
  const auto [at, added] = entries_.try_emplace({&access.step, access.memory});
  Entry& entry = at->second;
  if (!added) return entry;
  const emulator::Warp& warp = access.warp;
  AccessSample& sample = entry.sample;
  sample.where = emulator::PlaceOf(*warp.launch, *warp.running.program, access.step.index);
  entry.wanted = sample.where.line == target_.line;
  if (!entry.wanted) return entry;
  sample.kernel = warp.launch->record.kernel;
  sample.instruction = texts_.Instruction(*warp.launch, *warp.running.program, access.step.index);
  sample.index = access.step.index;
  return entry;
}

void AccessTracer::OnAccess(const AccessEvent& access) {
  if (!watching_ || !IsCounted(access.info)) return;
  if (access.memory != MemoryKind::kGlobal && access.memory != MemoryKind::kShared) return;
  Entry& entry = EntryOf(access);
  if (!entry.wanted) return;
  AccessSample& sample = entry.sample;
  const emulator::TallyOf where = TallyFor(access);
  const emulator::Tally tally = emulator::CostOf(access.warp.launch->hardware->memory, access.info,
                                                 where, access.mask, access.addresses);
  const std::uint64_t cost = tally.cost;
  const std::uint64_t ideal = tally.ideal;
  ++sample.requests;
  sample.cost_of_all += cost;
  sample.ideal_of_all += ideal;
  const auto beyond = [](std::uint64_t spent, std::uint64_t least) {
    return static_cast<std::int64_t>(spent) - static_cast<std::int64_t>(least);
  };
  const std::int64_t loss = beyond(cost, ideal);
  const std::int64_t worst = beyond(sample.cost, sample.ideal);
  if (sample.requests > 1 && loss < worst) return;
  if (sample.requests > 1 && loss == worst) {
    ++sample.as_bad;
    if (std::popcount(access.mask) <= std::popcount(sample.mask)) return;
  } else {
    sample.as_bad = 1;
  }
  static_cast<AccessExample&>(sample) =
      emulator::ExampleOf(access.info, where, access.mask, access.addresses, tally);
  sample.base = emulator::BaseOf(access.info, where, access.mask, access.addresses);
  sample.block = access.warp.block->index;
  sample.warp = access.warp.index;
}

void FindingStopper::OnFinding(const emulator::FindingEvent& event) {
  if (stopped_) return;
  stopped_ = true;
  const emulator::Warp& warp = event.warp;
  FindingStop stop;
  stop.finding = event.finding;
  stop.instruction = texts_.Instruction(*warp.launch, *warp.running.program, event.step.index);
  stop.block = warp.block->index;
  stop.warp = warp.index;
  stop.active = warp.active;
  stop.lanes = event.lanes;
  Registers registers(warp);
  const auto& body = warp.running.program->function->body;
  if (event.step.index < body.size()) registers.Add(body[event.step.index]);
  stop.registers = registers.Take();
  journal_.Add(stop);
}

}  // namespace warpcheck::run
