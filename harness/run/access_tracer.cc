#include "run/access_tracer.h"

#include <bit>

#include "emulator/block.h"
#include "emulator/counter_law.h"
#include "emulator/launch.h"
#include "emulator/warp.h"
#include "run/launch_fold.h"

namespace warpcheck::run {
namespace {

using emulator::AccessEvent;
using emulator::MemoryKind;
using Kind = emulator::MemoryInfo::Kind;

SampledKind KindOf(Kind kind) {
  switch (kind) {
    case Kind::kLoad:
      return SampledKind::kLoad;
    case Kind::kStore:
      return SampledKind::kStore;
    default:
      return SampledKind::kAtomic;
  }
}

emulator::SharedAccess SharedKindOf(Kind kind) {
  switch (kind) {
    case Kind::kLoad:
      return emulator::SharedAccess::kLoad;
    case Kind::kStore:
      return emulator::SharedAccess::kStore;
    case Kind::kReduction:
      return emulator::SharedAccess::kReduction;
    default:
      return emulator::SharedAccess::kAtomic;
  }
}

struct Cost {
  std::uint64_t cost = 0;
  std::uint64_t ideal = 0;
};

Cost CostOf(const AccessEvent& access) {
  const emulator::MemoryGeometry& geometry = access.warp.launch->hardware->memory;
  const emulator::WarpAccess lanes = {access.mask, access.addresses.data(), access.info.bytes};
  if (access.memory == MemoryKind::kShared) {
    const auto cost = emulator::CostOfShared(geometry, lanes, SharedKindOf(access.info.kind));
    return {cost.wavefronts, cost.ideal_wavefronts};
  }
  const auto cost = emulator::CostOfGlobal(geometry, lanes);
  return {cost.sectors, cost.ideal_sectors};
}

}  // namespace

void AccessTracer::OnLaunchBegin(emulator::Launch& launch) {
  watching_ = PlainName(launch.record.kernel) == target_.kernel;
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
  sample.where = emulator::PlaceOf(*warp.launch, *warp.program, access.step.index);
  entry.wanted = sample.where.line == target_.line;
  if (!entry.wanted) return entry;
  sample.kernel = warp.launch->record.kernel;
  sample.instruction = texts_.Instruction(*warp.launch, *warp.program, access.step.index);
  sample.index = access.step.index;
  sample.memory =
      access.memory == MemoryKind::kShared ? SampledMemory::kShared : SampledMemory::kGlobal;
  sample.kind = KindOf(access.info.kind);
  sample.bytes = access.info.bytes;
  return entry;
}

void AccessTracer::OnAccess(const AccessEvent& access) {
  if (!watching_ || access.info.counting == emulator::Counting::kTexture) return;
  if (access.memory != MemoryKind::kGlobal && access.memory != MemoryKind::kShared) return;
  Entry& entry = EntryOf(access);
  if (!entry.wanted) return;
  AccessSample& sample = entry.sample;
  const auto [cost, ideal] = CostOf(access);
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
  sample.cost = cost;
  sample.ideal = ideal;
  sample.mask = access.mask;
  sample.addresses = access.addresses;
  sample.block = access.warp.block->index;
  sample.warp = access.warp.index;
}

}  // namespace warpcheck::run
