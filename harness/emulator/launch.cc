#include "emulator/launch.h"

#include "emulator/block_order.h"
#include "emulator/events.h"
#include "emulator/launch_check.h"
#include "emulator/parallel_run.h"
#include "emulator/residents.h"

namespace warpcheck::emulator {
namespace {

// Where the blocks of a cooperative launch meet: device code finds it through %envreg1 and 2, and
// counts arrivals in its second word (cooperative_groups/details/sync.h of CUDA 13).
class GridWorkspace {
 public:
  explicit GridWorkspace(Launch& launch) : launch_(launch) {
    constexpr std::uint64_t kBytes = 64;
    if (!launch.request->cooperative) return;
    const auto address = launch.memory->Allocate(kBytes, 0, true, AllocationKind::kVariable,
                                                 "the barrier of the grid");
    if (address) {
      launch.grid_workspace = *address;
    } else {
      launch.Stop(address.error());
    }
  }
  ~GridWorkspace() {
    (void)launch_.memory->Free(launch_.grid_workspace, AllocationKind::kVariable);
  }
  GridWorkspace(const GridWorkspace&) = delete;
  GridWorkspace& operator=(const GridWorkspace&) = delete;

 private:
  Launch& launch_;
};

}  // namespace

void PrepareCounts(Launch& launch) {
  for (const auto& [id, program] : launch.kernel->programs) {
    Launch::Counts& counts = launch.counts[program.get()];
    counts.sites.resize(program->memory.size());
    counts.blocks.resize(program->blocks.size() + 1);
  }
}

void RunLaunch(Launch& launch, ParallelRun& parallel) {
  PrepareCounts(launch);
  if (parallel.Try(launch)) return;
  const GridWorkspace workspace(launch);
  launch.resident_blocks =
      ResidentBlocks(*launch.kernel, *launch.request, launch.hardware->properties);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnLaunchBegin, launch);
  // A kernel without instructions uses up no budget, and does nothing.
  const std::uint64_t blocks =
      launch.kernel->entry().blocks.empty() ? 0 : launch.request->grid.Count();
  BlockOrder order(launch);
  Residents(launch, blocks, [&](Block& block) { order.StartNext(block); }).Run();
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnLaunchEnd, launch);
}

}  // namespace warpcheck::emulator
