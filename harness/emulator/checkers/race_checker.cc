// Finds races: two threads access the same bytes, at least one writes, and nothing orders them
// (docs/checkers.md says what orders). In the shared memory of a block, and in global memory within
// a grid. It judges the order that a program asks for, not the one in which the emulator ran it, so
// that a race is found whichever thread came first.
#include <fmt/format.h>

#include <bit>
#include <map>
#include <vector>

#include "emulator/checkers/checkers.h"
#include "emulator/checkers/race_clock.h"
#include "emulator/checkers/race_copies.h"
#include "emulator/checkers/race_flags.h"
#include "emulator/checkers/race_judge.h"
#include "emulator/checkers/race_memory.h"
#include "emulator/checkers/race_report.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {
namespace {

class RaceChecker : public Observer {
 public:
  void OnLaunchBegin(Launch& launch) override {
    launch_ = &launch;
    if (clock_.worn()) {
      memory_ = {};
      clock_ = {};
    }
    clock_.BeginLaunch();
    flags_.BeginLaunch(&launch.executed);
    report_.BeginLaunch(launch);
  }

  void OnLaunchEnd(Launch&) override {
    report_.EndLaunch();
    flags_.EndLaunch();
    if (memory_.Full()) {
      report_.AddLimit(
          fmt::format("races were looked for in the first {} MiB that the launch touches, a "
                      "quarter of that "
                      "where it is by bytes, and not beyond",
                      ShadowPool::kMostPages * ShadowPage::kBytes >> 20),
          "touch less memory in one launch: whether there are races beyond nobody can tell");
    } else if (flags_.full()) {
      report_.AddLimit(
          fmt::format(
              "races were looked for until the launch had written or read {} flags, and not beyond",
              RaceFlags::kMost),
          "use fewer flags and locks in one launch: whether there are races after that nobody can "
          "tell");
    } else if (flags_.worn_out()) {
      report_.AddLimit(
          "races were looked for until that would have taken longer than the kernels do, and not "
          "beyond",
          {});
    } else if (report_.full()) {
      report_.AddLimit(
          fmt::format("races were looked for until {} of them were found in all launches, and not "
                      "beyond",
                      RaceReport::kMostRaces),
          {});
    } else if (report_.full_of_same_values()) {
      report_.AddLimit(
          fmt::format("races were looked for until {} threads had stored a value that another "
                      "stored too, and not beyond",
                      RaceReport::kMostSameValues),
          "let one thread store it: whether there are races after that nobody can tell");
    } else if (clock_.exhausted()) {
      report_.AddLimit("races were looked for in the first part of the launch, which is very long",
                       "do less in one launch: whether there are races after that nobody can tell");
    }
    copies_.Clear();
    memory_.EndLaunch();
  }

  void OnBlockBegin(Block& block) override {
    clock_.BeginBlock(block);
    Forget(block);
  }
  void OnBlockEnd(Block& block) override {
    copies_.EndBlock(block);
    clock_.EndBlock(block);
  }

  void OnBarrier(const BarrierEvent& event) override {
    if (clock_.Barrier(event)) Forget(event.block);
  }
  void OnWarpSync(const WarpSyncEvent& event) override {
    if (event.orders_memory) clock_.WarpSync(event);
  }
  void OnFence(const FenceEvent& event) override { clock_.Fence(event); }

  void OnCopyGroup(const CopyGroupEvent& event) override {
    for (const CopySide& side : copies_.OnGroup(event)) Land(side, side.who);
  }

  void OnMbarrier(const MbarrierEvent& event) override {
    const BlockClock& clock = clock_.Of(*event.warp.block);
    const std::uint64_t flag = RaceFlags::SharedName(clock.number, event.barrier);
    if (event.what == MbarrierEvent::What::kArrive) {
      clock_.Tick();
      ForEachThread(event, [&](std::uint32_t thread) {
        flags_.Release(flag, clock, thread, clock_.now(), Releases(event));
      });
      clock_.Tick();
    }
    Land(copies_.OnMbarrier(event), event, flag);
    if (event.what != MbarrierEvent::What::kSawItsEnd) return;
    ForEachThread(event, [&](std::uint32_t thread) {
      flags_.Acquire(flag, clock.number, thread, clock_.now());
    });
  }

  void OnAccess(const AccessEvent& event) override {
    const bool shared = event.memory == MemoryKind::kShared;
    if ((!shared && event.memory != MemoryKind::kGlobal) || gives_up()) return;
    const Block& block = *event.warp.block;
    const BlockClock& clock = clock_.Of(block);
    const Strength strength = StrengthOf(event.info);
    const std::uint32_t place = report_.places().NumberOf(*event.warp.running.program, event.step);
    const Who who = MakeWho(place, strength, event.warp.index * kLanes);
    WatchedMemory& memory =
        shared ? memory_.SharedOf(block, launch_->shared_bytes) : memory_.GlobalOf(event);
    const bool reads = event.info.kind == MemoryInfo::Kind::kLoad;
    const LaneMask early = TooEarly(event, who, clock, memory);
    if (!memory.written) {
      const bool may_wait = reads && strength == Strength::kWeak && early == 0;
      if (may_wait && PutOff(event, who, clock, memory)) return;
      CatchUp(memory);
    }
    LookNow(event, who, clock, memory, event.mask & ~early);
    if (strength == Strength::kCopy) copies_.Add(event, who, clock_.now(), memory);
  }

 private:
  bool gives_up() const {
    return clock_.exhausted() || flags_.full() || flags_.worn_out() || report_.full() ||
           report_.full_of_same_values();
  }

  // False where it has to be looked at now.
  bool PutOff(const AccessEvent& event, Who who, const BlockClock& clock,
              WatchedMemory& memory) const {
    const bool shared = event.memory == MemoryKind::kShared;
    return memory.put_off->size() < memory.most_put_off &&
           memory.put_off->Add(event, who, clock_.now(), [&] { return WindowOf(clock, shared); });
  }

  RaceAccess AccessOf(const AccessEvent& event, Who who, const BlockClock& clock,
                      LaneMask lanes) const {
    const bool reads = event.info.kind == MemoryInfo::Kind::kLoad;
    RaceAccess access;
    access.memory = event.memory;
    access.mask = lanes;
    access.bytes = event.info.bytes;
    access.shape =
        IsWeak(StrengthOf(who)) && lanes == event.mask ? event.shape : AccessShape::kScattered;
    access.reads = reads;
    access.writes = !reads;
    access.who = who;
    access.window = WindowOf(clock, event.memory == MemoryKind::kShared);
    access.addresses = &event.addresses;
    access.event = &event;
    return access;
  }

  // The lanes that touch what a copy under way writes, or write what one reads: that is told.
  LaneMask TooEarly(const AccessEvent& event, Who who, const BlockClock& clock,
                    const WatchedMemory& memory) {
    if (memory.written_by_copies.empty() && memory.read_by_copies.empty()) [[likely]]
      return 0;
    const bool writes = event.info.kind != MemoryInfo::Kind::kLoad;
    LaneMask early = 0;
    EachLane(event.mask, [&](std::size_t lane) {
      const std::uint64_t address = event.addresses[lane];
      const CopySide* copy = copies_.Touched(memory, writes, address, event.info.bytes);
      if (copy == nullptr) return;
      early |= LaneMask{1} << lane;
      const std::uint32_t maker = copy->LaneAt(address, event.info.bytes);
      const std::uint32_t groups = copies_.GroupsSince(*copy, maker);
      judge_.Report(AccessOf(event, who, clock, event.mask), static_cast<std::uint32_t>(lane),
                    address,
                    {.stamp = copy->made,
                     .who = copy->who + maker,
                     .wrote = copy->writes,
                     .under_way = copy->phase   ? UnderWay::kAtMbarrier
                                  : groups == 0 ? UnderWay::kInNoGroup
                                                : UnderWay::kInAGroup,
                     .later_groups = groups == 0 ? 0 : groups - 1});
    });
    return early;
  }

  // Somebody has waited for the copies: what they did happens now, by `who` for lane 0.
  void Land(const CopySide& side, Who who) {
    RaceAccess access;
    access.memory = side.kind;
    access.mask = side.lanes;
    access.bytes = side.bytes;
    access.reads = !side.writes;
    access.writes = side.writes;
    access.who = who;
    access.window = WindowOf(clock_.Of(*side.block), side.kind == MemoryKind::kShared);
    access.addresses = &side.addresses;
    if (!side.memory->written) CatchUp(*side.memory);
    look_.Look(access, side.memory->shadow);
  }

  // The same, for those who learn it from an mbarrier. Nobody waits for a bulk copy but so, and who
  // has learnt of it first stands for it.
  void Land(const std::vector<CopySide>& sides, const MbarrierEvent& event, std::uint64_t flag) {
    if (sides.empty()) return;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(event.lanes));
    std::map<std::uint32_t, LaneMask> by;  // lanes of each warp
    clock_.Tick();
    const Stamp landed = clock_.now();
    for (const CopySide& side : sides) {
      if (side.copy == AsyncCopy::kBulkToShared) {
        const Who who = MakeWho(PlaceOf(side.who), Strength::kCopy, event.warp.index * kLanes);
        Land(side, who + first - static_cast<std::uint32_t>(std::countr_zero(side.lanes)));
        by[event.warp.index] |= LaneMask{1} << first;
      } else {
        Land(side, side.who);
        by[side.warp] |= side.lanes;
      }
    }
    clock_.Tick();
    const std::uint32_t block = clock_.Of(*event.warp.block).number;
    for (const auto& [warp, lanes] : by) {
      flags_.ReleaseOnly(flag, block, warp, lanes, landed, clock_.now());
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

  [[gnu::noinline]] void LookNow(const AccessEvent& event, Who who, const BlockClock& clock,
                                 WatchedMemory& memory, LaneMask lanes) {
    if (lanes == 0) return;
    const RaceAccess access = AccessOf(event, who, clock, lanes);
    const bool tells = !IsWeak(StrengthOf(who)) && !event.info.mbarrier;
    if (tells) Learn(event, clock);
    look_.Look(access, memory.shadow);
    if (tells && access.writes) Tell(event, clock);
  }

  RaceWindow WindowOf(const BlockClock& clock, bool shared) const {
    if (shared) return {clock.floor, clock.floor, clock.floor, clock_.now(), clock.number};
    return {clock_.launch_begin(), clock.begin, clock.floor, clock_.now(), clock.number};
  }

  // All warps of the block have met: what they read before is over.
  void Forget(const Block& block) {
    if (launch_->shared_bytes == 0) return;
    WatchedMemory& memory = memory_.SharedOf(block, launch_->shared_bytes);
    memory.put_off->Clear();
    memory.written = false;
  }

  void CatchUp(WatchedMemory& memory) {
    memory.written = true;
    memory.put_off->ForEach(memory.shadow.begin(),
                            [&](const RaceAccess& access) { look_.Look(access, memory.shadow); });
    memory.put_off->Clear();
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

  void Learn(const AccessEvent& event, const BlockClock& clock) {
    if (event.info.kind == MemoryInfo::Kind::kStore || flags_.empty()) return;
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t thread) {
      flags_.Acquire(flag, clock.number, thread, clock_.now());
    });
  }

  void Tell(const AccessEvent& event, const BlockClock& clock) {
    const bool all = event.info.order == MemoryOrder::kRelease ||
                     event.info.order == MemoryOrder::kAcquireRelease;
    if (!all && clock.device_fence == 0 && clock.warp_fence[event.warp.index] == 0) return;
    clock_.Tick();
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t thread) {
      flags_.Release(flag, clock, thread, clock_.now(), all);
    });
    clock_.Tick();
  }

  Launch* launch_ = nullptr;
  RaceClock clock_;
  RaceFlags flags_;
  RaceReport report_;
  RaceMemory memory_;
  RaceCopies copies_;
  RaceJudge judge_{clock_, flags_, report_};
  RaceLook look_{judge_};
};

}  // namespace

std::unique_ptr<Observer> MakeRaceChecker() { return std::make_unique<RaceChecker>(); }

}  // namespace warpcheck::emulator
