// The basic idea: guess that blocks do not touch each other's bytes, and look afterwards.
//
//     thread A runs blocks 0 and 1 on its own view of memory, thread B blocks 2 and 3
//     if (one of them has accessed a byte that the other wrote)
//       forget both views, and run blocks 0 to 3 on one thread
//     else
//       memory = the writes of A and of B,   counts = those of A + those of B
//
// Marking each byte that is read costs time, and most kernels read some arrays and write others. So
// the first attempt marks written bytes, and notes only which arrays are read. If an array is both
// read and written (kMixed), a second attempt marks the bytes that are read as well.
#include "emulator/parallel/parallel_run.h"

#include <algorithm>
#include <new>

#include "emulator/blocks/block_order.h"
#include "emulator/blocks/block_run.h"
#include "emulator/blocks/block_scheduler.h"
#include "emulator/core/launch.h"
#include "emulator/core/launch_check.h"

namespace warpcheck::emulator {
namespace {

// A launch with fewer warp instructions than this, if it is not repeated, ends before other threads
// have woken up.
constexpr std::uint64_t kWorthIt = 8192;

// Returns the options of the launch without the functions that several threads must not call at
// once. Findings of parts are not kept, so their places are not needed.
Options OptionsOfParts(const Options& options) {
  Options of_parts = options;
  of_parts.is_student_file = [](std::string_view) { return true; };
  return of_parts;
}

// The memory of a cooperative launch's barrier. Device code finds it through %envreg1 and %envreg2,
// and counts arrivals in its second word (cooperative_groups/details/sync.h of CUDA 13).
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

void Add(Launch::Counts& sum, const Launch::Counts& one) {
  for (std::size_t i = 0; i < sum.sites.size(); ++i) {
    for (std::size_t t = 0; t < sum.sites[i].tallies.size(); ++t) {
      sum.sites[i].tallies[t] += one.sites[i].tallies[t];
    }
    for (const AllocationTally& allocation : one.sites[i].allocations) {
      AllocationTally& its = sum.sites[i].Of(allocation.begin);
      its.alone += allocation.alone;
      its.shared += allocation.shared;
    }
    for (std::size_t memory = 0; memory < sum.sites[i].worst.size(); ++memory) {
      const auto& worst = one.sites[i].worst[memory];
      auto& kept = sum.sites[i].worst[memory];
      if (worst && (!kept || IsWorse(*worst, *kept))) kept = worst;
    }
  }
  for (std::size_t i = 0; i < sum.blocks.size(); ++i) {
    sum.blocks[i].executions += one.blocks[i].executions;
    sum.blocks[i].lanes += one.blocks[i].lanes;
    sum.blocks[i].divergent += one.blocks[i].divergent;
    sum.blocks[i].uniform += one.blocks[i].uniform;
  }
}

}  // namespace

ParallelRun::Part::Part(const Options& options) : checkers(options.checkers) {}

ParallelRun::Queue::Batch ParallelRun::Queue::Take() {
  Batch batch{.begin = next.load()};
  do {
    const std::uint64_t left = blocks - batch.begin;
    batch.end = batch.begin + std::min(left, std::max<std::uint64_t>(left / (2 * threads), 1));
  } while (!next.compare_exchange_weak(batch.begin, batch.end));
  return batch;
}

ParallelRun::ParallelRun(const Options& options) : options_(OptionsOfParts(options)) {}

// The observers of the caller need events in order.
bool ParallelRun::Suits(const Launch& launch) const {
  if (options_.threads < 2 || !launch.options->observers.empty() || launch.request->cooperative) {
    return false;
  }
  const std::uint64_t blocks = launch.request->grid.Count();
  const std::uint64_t warps = (launch.request->block.Count() + kLanes - 1) / kLanes;
  const std::uint64_t steps = launch.kernel->entry().steps.size();
  return blocks > 1 && blocks * warps * steps >= kWorthIt && !failed_.contains(launch.kernel);
}

bool ParallelRun::Try(Launch& launch) {
  if (!Suits(launch)) return false;
  if (team_ == nullptr) {
    team_ = std::make_unique<ThreadTeam>(options_.threads);
    while (parts_.size() < team_->size()) parts_.push_back(std::make_unique<Part>(options_));
  }
  if (team_->size() < 2) return false;
  Outcome outcome = Attempt(launch, mixing_.contains(launch.kernel));
  if (outcome == Outcome::kMixed) {
    mixing_.insert(launch.kernel);
    outcome = Attempt(launch, true);
  }
  const bool kept = outcome == Outcome::kKept;
  if (!kept) failed_.insert(launch.kernel);
  if (options_.on_parallel) options_.on_parallel(kept);
  return kept;
}

// The sum of the parts' budgets is at most the launch's budget.
ParallelRun::Outcome ParallelRun::Attempt(Launch& launch, bool by_byte) {
  Queue queue;
  Start(launch, by_byte, queue);
  team_->Run([&](unsigned i) { RunPart(*parts_[i]->launch, queue); });
  std::vector<const SpeculativeMemory*> memories;
  for (const auto& part : parts_) memories.push_back(&part->memory);
  Outcome outcome = Outcome::kKept;
  if (!by_byte && SpeculativeMemory::Mix(memories)) {
    outcome = Outcome::kMixed;
  } else if (queue.given_up || SpeculativeMemory::Meet(memories)) {
    outcome = Outcome::kDropped;
  } else {
    PutTogether(launch);
  }
  for (auto& part : parts_) {
    part->launch.reset();
    part->memory.End();
  }
  return outcome;
}

// Each part gets only its share of the budget, so that an endless kernel is soon left to one
// thread.
void ParallelRun::Start(const Launch& launch, bool by_byte, Queue& queue) {
  queue.blocks = launch.request->grid.Count();
  queue.threads = parts_.size();
  for (auto& part : parts_) {
    part->memory.Begin(*launch.memory, by_byte);
    part->given = part->budget = *launch.budget / parts_.size();
    Launch& one = part->launch.emplace(launch);
    one.options = &options_;
    part->uses.Clear();
    if (launch.uses != nullptr) one.uses = &part->uses;
    Observers observers;
    if (one.uses != nullptr) observers.push_back(one.uses);
    if (options_.shared_fills) observers.push_back(&part->shared_fills);
    part->checkers.Watch(one, observers);
    one.budget = &part->budget;
    one.part = &part->memory;
    one.given_up = &queue.given_up;
  }
}

void ParallelRun::RunPart(Launch& part, Queue& queue) {
  if (part.observers != nullptr) Tell(*part.observers, &Observer::OnLaunchBegin, part);
  try {
    RunBlocks(part, queue);
  } catch (const std::bad_alloc&) {
    queue.given_up = true;  // one thread needs less memory
  }
  if (part.stopped || !part.record.findings.empty()) queue.given_up = true;
  if (part.observers != nullptr) Tell(*part.observers, &Observer::OnLaunchEnd, part);
}

void ParallelRun::RunBlocks(Launch& part, Queue& queue) {
  Block block;
  SetUpBlock(part, block);
  BlockOrder order(part);
  std::uint64_t passed = 0;
  for (;;) {
    const Queue::Batch batch = queue.Take();
    if (batch.begin == batch.end) return;
    order.Skip(batch.begin - passed, block);
    passed = batch.end;
    for (std::uint64_t i = batch.begin; i < batch.end; ++i) {
      order.StartNext(block);
      // A block that does not run to its end waits for another one, or lets it draw first.
      if (RunBlock(block, kPatience) != TurnEnd::kEnded) part.LeaveToOneThread();
      if (part.stopped || !part.record.findings.empty() || queue.given_up) return;
    }
  }
}

void ParallelRun::PutTogether(Launch& launch) {
  team_->Run([&](unsigned i) { parts_[i]->memory.Merge(); });
  for (const auto& part : parts_) {
    for (const auto& [program, counts] : part->launch->counts) Add(launch.counts[program], counts);
    launch.executed += part->launch->executed;
    launch.shares.Add(part->launch->shares);
    launch.shared_taken += part->launch->shared_taken;
    if (launch.uses != nullptr) launch.uses->Add(part->uses);
    if (!part->launch->record.unseen.empty()) launch.record.unseen = part->launch->record.unseen;
    *launch.budget -= part->given - part->budget;
  }
}

void RunLaunch(Launch& launch, ParallelRun& parallel) {
  PrepareCounts(launch);
  if (parallel.Try(launch)) return;
  const GridWorkspace workspace(launch);
  launch.resident_blocks =
      ResidentBlocks(*launch.kernel, *launch.request, launch.hardware->properties);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnLaunchBegin, launch);
  // A kernel without instructions uses no budget, and does nothing.
  const std::uint64_t blocks =
      launch.kernel->entry().blocks.empty() ? 0 : launch.request->grid.Count();
  RunInTurns(launch, blocks);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnLaunchEnd, launch);
}

}  // namespace warpcheck::emulator
