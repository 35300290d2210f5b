#include "emulator/race_checker.h"

#include <bit>

#include "emulator/launch.h"
#include "emulator/race_clock.h"
#include "emulator/race_flags.h"
#include "emulator/race_judge.h"
#include "emulator/race_look.h"
#include "emulator/race_memory.h"
#include "emulator/race_report.h"

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
    flags_.Clear();
    report_.BeginLaunch(launch);
  }

  void OnLaunchEnd(Launch&) override {
    report_.EndLaunch();
    memory_.EndLaunch();
  }

  void OnBlockBegin(Block& block) override {
    clock_.BeginBlock(block);
    Forget(block);
  }
  void OnBlockEnd(Block& block) override { clock_.EndBlock(block); }

  void OnBarrier(const BarrierEvent& event) override {
    if (clock_.Barrier(event)) Forget(event.block);
  }
  void OnWarpSync(const WarpSyncEvent& event) override {
    if (event.orders_memory) clock_.WarpSync(event);
  }
  void OnFence(const FenceEvent& event) override { clock_.Fence(event); }

  void OnAccess(const AccessEvent& event) override {
    const bool shared = event.memory == MemoryKind::kShared;
    if ((!shared && event.memory != MemoryKind::kGlobal) || clock_.exhausted()) return;
    const Block& block = *event.warp.block;
    const BlockClock& clock = clock_.Of(block);
    const Strength strength = StrengthOf(event.info.order);
    const std::uint32_t place = report_.places().NumberOf(*event.warp.program, event.step);
    const Who who = MakeWho(place, strength, event.warp.index * kLanes);
    WatchedMemory& memory =
        shared ? memory_.SharedOf(block, launch_->shared_bytes) : memory_.GlobalOf(event);
    const bool reads = event.info.kind == MemoryInfo::Kind::kLoad;
    if (!memory.written) {
      if (reads && strength == Strength::kWeak && PutOff(event, who, clock, memory)) return;
      CatchUp(memory);
    }
    LookNow(event, who, clock, memory);
  }

 private:
  // False where it has to be looked at now.
  bool PutOff(const AccessEvent& event, Who who, const BlockClock& clock,
              WatchedMemory& memory) const {
    const bool shared = event.memory == MemoryKind::kShared;
    return memory.put_off->size() < memory.most_put_off &&
           memory.put_off->Add(event, who, clock_.now(), [&] { return WindowOf(clock, shared); });
  }

  [[gnu::noinline]] void LookNow(const AccessEvent& event, Who who, const BlockClock& clock,
                                 WatchedMemory& memory) {
    const Strength strength = StrengthOf(who);
    const bool reads = event.info.kind == MemoryInfo::Kind::kLoad;
    RaceAccess access;
    access.memory = event.memory;
    access.mask = event.mask;
    access.bytes = event.info.bytes;
    access.shape = strength == Strength::kWeak ? event.shape : AccessShape::kScattered;
    access.reads = reads;
    access.writes = !reads;
    access.who = who;
    access.window = WindowOf(clock, event.memory == MemoryKind::kShared);
    access.addresses = &event.addresses;
    access.event = &event;
    if (strength != Strength::kWeak) Learn(event, clock);
    look_.Look(access, memory.shadow);
    if (strength != Strength::kWeak && access.writes) Tell(event, clock);
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
    for (LaneMask left = event.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint64_t address = event.addresses[lane];
      body(event.memory == MemoryKind::kGlobal ? RaceFlags::GlobalName(address)
                                               : RaceFlags::SharedName(clock.number, address),
           event.warp.index * kLanes + lane);
    }
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
  RaceJudge judge_{clock_, flags_, report_};
  RaceLook look_{judge_};
};

}  // namespace

std::unique_ptr<Observer> MakeRaceChecker() { return std::make_unique<RaceChecker>(); }

}  // namespace warpcheck::emulator
