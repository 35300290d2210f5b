#include "emulator/launch.h"

#include <numeric>
#include <utility>

#include "emulator/block.h"
#include "emulator/events.h"
#include "emulator/launch_check.h"
#include "emulator/residents.h"

namespace warpcheck::emulator {
namespace {

// A small generator of our own (SplitMix64), so that an order is the same on every machine.
class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t Below(std::uint64_t bound) { return Next() % bound; }

 private:
  std::uint64_t state_;
};

// Walks over all numbers below `count` once: from a start, in steps that have no factor in common
// with it.
class Order {
 public:
  Order(std::uint64_t count, Mixer* mixer) : count_(count) {
    if (mixer == nullptr) return;
    next_ = mixer->Below(count);
    do {
      step_ = 1 + mixer->Below(count);
    } while (std::gcd(step_, count) != 1);
  }

  std::uint64_t Next() {
    const std::uint64_t current = next_;
    next_ = (next_ + step_) % count_;
    return current;
  }

 private:
  std::uint64_t count_;
  std::uint64_t next_ = 0;
  std::uint64_t step_ = 1;
};

Dim3 BlockIndex(std::uint64_t linear, const Dim3& grid) {
  return {.x = static_cast<std::uint32_t>(linear % grid.x),
          .y = static_cast<std::uint32_t>(linear / grid.x % grid.y),
          .z = static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

void Shuffle(std::vector<std::uint32_t>& order, Mixer& mixer) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mixer.Below(i)]);
}

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

void RunLaunch(Launch& launch) {
  const Dim3& grid = launch.request->grid;
  std::optional<Mixer> mixer;
  if (launch.options->order_seed) mixer.emplace(*launch.options->order_seed + launch.grid_id);
  Order order(grid.Count(), mixer ? &*mixer : nullptr);
  for (const auto& program : launch.kernel->programs) {
    if (program == nullptr) continue;
    Launch::Counts& counts = launch.counts[program.get()];
    counts.sites.resize(program->memory.size());
    counts.blocks.resize(program->blocks.size() + 1);
  }
  const GridWorkspace workspace(launch);
  launch.resident_blocks =
      ResidentBlocks(*launch.kernel, *launch.request, launch.hardware->properties);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnLaunchBegin, launch);
  // A kernel without instructions uses up no budget, and does nothing.
  const std::uint64_t blocks = launch.kernel->entry().blocks.empty() ? 0 : grid.Count();
  Residents(launch, blocks, [&](Block& block) {
    if (mixer) Shuffle(block.order, *mixer);
    StartBlock(block, BlockIndex(order.Next(), grid));
  }).Run();
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnLaunchEnd, launch);
}

}  // namespace warpcheck::emulator
