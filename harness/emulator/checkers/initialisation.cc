#include "emulator/checkers/initialisation.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"
#include "emulator/memory/device_memory.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator {

std::uint32_t Origins::Add(const Origin& origin) {
  const Place place{origin.program, origin.instruction};
  const auto [found, added] =
      numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (added && places_.size() == kInstructions) {
    found->second = kInstructions - 1;
  } else if (added) {
    places_.push_back(place);
  }
  const std::uint32_t number = found->second + kInstructions * accesses_;
  const std::size_t at = accesses_ % kKept;
  accesses_ = (accesses_ + 1) % (~std::uint32_t{0} / kInstructions);
  if (kept_.size() <= at) kept_.resize(at + 1);
  kept_[at] = {.number = number, .origin = origin};
  return number;
}

std::uint32_t Origins::Add(const AccessEvent& event, const Element& element, LaneMask lanes) {
  Origin origin{.program = event.warp.running.program,
                .instruction = event.step.index,
                .lanes = lanes,
                .block = event.warp.block->index,
                .warp = event.warp.index,
                .memory = event.memory,
                .bytes = element.bytes,
                .addresses = event.addresses};
  for (std::uint64_t& address : origin.addresses) address += element.offset;
  return Add(origin);
}

Origin Origins::Find(std::uint32_t origin) const {
  const std::size_t at = origin / kInstructions % kKept;
  if (at < kept_.size() && kept_[at].number == origin) return kept_[at].origin;
  const Place& place = places_[origin % kInstructions];
  return {.program = place.first, .instruction = place.second, .block = {}};
}

namespace {

using Kind = MemoryInfo::Kind;
using ptx::Opcode;

const ptx::Instruction& InstructionOf(const AccessEvent& event) {
  return event.warp.running.program->function->body[event.step.index];
}

}  // namespace

void InitialisationChecker::OnLaunchBegin(Launch& launch) {
  launch_ = &launch;
  origins_ = {};
  flows_.clear();
  shared_.clear();
  block_ = nullptr;
  recent_ = {};
  local_.clear();
  carry_.clear();
}

void InitialisationChecker::OnBlockBegin(Block& block) {
  SharedBytes& shared = shared_[&block];
  shared.bytes.Reset(block.shared.size());
  shared.known.Reset(block.shared.size());
}

// Returns the device or shared memory that an event accesses. KnownWritten is not used in a
// thread's own copy of an allocation, whose marks may be stale.
[[gnu::always_inline]] inline InitialisationChecker::Place InitialisationChecker::AccessedBy(
    const AccessEvent& event) {
  if (event.memory == MemoryKind::kShared) {
    if (block_ != event.warp.block) [[unlikely]] {
      block_ = event.warp.block;
      block_shared_ = &shared_[block_];
    }
    SharedBytes& shared = *block_shared_;
    return {.marks = {.written = shared.bytes.data(), .known = &shared.known},
            .bytes = &shared.bytes};
  }
  if (const std::uint64_t frees = launch_->memory->frees(); frees_ != frees) [[unlikely]] {
    frees_ = frees;
    recent_ = {};
  }
  const Allocation*& recent = recent_[(event.begin >> 24) % recent_.size()];
  if (recent == nullptr || recent->begin != event.begin) [[unlikely]]
    recent = launch_->memory->Find(event.begin, 1);
  const bool own = recent == nullptr || recent->host != event.host;
  return {.marks = {.written = DeviceMemory::WrittenBehind(event.host, event.end - event.begin),
                    .begin = event.begin,
                    .known = own ? nullptr : recent->known.get()}};
}

const std::vector<Flow>& InitialisationChecker::FlowsFor(const Program& program) {
  const auto [found, added] = flows_.try_emplace(&program);
  if (added) found->second = FlowsOf(program);
  return found->second;
}

[[gnu::always_inline]] inline void InitialisationChecker::Access(const AccessEvent& event,
                                                                 const Place& place) {
  switch (event.info.kind) {
    case Kind::kLoad:
      if (!IsWritten(event, place.marks)) Load(event, place);
      return;
    case Kind::kStore: {
      const bool from_copy = copied_.lanes != 0 && InstructionOf(event).opcode == Opcode::kCpAsync;
      if (event.warp.tainted || from_copy) {
        Store(event, place);
      } else {
        MarkWritten(event, place.marks);
      }
      return;
    }
    case Kind::kAtomic:
    case Kind::kReduction:
      Atomic(event, place);
      return;
  }
}

void InitialisationChecker::OnAccess(const AccessEvent& event) {
  switch (event.memory) {
    case MemoryKind::kConstant:
    case MemoryKind::kParameter:
      return;
    case MemoryKind::kLocal:
      return AccessLocal(event);
    case MemoryKind::kGlobal:
    case MemoryKind::kShared:
      return Access(event, AccessedBy(event));
  }
}

// Handles an access to local memory, of which each lane has its own.
void InitialisationChecker::AccessLocal(const AccessEvent& event) {
  LocalBytes& lanes = local_[&event.warp];
  EachLane(event.mask, [&](std::size_t lane) {
    WrittenBytes& bytes = lanes[lane];
    bytes.Grow(event.warp.local_stride);
    AccessEvent one{event};
    one.mask = LaneMask{1} << lane;
    one.shape = AccessShape::kUniform;
    one.extent = {event.addresses[lane], event.addresses[lane] + event.info.bytes};
    Access(one, {.marks = {.written = bytes.data()}, .bytes = &bytes});
  });
}

// Returns the lanes that read an element of which no byte is written.
LaneMask InitialisationChecker::LoadElement(const AccessEvent& event, const Place& place,
                                            const Element& element, std::uint32_t* origin) {
  LaneAddresses offsets = event.addresses;
  for (std::uint64_t& offset : offsets) offset += element.offset - place.marks.begin;
  LaneMask some = 0;
  const LaneMask none =
      UnwrittenLanes(place.marks.written, offsets, event.mask, element.bytes, &some);
  if (every_read_ && some != 0) ReportRead(event, some);
  if (none == 0) return 0;
  *origin = 0;
  if (place.bytes != nullptr) {
    *origin = place.bytes->OriginAt(offsets[static_cast<std::size_t>(std::countr_zero(none))]);
  }
  if (*origin == 0) *origin = origins_.Add(event, element, none);
  return none;
}

void InitialisationChecker::Load(const AccessEvent& event, const Place& place) {
  Warp& warp = event.warp;
  const ptx::Instruction& instruction = InstructionOf(event);
  const bool plain = instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kLdu ||
                     instruction.opcode == Opcode::kSuld;
  // With other instructions, lanes get what other lanes have read.
  const LaneMask readers = instruction.opcode == Opcode::kTex ? 0 : warp.active;
  const std::uint32_t count = plain ? instruction.modifiers.vector : 1;
  const std::uint32_t bytes = event.info.bytes / count;
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  for (std::uint32_t e = 0; e < count; ++e) {
    std::uint32_t origin = 0;
    const LaneMask none = LoadElement(event, place, {.offset = e * bytes, .bytes = bytes}, &origin);
    if (instruction.opcode == Opcode::kCpAsync) copied_ = {none, origin};
    if (none == 0 || instruction.opcode == Opcode::kCpAsync) continue;
    warp.tainted = true;
    if (plain) {
      Taint& taint = taints[TaintOf(event.info.values[e])];
      taint = {taint.lanes | none, origin};
      continue;
    }
    for (const TaintIndex to : FlowsFor(*warp.running.program)[event.step.index].destinations) {
      taints[to] = {taints[to].lanes | none | readers, origin};
    }
  }
}

void InitialisationChecker::StoreElement(const AccessEvent& event, const Place& place,
                                         const Element& element, const Taint& value) {
  const LaneMask tainted = value.lanes & event.mask;
  if (tainted != 0 && place.bytes == nullptr) {
    Report(event.warp, event.step, tainted, Use::kStore, value.origin);
  }
  EachLane(event.mask, [&](std::size_t lane) {
    std::uint8_t* const first = place.marks.At(event.addresses[lane] + element.offset);
    const bool garbage = place.bytes != nullptr && ((tainted >> lane) & 1U) != 0;
    std::memset(first, garbage ? 0 : kWritten, element.bytes);
    if (garbage) {
      const std::uint64_t at = event.addresses[lane] + element.offset - place.marks.begin;
      if (place.marks.known != nullptr) place.marks.known->Forget(at, element.bytes);
      place.bytes->SetOrigin(event.addresses[lane] + element.offset, element.bytes, value.origin);
    }
  });
}

void InitialisationChecker::Store(const AccessEvent& event, const Place& place) {
  Warp& warp = event.warp;
  const ptx::Instruction& instruction = InstructionOf(event);
  const Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  if (instruction.opcode == Opcode::kSt || instruction.opcode == Opcode::kSust) {
    const std::uint32_t count = instruction.modifiers.vector;
    const std::uint32_t bytes = event.info.bytes / count;
    for (std::uint32_t e = 0; e < count; ++e) {
      StoreElement(event, place, {.offset = e * bytes, .bytes = bytes},
                   taints[TaintOf(event.info.values[e])]);
    }
    return;
  }
  Taint value;
  if (instruction.opcode == Opcode::kCpAsync) {
    value = std::exchange(copied_, {});
  } else {
    for (const TaintIndex from : FlowsFor(*warp.running.program)[event.step.index].stored) {
      if (taints[from].lanes != 0) value = {kAllLanes, taints[from].origin};
    }
  }
  StoreElement(event, place, {.offset = 0, .bytes = event.info.bytes}, value);
}

void InitialisationChecker::Atomic(const AccessEvent& event, const Place& place) {
  Warp& warp = event.warp;
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  const ptx::Instruction& instruction = InstructionOf(event);
  const Element whole{.offset = 0, .bytes = event.info.bytes};
  const bool exchange = instruction.modifiers.atomic == ptx::Atomic::kExch;
  if (!IsWritten(event, place.marks)) {
    std::uint32_t origin = 0;
    const LaneMask none = LoadElement(event, place, whole, &origin);
    if (none != 0 && !exchange) {
      Report(warp, event.step, none, Use::kAtomic, origin);
    } else if (none != 0 && event.info.kind == Kind::kAtomic) {
      warp.tainted = true;
      taints[TaintOf(event.step.d)] = {none, origin};
    }
  }
  Taint value;
  if (warp.tainted) {
    value = Gathered(taints, FlowsFor(*warp.running.program)[event.step.index].stored, event.mask);
  }
  if (value.lanes != 0 && !exchange)
    Report(warp, event.step, value.lanes, Use::kStore, value.origin);
  StoreElement(event, place, whole, exchange ? value : Taint{});
}

}  // namespace warpcheck::emulator
