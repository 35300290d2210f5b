// Finds uses of memory that nothing has written, and of values that shuffles read from lanes which
// do not take part (docs/checkers.md). The undefined values are followed through registers and
// arithmetic, lane by lane, until they are stored or used as an address or in a branch.
//
// Memory counts as written if the host copied to it or filled it, if a kernel stored to it, or if
// it is a variable. The marks of an allocation lie behind its bytes (DeviceMemory,
// `tracks_writes`). Undefined values are followed through registers (value_flow.h), and lose their
// taint where an instruction's result does not depend on them (undecided.h).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "emulator/checkers/initialisation/origins.h"
#include "emulator/checkers/initialisation/report.h"
#include "emulator/checkers/initialisation/value_flow.h"
#include "emulator/checkers/initialisation/written_bytes.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

const ptx::Instruction& InstructionOf(const AccessEvent& event) {
  return event.warp.running.program->function->body[event.step.index];
}

// Returns true for an instruction that loads and stores the same bytes, piece after piece.
bool IsCopy(Opcode opcode) { return opcode == Opcode::kCpAsync || opcode == Opcode::kCpAsyncBulk; }

class InitialisationChecker final : public Observer, public ValueTracker {
 public:
  // With `every_read`, reads are reported at once, even of partly written values that are never
  // used.
  explicit InitialisationChecker(bool every_read) : every_read_(every_read) {}

  void OnLaunchBegin(Launch& launch) override;
  void OnBlockBegin(Block& block) override;
  void OnAccess(const AccessEvent& event) override;
  void OnBarrier(const BarrierEvent& event) override { values_.MeetAtBarrier(event); }

  ValueTracker* tracker() override { return this; }
  void Enter(Warp& warp, LaneMask lanes) override;
  void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) override {
    values_.Propagate(warp, step, mask, lanes);
  }
  void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) override {
    values_.PropagateAtEnding(warp, step, mask, lanes);
  }
  void ShuffledFromNobody(Warp& warp, const Step& step, LaneMask lanes) override {
    values_.ShuffledFromNobody(warp, step, lanes);
  }

 private:
  // The memory that an event accesses.
  struct Place {
    Marks marks;
    WrittenBytes* bytes = nullptr;  // null for device memory
  };
  using LocalBytes = std::array<WrittenBytes, kLanes>;
  struct SharedBytes {
    WrittenBytes bytes;
    KnownWritten known;
  };

  const Allocation* AllocationOf(const AccessEvent& event);
  Place AccessedBy(const AccessEvent& event);
  void ReadConstant(const AccessEvent& event);
  void AccessLocal(const AccessEvent& event);
  void Access(const AccessEvent& event, const Place& place);
  void Load(const AccessEvent& event, const Place& place);
  void Store(const AccessEvent& event, const Place& place);
  void Atomic(const AccessEvent& event, const Place& place);
  LaneMask LoadElement(const AccessEvent& event, const Place& place, const Element& element,
                       std::uint32_t* origin);
  void StoreElement(const AccessEvent& event, const Place& place, const Element& element,
                    const Taint& value);

  const bool every_read_;
  Launch* launch_ = nullptr;
  Origins origins_;
  ValueFlow values_{origins_};
  std::map<const Block*, SharedBytes> shared_;
  std::map<const Warp*, LocalBytes> local_;
  const Block* block_ = nullptr;  // the block of the last access to shared memory
  SharedBytes* block_shared_ = nullptr;
  std::array<const Allocation*, 16> recent_ =
      {};                    // the allocations of the last accesses to device memory
  std::uint64_t frees_ = 0;  // the count of frees when they were found
  Taint copied_;             // what the first half of an asynchronous copy has read
};

void InitialisationChecker::OnLaunchBegin(Launch& launch) {
  launch_ = &launch;
  origins_ = {};
  shared_.clear();
  block_ = nullptr;
  recent_ = {};
  local_.clear();
  values_.BeginLaunch();
}

void InitialisationChecker::OnBlockBegin(Block& block) {
  SharedBytes& shared = shared_[&block];
  shared.bytes.Reset(block.shared.size());
  shared.known.Reset(block.shared.size());
}

void InitialisationChecker::Enter(Warp& warp, LaneMask lanes) {
  ValueFlow::Enter(warp);
  const Frame& frame = warp.running.frames.back();
  if (frame.program->local_bytes == 0) return;
  LocalBytes& local = local_[&warp];
  EachLane(lanes, [&](std::size_t lane) {
    local[lane].Grow(frame.local_begin + frame.program->local_bytes);
    local[lane].Forget(frame.local_begin, frame.program->local_bytes);
  });
}

// Returns the allocation that an event accesses.
[[gnu::always_inline]] inline const Allocation* InitialisationChecker::AllocationOf(
    const AccessEvent& event) {
  if (const std::uint64_t frees = launch_->memory->frees(); frees_ != frees) [[unlikely]] {
    frees_ = frees;
    recent_ = {};
  }
  const Allocation*& recent = recent_[(event.begin >> 24) % recent_.size()];
  if (recent == nullptr || recent->begin != event.begin) [[unlikely]]
    recent = launch_->memory->Find(event.begin, 1);
  return recent;
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
  const Allocation* const recent = AllocationOf(event);
  const bool own = recent == nullptr || recent->host != event.host;
  return {.marks = {.written = DeviceMemory::WrittenBehind(event.host, event.end - event.begin),
                    .begin = event.begin,
                    .known = own ? nullptr : recent->known.get()}};
}

[[gnu::always_inline]] inline void InitialisationChecker::Access(const AccessEvent& event,
                                                                 const Place& place) {
  switch (event.info.kind) {
    case MemoryInfo::Kind::kLoad:
      if (!IsWritten(event, place.marks)) {
        Load(event, place);
      } else if (copied_.lanes != 0) {
        copied_ = {};
      }
      return;
    case MemoryInfo::Kind::kStore: {
      const bool from_copy = copied_.lanes != 0 && IsCopy(InstructionOf(event).opcode);
      if (event.warp.tainted || from_copy) {
        Store(event, place);
      } else {
        MarkWritten(event, place.marks);
      }
      return;
    }
    case MemoryInfo::Kind::kAtomic:
    case MemoryInfo::Kind::kReduction:
      Atomic(event, place);
      return;
  }
}

void InitialisationChecker::OnAccess(const AccessEvent& event) {
  switch (event.memory) {
    case MemoryKind::kConstant:
      return ReadConstant(event);
    case MemoryKind::kParameter:
      return;
    case MemoryKind::kLocal:
      return AccessLocal(event);
    case MemoryKind::kGlobal:
    case MemoryKind::kShared:
      return Access(event, AccessedBy(event));
  }
}

// A __constant__ variable is 0 when the program starts. If the host has written a part of it, and
// all that lies behind is still 0, then nothing has written that.
void InitialisationChecker::ReadConstant(const AccessEvent& event) {
  const Allocation* const array = AllocationOf(event);
  if (array == nullptr || array->kind != AllocationKind::kConstant || array->host_end == 0) return;
  const std::uint64_t written = array->begin + array->host_end;
  if (event.info.kind != MemoryInfo::Kind::kLoad || event.extent.end <= written) return;
  const auto* const bytes = event.host;
  const bool zero = std::all_of(bytes + array->host_end, bytes + array->bytes,
                                [](std::byte byte) { return byte == std::byte{0}; });
  if (!zero) return;
  LaneMask lanes = 0;
  EachLane(event.mask, [&](std::size_t lane) {
    if (event.addresses[lane] + event.info.bytes > written) lanes |= LaneMask{1} << lane;
  });
  if (lanes != 0) ReportUnwrittenConstant(event, lanes, *array);
}

// Handles an access to local memory, which each lane has for itself.
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

// Returns the lanes that read an element without a written byte.
LaneMask InitialisationChecker::LoadElement(const AccessEvent& event, const Place& place,
                                            const Element& element, std::uint32_t* origin) {
  LaneAddresses offsets = event.addresses;
  for (std::uint64_t& offset : offsets) offset += element.offset - place.marks.begin;
  LaneMask some = 0;
  const LaneMask none =
      UnwrittenLanes(place.marks.written, offsets, event.mask, element.bytes, &some);
  if (every_read_ && some != 0) ReportUnwrittenRead(event, some);
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
  // A fetch gives each lane its own texels. With other instructions, lanes receive what other lanes
  // have read.
  const bool own = instruction.opcode == Opcode::kTex || instruction.opcode == Opcode::kTld4;
  const LaneMask readers = own ? 0 : warp.active;
  const std::uint32_t count = plain ? instruction.modifiers.vector : 1;
  const std::uint32_t bytes = event.info.bytes / count;
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  for (std::uint32_t e = 0; e < count; ++e) {
    std::uint32_t origin = 0;
    const LaneMask none = LoadElement(event, place, {.offset = e * bytes, .bytes = bytes}, &origin);
    if (IsCopy(instruction.opcode)) copied_ = {none, origin};
    if (none == 0 || IsCopy(instruction.opcode)) continue;
    warp.tainted = true;
    if (plain) {
      Taint& taint = taints[TaintOf(event.info.values[e])];
      taint = {taint.lanes | none, origin};
      continue;
    }
    for (const TaintIndex to :
         values_.FlowsFor(*warp.running.program)[event.step.index].destinations) {
      taints[to] = {taints[to].lanes | none | readers, origin};
    }
  }
}

void InitialisationChecker::StoreElement(const AccessEvent& event, const Place& place,
                                         const Element& element, const Taint& value) {
  const LaneMask tainted = value.lanes & event.mask;
  if (tainted != 0 && place.bytes == nullptr) {
    ReportUse(event.warp, event.step, tainted, UndefinedUse::kStore, origins_.Find(value.origin));
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
  if (IsCopy(instruction.opcode)) {
    value = std::exchange(copied_, {});
  } else {
    for (const TaintIndex from : values_.FlowsFor(*warp.running.program)[event.step.index].stored) {
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
      ReportUse(warp, event.step, none, UndefinedUse::kAtomic, origins_.Find(origin));
    } else if (none != 0 && event.info.kind == MemoryInfo::Kind::kAtomic) {
      warp.tainted = true;
      taints[TaintOf(event.step.d)] = {none, origin};
    }
  }
  Taint value;
  if (warp.tainted) {
    value = ValueFlow::Gathered(
        taints, values_.FlowsFor(*warp.running.program)[event.step.index].stored, event.mask);
  }
  if (value.lanes != 0 && !exchange) {
    ReportUse(warp, event.step, value.lanes, UndefinedUse::kStore, origins_.Find(value.origin));
  }
  StoreElement(event, place, whole, exchange ? value : Taint{});
}

}  // namespace

std::unique_ptr<Observer> MakeInitialisationChecker(bool every_read) {
  return std::make_unique<InitialisationChecker>(every_read);
}

}  // namespace warpcheck::emulator
