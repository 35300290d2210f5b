// The race checker finds two threads that access the same bytes, where at least one writes and
// nothing orders the accesses (docs/checkers.md says what orders them). It watches the shared
// memory of each block, and global memory within a grid. It uses the order that the program
// demands, not the order in which the emulator runs, so that it finds a race whichever thread comes
// first.
//
// The basic idea: compare the epoch of an earlier access with that of the last barrier. Epochs are
// numbers of a counter that goes up at each barrier. Shadow memory keeps, for each word, the last
// write and two reads, each with its epoch and its thread. The clock keeps, for each block, the
// epoch of its last barrier, the floor.
//
//     epoch 5   thread 0 writes s[1]       shadow of s[1]: written at 5 by thread 0
//     epoch 6   __syncthreads()            floor = 6
//     epoch 6   thread 1 reads s[1]        5 < floor: ordered
//
// Without the barrier the floor is still at most 5, and the threads differ: a race. Two blocks have
// no common floor. The other files are about what else orders accesses: barriers and warp syncs of
// some threads only (clock.h), flags and locks (flags.h), mbarriers and asynchronous copies
// (copies.h), and accesses that may happen at once because both are strong (detector.h).
#include <fmt/format.h>

#include <bit>
#include <map>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/checkers/races/clock.h"
#include "emulator/checkers/races/copies.h"
#include "emulator/checkers/races/detector.h"
#include "emulator/checkers/races/flags.h"
#include "emulator/checkers/races/history_check.h"
#include "emulator/checkers/races/report/report.h"
#include "emulator/checkers/races/shadow/watched_memory.h"
#include "emulator/checkers/races/signals.h"
#include "emulator/core/launch.h"
#include "emulator/core/stored_values.h"

namespace warpcheck::emulator {
namespace {

class RaceChecker : public Observer {
 public:
  void OnLaunchBegin(Launch& launch) override {
    launch_ = &launch;
    if (clock_.should_restart()) {
      memory_ = {};
      clock_ = {};
    }
    clock_.BeginLaunch();
    flags_.BeginLaunch(&launch.executed);
    signals_.BeginLaunch(launch);
    report_.BeginLaunch(launch);
  }

  void OnLaunchEnd(Launch&) override {
    report_.EndLaunch();
    flags_.EndLaunch();
    if (memory_.Full()) {
      report_.AddLimit(
          fmt::format("only the first {} MiB that the launch touches were checked for races (a "
                      "quarter of that for accesses of single bytes)",
                      ShadowPool::kMostPages * ShadowPage::kBytes >> 20),
          "touch less memory in one launch: the rest of the memory was not checked for races");
    } else if (flags_.full()) {
      report_.AddLimit(
          fmt::format("the launch was checked for races only until it had written or read {} flags",
                      RaceFlags::kMost),
          "use fewer flags and locks in one launch: the rest of this launch was not checked for "
          "races");
    } else if (flags_.out_of_budget()) {
      report_.AddLimit(
          "only the first part of the launch was checked for races, because the check needed too "
          "many steps",
          {});
    } else if (report_.full()) {
      report_.AddLimit(
          fmt::format("the launches were checked for races only until {} of them were found",
                      RaceReport::kMostRaces),
          {});
    } else if (report_.full_of_same_values()) {
      report_.AddLimit(
          fmt::format(
              "the launches were checked for races only until {} threads had stored a value "
              "that another thread stored too",
              RaceReport::kMostSameValues),
          "let only one thread store the value: the rest of this launch was not checked for races");
    } else if (copies_.full()) {
      report_.AddLimit(
          fmt::format("the launch was checked for races only until {} asynchronous copies of warps "
                      "were in flight",
                      RaceCopies::kMost),
          "wait for copies before you start so many: the rest of this launch was not checked for "
          "races");
    } else if (signals_.full()) {
      report_.AddLimit(
          fmt::format("the launch was checked for missing fences only until {} atomic or volatile "
                      "accesses had told threads of each other",
                      RaceSignals::kMost),
          "use fewer atomic and volatile variables in one launch: the rest of this launch was not "
          "checked for missing fences");
    } else if (clock_.out_of_epochs()) {
      report_.AddLimit("the launch is very long: only its first part was checked for races",
                       "do less in one launch: the rest of this launch was not checked for races");
    }
    copies_.Clear();
    memory_.EndLaunch();
  }

  void OnBlockBegin(Block& block) override {
    clock_.BeginBlock(block);
    DropDeferred(block);
  }
  void OnBlockEnd(Block& block) override {
    copies_.EndBlock(block);
    flags_.EndBlock(clock_.Of(block).number);
    if (signals_.active()) signals_.EndBlock(clock_.Of(block).number);
    clock_.EndBlock(block);
  }

  void OnBarrier(const BarrierEvent& event) override {
    if (clock_.Barrier(event)) DropDeferred(event.block);
  }
  void OnWarpSync(const WarpSyncEvent& event) override {
    if (event.orders_memory) clock_.WarpSync(event);
  }
  void OnFence(const FenceEvent& event) override { clock_.Fence(event); }

  void OnCopyGroup(const CopyGroupEvent& event) override {
    for (const CopySide& side : copies_.OnGroup(event)) Complete(side, side.id);
  }

  void OnMbarrier(const MbarrierEvent& event) override {
    const BlockClock& clock = clock_.Of(*event.warp.block);
    const std::uint64_t flag = RaceFlags::SharedName(clock.number, event.barrier);
    if (event.what == MbarrierEvent::What::kArrive) {
      clock_.Tick();
      ForEachThread(event, [&](std::uint32_t thread) {
        flags_.Release(flag, clock, thread, clock_.now(), {.orders = Releases(event)});
      });
      clock_.Tick();
    }
    Complete(copies_.OnMbarrier(event), event, flag);
    if (event.what != MbarrierEvent::What::kSawItsEnd) return;
    ForEachThread(event, [&](std::uint32_t thread) {
      flags_.Acquire(flag, clock.number, thread, clock_.now(), {.orders = true});
    });
  }

  void OnAccess(const AccessEvent& event) override {
    const bool shared = event.memory == MemoryKind::kShared;
    if ((!shared && event.memory != MemoryKind::kGlobal) || gives_up()) return;
    const Block& block = *event.warp.block;
    const BlockClock& clock = clock_.Of(block);
    const Strength strength = StrengthOf(event.info);
    const std::uint32_t instruction =
        report_.instructions().NumberOf(*event.warp.running.program, event.step);
    const AccessId id = MakeAccessId(instruction, strength, event.warp.index * kLanes);
    WatchedMemory& memory =
        shared ? memory_.SharedOf(block, launch_->shared_bytes) : memory_.GlobalOf(event);
    const bool reads = event.info.kind == MemoryInfo::Kind::kLoad;
    const LaneMask conflicting = ReportCopyConflicts(event, id, clock, memory);
    if (!memory.written) {
      const bool may_defer = reads && strength == Strength::kWeak && conflicting == 0;
      if (may_defer && Defer(event, id, clock, memory)) return;
      Replay(memory);
    }
    CheckNow(event, id, clock, memory, event.mask & ~conflicting);
    if (strength == Strength::kCopy) copies_.Add(event, id, clock_.now(), memory);
  }

 private:
  bool gives_up() const {
    return clock_.out_of_epochs() || copies_.full() || flags_.full() || flags_.out_of_budget() ||
           report_.full() || report_.full_of_same_values();
  }

  // Defers a read. Returns false if the read must be checked now.
  bool Defer(const AccessEvent& event, AccessId id, const BlockClock& clock,
             WatchedMemory& memory) const {
    const bool shared = event.memory == MemoryKind::kShared;
    return memory.deferred->size() < memory.most_deferred &&
           memory.deferred->Add(event, id, clock_.now(), [&] { return WindowOf(clock, shared); });
  }

  RaceAccess AccessOf(const AccessEvent& event, AccessId id, const BlockClock& clock,
                      LaneMask lanes) const {
    const bool reads = event.info.kind == MemoryInfo::Kind::kLoad;
    RaceAccess access;
    access.memory = event.memory;
    access.mask = lanes;
    access.bytes = event.info.bytes;
    access.shape =
        IsWeak(StrengthOf(id)) && lanes == event.mask ? event.shape : AccessShape::kScattered;
    access.reads = reads;
    access.writes = !reads;
    access.id = id;
    access.window = WindowOf(clock, event.memory == MemoryKind::kShared);
    access.addresses = &event.addresses;
    access.event = &event;
    return access;
  }

  // Reports the lanes that conflict with a copy in flight, and returns these lanes.
  LaneMask ReportCopyConflicts(const AccessEvent& event, AccessId id, const BlockClock& clock,
                               const WatchedMemory& memory) {
    if (memory.written_by_copies.empty() && memory.read_by_copies.empty()) [[likely]]
      return 0;
    const bool writes = event.info.kind != MemoryInfo::Kind::kLoad;
    LaneMask conflicting = 0;
    EachLane(event.mask, [&](std::size_t lane) {
      const std::uint64_t address = event.addresses[lane];
      const CopySide* copy = copies_.CopyAt(memory, writes, address, event.info.bytes);
      if (copy == nullptr) return;
      conflicting |= LaneMask{1} << lane;
      const std::uint32_t maker = copy->LaneAt(address, event.info.bytes);
      const std::uint32_t groups = copies_.GroupsSince(*copy, maker);
      detector_.Report(AccessOf(event, id, clock, event.mask), static_cast<std::uint32_t>(lane),
                       address,
                       {.epoch = copy->made,
                        .id = copy->id + maker,
                        .wrote = copy->writes,
                        .copy_state = copy->phase   ? CopyState::kAtMbarrier
                                      : groups == 0 ? CopyState::kInNoGroup
                                                    : CopyState::kInAGroup,
                        .later_groups = groups == 0 ? 0 : groups - 1});
    });
    return conflicting;
  }

  // Completes copies that a thread has waited for: their accesses happen now. `id` is the access id
  // of lane 0.
  void Complete(const CopySide& side, AccessId id) {
    RaceAccess access;
    access.memory = side.kind;
    access.mask = side.lanes;
    access.bytes = side.bytes;
    access.reads = !side.writes;
    access.writes = side.writes;
    access.id = id;
    access.window = WindowOf(clock_.Of(*side.block), side.kind == MemoryKind::kShared);
    access.addresses = &side.addresses;
    if (!side.memory->written) Replay(*side.memory);
    history_check_.CheckAndRecord(access, side.memory->shadow);
  }

  // Completes copies when a thread sees the end of an mbarrier's phase. A bulk copy belongs to no
  // thread, so the first thread that sees its end represents it.
  void Complete(const std::vector<CopySide>& sides, const MbarrierEvent& event,
                std::uint64_t flag) {
    if (sides.empty()) return;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(event.lanes));
    std::map<std::uint32_t, LaneMask> by;  // the lanes of each warp
    clock_.Tick();
    const Epoch completed = clock_.now();
    for (const CopySide& side : sides) {
      if (side.copy == AsyncCopy::kBulkToShared) {
        const AccessId id =
            MakeAccessId(InstructionIn(side.id), Strength::kCopy, event.warp.index * kLanes);
        Complete(side, id + first - static_cast<std::uint32_t>(std::countr_zero(side.lanes)));
        by[event.warp.index] |= LaneMask{1} << first;
      } else {
        Complete(side, side.id);
        by[side.warp] |= side.lanes;
      }
    }
    clock_.Tick();
    const std::uint32_t block = clock_.Of(*event.warp.block).number;
    for (const auto& [warp, lanes] : by) {
      flags_.ReleaseOnly(flag, block, warp, lanes, completed, clock_.now());
    }
  }

  template <class Body>
  static void ForEachThread(const MbarrierEvent& event, Body body) {
    EachLane(event.lanes, [&](std::size_t lane) {
      body(event.warp.index * kLanes + static_cast<std::uint32_t>(lane));
    });
  }
  static bool Releases(const MbarrierEvent& event) {
    const MemoryOrder order = event.warp.running.program->memory[event.step.memory].order;
    return order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease;
  }

  [[gnu::noinline]] void CheckNow(const AccessEvent& event, AccessId id, const BlockClock& clock,
                                  WatchedMemory& memory, LaneMask lanes) {
    if (lanes == 0) return;
    const RaceAccess access = AccessOf(event, id, clock, lanes);
    const bool synchronises = !IsWeak(StrengthOf(id)) && !event.info.mbarrier;
    if (synchronises) AcquireFlags(event, clock);
    if (synchronises && signals_.active()) NoteChange(event, id);
    history_check_.CheckAndRecord(access, memory.shadow);
    if (synchronises && signals_.MayBeIn(event.memory)) NoteSignals(event, id, clock);
    if (synchronises && access.writes) ReleaseFlags(event, clock);
  }

  RaceWindow WindowOf(const BlockClock& clock, bool shared) const {
    if (shared) return {clock.floor, clock.floor, clock.floor, clock_.now(), clock.number};
    return {clock_.launch_begin(), clock.begin, clock.floor, clock_.now(), clock.number};
  }

  // Drops the deferred reads of the block's shared memory, because all its warps have met at a
  // barrier.
  void DropDeferred(const Block& block) {
    if (launch_->shared_bytes == 0) return;
    WatchedMemory& memory = memory_.SharedOf(block, launch_->shared_bytes);
    memory.deferred->Clear();
    memory.written = false;
  }

  // Enters the deferred reads into the access history, and defers no more.
  void Replay(WatchedMemory& memory) {
    memory.written = true;
    memory.deferred->ForEach(memory.shadow.begin(), [&](const RaceAccess& access) {
      history_check_.CheckAndRecord(access, memory.shadow);
    });
    memory.deferred->Clear();
  }

  template <class Body>
  static void ForEachFlag(const AccessEvent& event, const BlockClock& clock, Body body) {
    EachLane(event.mask, [&](std::size_t lane) {
      const std::uint64_t address = event.addresses[lane];
      body(event.memory == MemoryKind::kGlobal ? RaceFlags::GlobalName(address)
                                               : RaceFlags::SharedName(clock.number, address),
           event.warp.index * kLanes + static_cast<std::uint32_t>(lane));
    });
  }

  void AcquireFlags(const AccessEvent& event, const BlockClock& clock) {
    if (event.info.kind == MemoryInfo::Kind::kStore || flags_.empty()) return;
    const FlagAccess access = {.orders = event.info.order == MemoryOrder::kAcquire ||
                                         event.info.order == MemoryOrder::kAcquireRelease,
                               .beyond_block = event.info.scope != MemoryScope::kBlock};
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t thread) {
      flags_.Acquire(flag, clock.number, thread, clock_.now(), access);
    });
  }

  void ReleaseFlags(const AccessEvent& event, const BlockClock& clock) {
    const FlagAccess access = {.orders = event.info.order == MemoryOrder::kRelease ||
                                         event.info.order == MemoryOrder::kAcquireRelease,
                               .beyond_block = event.info.scope != MemoryScope::kBlock};
    if (!access.orders && clock.device_fence == 0 && clock.warp_fence[event.warp.index] == 0) {
      return;
    }
    clock_.Tick();
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t thread) {
      flags_.Release(flag, clock, thread, clock_.now(), access);
    });
    clock_.Tick();
  }

  // Notes an atomic that does more than read.
  void NoteChange(const AccessEvent& event, AccessId id) {
    if (event.info.kind != MemoryInfo::Kind::kAtomic) return;
    if (!report_.OnlyReads(InstructionIn(id))) return;
    bool changes = false;
    EachLane(event.mask, [&](std::size_t lane) {
      changes = changes || !LeavesMemory(event, static_cast<std::uint32_t>(lane));
    });
    if (changes) report_.NoteChange(InstructionIn(id));
  }

  // Notes that threads read flags, and then that they write them.
  void NoteSignals(const AccessEvent& event, AccessId id, const BlockClock& clock) {
    const auto kind = event.info.kind;
    const auto thread = [&](std::uint32_t index) { return ThreadId{clock.number, index}; };
    if (kind == MemoryInfo::Kind::kLoad || kind == MemoryInfo::Kind::kAtomic) {
      ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t index) {
        signals_.Read(flag, thread(index));
      });
    }
    // An atomic that only reads says nothing of what its thread did before.
    if (report_.OnlyReads(InstructionIn(id))) return;
    const bool releases = event.info.order == MemoryOrder::kRelease ||
                          event.info.order == MemoryOrder::kAcquireRelease;
    clock_.Tick();
    const Epoch now = clock_.now();
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t index) {
      signals_.Wrote(flag,
                     {.by = thread(index),
                      .at = now,
                      .released = releases ? now : clock.device_fence,
                      .released_in_block = releases ? now : clock.warp_fence[event.warp.index],
                      .replaces = kind == MemoryInfo::Kind::kStore});
    });
    clock_.Tick();
  }

  Launch* launch_ = nullptr;
  RaceClock clock_;
  RaceFlags flags_;
  RaceSignals signals_;
  RaceReport report_;
  RaceMemory memory_;
  RaceCopies copies_;
  RaceDetector detector_{clock_, flags_, signals_, report_};
  HistoryCheck history_check_{detector_};
};

}  // namespace

std::unique_ptr<Observer> MakeRaceChecker() { return std::make_unique<RaceChecker>(); }

}  // namespace warpcheck::emulator
