#include "run/access_tracer.h"

#include <bit>

#include "emulator/access/access_cost.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"
#include "run/launch_sums.h"

namespace warpcheck::run {
namespace {

using emulator::AccessEvent;
using emulator::MemoryKind;

emulator::TallyOf TallyFor(const AccessEvent& access) {
  return access.memory == MemoryKind::kShared ? emulator::TallyOf::kShared
                                              : emulator::TallyOf::kGlobal;
}

// Textures go another way, and what no counter sees costs nothing.
bool IsCounted(const emulator::MemoryInfo& info) {
  return info.counting != emulator::Counting::kTexture &&
         info.counting != emulator::Counting::kNothing;
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

}  // namespace warpcheck::run
