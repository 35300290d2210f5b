#include "emulator/record/launch_needs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "device/lanes.h"
#include "emulator/core/launch_check.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::emulator {
namespace {

// The accesses of a launch to one allocation of global memory.
struct ArrayNeeds {
  std::uint64_t load_sectors = 0, store_sectors = 0;
  std::uint64_t updates = 0;  // the lanes of atomics
};

// Adds the accesses of an instruction. Atomics load and store.
void Add(ArrayNeeds& needs, const MemoryInfo& info, const Tally& tally) {
  const bool loads = info.kind == MemoryInfo::Kind::kLoad || info.counting == Counting::kCopy;
  const bool stores = info.kind == MemoryInfo::Kind::kStore && info.counting != Counting::kCopy;
  if (!stores) needs.load_sectors += tally.cost;
  if (!loads) needs.store_sectors += tally.cost;
  if (!loads && !stores) needs.updates += tally.lanes;
}

// Returns how often a warp waits for loads of global memory in a basic block: the most loads of
// which each needs the value of the one before for its address.
std::uint64_t WaitsIn(const Program& program, const CodeBlock& block,
                      const std::vector<bool>& loads) {
  std::map<ptx::RegisterId, std::uint64_t> waits_before;  // that a register's value needs
  std::uint64_t most = 0;
  for (std::uint32_t i = block.first; i < block.first + block.instructions; ++i) {
    const ptx::Instruction& instruction = program.function->body[i];
    std::uint64_t waits = 0;
    ptx::EachRead(instruction, [&](ptx::RegisterId reg) {
      const auto known = waits_before.find(reg);
      if (known != waits_before.end()) waits = std::max(waits, known->second);
    });
    waits += loads[i] ? 1 : 0;
    if (loads[i]) most = std::max(most, waits);
    ptx::EachWrite(instruction, [&](ptx::RegisterId reg) { waits_before[reg] = waits; });
  }
  return most;
}

std::uint64_t WaitsOf(const Program& program, const Launch::Counts& counts) {
  std::vector<bool> loads(program.steps.size());
  for (std::size_t m = 0; m < program.memory.size(); ++m) {
    const MemoryInfo& info = program.memory[m];
    // Stores, reductions and copies give a warp nothing to wait for.
    loads[info.instruction] =
        (info.kind == MemoryInfo::Kind::kLoad || info.kind == MemoryInfo::Kind::kAtomic) &&
        info.counting != Counting::kCopy && counts.sites[m].Global().requests > 0;
  }
  std::uint64_t waits = 0;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    if (counts.blocks[b].executions == 0) continue;
    waits += counts.blocks[b].executions * WaitsIn(program, program.blocks[b], loads);
  }
  return waits;
}

}  // namespace

void FindNeeds(Launch& launch) {
  if (!launch.options->by_allocation) return;
  const DeviceProperties& properties = launch.hardware->properties;
  LaunchNeeds& needs = launch.record.needs.emplace();
  needs.target = properties.target();
  needs.active_blocks = static_cast<std::uint32_t>(
      ResidentBlocks(*launch.kernel, *launch.request, properties) / properties.multiprocessors);
  std::map<DeviceAddress, ArrayNeeds> arrays;
  for (const auto& [program, counts] : launch.counts) {
    needs.load_waits += WaitsOf(*program, counts);
    for (std::size_t m = 0; m < program->memory.size(); ++m) {
      for (const AllocationTally& one : counts.sites[m].allocations) {
        Tally tally = one.alone;
        tally += one.shared;
        Add(arrays[one.begin], program->memory[m], tally);
      }
    }
  }
  for (const auto& [begin, array] : arrays) {
    const Allocation* const allocation = begin == 0 ? nullptr : launch.memory->Find(begin, 1);
    if (allocation == nullptr) {  // other places, whose size is not known
      needs.load_sectors += array.load_sectors;
      needs.store_sectors += array.store_sectors;
      continue;
    }
    constexpr std::uint64_t kWordBytes = 4;
    const std::uint64_t sectors = (allocation->bytes + kSectorBytes - 1) / kSectorBytes;
    const std::uint64_t words = std::max<std::uint64_t>(allocation->bytes / kWordBytes, 1);
    needs.load_sectors += std::min(array.load_sectors, sectors);
    needs.store_sectors += std::min(array.store_sectors, sectors);
    needs.word_updates = std::max(needs.word_updates, (array.updates + words - 1) / words);
  }
}

}  // namespace warpcheck::emulator
