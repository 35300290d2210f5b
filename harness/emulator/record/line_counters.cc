#include "emulator/record/line_counters.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/record/polls.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using Values = std::array<std::uint64_t, kCounterCount>;
using Lines = std::map<SourceLocation, Values>;
// The counters of global memory, by the address at which an allocation begins.
using Arrays = std::map<DeviceAddress, Lines>;
using Tallies = std::array<Tally, kTallies>;            // by TallyOf
using Polls = std::map<SourceLocation, std::uint64_t>;  // the type of LineCounters::polls

std::uint64_t& At(Values& values, Counter counter) {
  return values[static_cast<std::size_t>(counter)];
}

// Returns true if a GPU executes the atomic as one with a result. It does this for exchanges even
// if the result is not used, because no reduction exchanges.
bool GivesResult(const Program& program, const MemoryInfo& info) {
  const ptx::Atomic atomic = program.function->body[info.instruction].modifiers.atomic;
  return info.kind == MemoryInfo::Kind::kAtomic || atomic == ptx::Atomic::kExch ||
         atomic == ptx::Atomic::kCas;
}

std::uint64_t IdleLanes(const Tally& tally) { return kLanes * tally.requests - tally.lanes; }

// Adds what a whole instruction counts (TallyOf::kOther).
void AddOther(Values& values, const ptx::Instruction& instruction, const MemoryInfo& info,
              const Tally& other) {
  switch (info.counting) {
    case Counting::kTexture: {
      const bool surface = IsOneOf(instruction.opcode, ptx::Opcode::kSuld, ptx::Opcode::kSust);
      At(values, surface ? Counter::kSurfaceRequests : Counter::kTextureRequests) += other.requests;
      break;
    }
    case Counting::kQuery:
      At(values, Counter::kQueryRequests) += other.requests;
      break;
    case Counting::kBarrier:
      At(values, Counter::kMbarrierRequests) += other.requests;
      At(values, Counter::kMbarrierPasses) += other.cost;
      break;
    case Counting::kBulk:
      At(values, Counter::kBulkCopyRequests) += other.requests;
      At(values, Counter::kBulkCopyBytes) += other.bytes;
      break;
    case Counting::kHint:
      At(values, Counter::kCacheHintRequests) += other.requests;
      break;
    case Counting::kAccess:  // these count by memory
    case Counting::kMatrixRows:
    case Counting::kCopy:
    case Counting::kOperand:
      break;
  }
}

// Adds the counts of loads of read-only data, which are also loads of global memory.
void AddReadOnly(Values& values, const ptx::Instruction& instruction, const Tally& global) {
  if (instruction.opcode != ptx::Opcode::kLd || !instruction.modifiers.suffixes.Has("nc")) return;
  At(values, Counter::kReadOnlyRequests) += global.requests;
  At(values, Counter::kReadOnlySectors) += global.cost;
}

void AddTallies(Values& values, const Program& program, const MemoryInfo& info,
                const Tallies& tallies) {
  const Tally& global = tallies[static_cast<std::size_t>(TallyOf::kGlobal)];
  const Tally& shared = tallies[static_cast<std::size_t>(TallyOf::kShared)];
  const Tally& constant = tallies[static_cast<std::size_t>(TallyOf::kConstant)];
  const Tally& local = tallies[static_cast<std::size_t>(TallyOf::kLocal)];
  const ptx::Instruction& instruction = program.function->body[info.instruction];
  AddOther(values, instruction, info, tallies[static_cast<std::size_t>(TallyOf::kOther)]);
  At(values, Counter::kConstantRequests) += constant.requests;
  At(values, Counter::kConstantPasses) += constant.cost;
  At(values, Counter::kLocalSectors) += local.cost;
  // A store counts where its value is loaded again: printf() gets its arguments in local memory,
  // and nothing else stores there what nobody loads.
  if (info.kind == MemoryInfo::Kind::kLoad) At(values, Counter::kLocalArraySectors) += local.cost;
  AddReadOnly(values, instruction, global);
  At(values, Counter::kGlobalSectors) += global.cost;
  At(values, Counter::kGlobalSectorsIdeal) += global.ideal;
  At(values, Counter::kGlobalBytes) += GlobalBytes(info, global);
  At(values, Counter::kSharedWavefronts) += shared.cost;
  At(values, Counter::kSharedWavefrontsIdeal) += shared.ideal;
  At(values, Counter::kGlobalInstructions) += global.requests;
  if (info.counting ==
      Counting::kCopy) {  // counts as a load, without requests or lanes of global or shared memory
    At(values, Counter::kAsyncCopyIdleLanes) += IdleLanes(shared);
    At(values, Counter::kAsyncCopyRequests) += shared.requests;
    At(values, Counter::kGlobalLoadSectors) += global.cost;
    At(values, Counter::kGlobalLoadBytes) += global.lanes * info.bytes;
    return;
  }
  At(values, Counter::kGlobalRequests) += global.requests;
  At(values, Counter::kGlobalLanes) += global.lanes;
  At(values, Counter::kSharedRequests) += shared.requests;
  At(values, Counter::kSharedLanes) += shared.lanes;
  // Atomics and matrix moves count in all of these counters. They count neither as loads
  // nor as stores.
  if (info.counting != Counting::kAccess && info.counting != Counting::kTexture) return;
  if (info.kind == MemoryInfo::Kind::kLoad) {
    At(values, Counter::kGlobalLoadRequests) += global.requests;
    At(values, Counter::kGlobalLoadSectors) += global.cost;
    At(values, Counter::kGlobalLoadBytes) += GlobalBytes(info, global);
    if (info.counting == Counting::kTexture) At(values, Counter::kTextureSectors) += global.cost;
    At(values, Counter::kSharedLoadRequests) += shared.requests;
  } else if (info.kind == MemoryInfo::Kind::kStore) {
    At(values, Counter::kGlobalStoreRequests) += global.requests;
    At(values, Counter::kGlobalStoreSectors) += global.cost;
    At(values, Counter::kSharedStoreRequests) += shared.requests;
  } else {
    At(values, Counter::kSharedAtomicRequests) += shared.requests;
    At(values, Counter::kSharedAtomicLanes) += shared.lanes;
    if (!GivesResult(program, info)) {
      At(values, Counter::kGlobalReductionRequests) += global.requests;
      At(values, Counter::kGlobalReductionLanes) += global.lanes;
      return;
    }
    At(values, Counter::kGlobalAtomicRequests) += global.requests;
    At(values, Counter::kGlobalAtomicLanes) += global.lanes;
    At(values, Counter::kGlobalAtomicSectors) += global.cost;
    At(values, Counter::kGlobalAtomicBytes) += global.lanes * info.bytes;
  }
}

// Returns the lines of the allocation that begins there. If there are too many allocations, the
// further ones share the lines of other places.
Lines& LinesOf(Arrays& arrays, DeviceAddress begin) {
  const bool full = arrays.size() >= LaunchRecord::kMostArrays && !arrays.contains(begin);
  return arrays[full ? 0 : begin];
}

// Adds the counts of an instruction to its line, and to the line of each allocation.
void AddSite(Lines::value_type& line, Arrays& arrays, const Program& program,
             const MemoryInfo& info, const MemorySite& site) {
  Tallies tallies = site.tallies;
  Tally& global = tallies[static_cast<std::size_t>(TallyOf::kGlobal)];
  global = site.Global();
  AddTallies(line.second, program, info, tallies);
  tallies = {};
  for (const AllocationTally& allocation : site.allocations) {
    global = allocation.alone;
    global += allocation.shared;
    AddTallies(LinesOf(arrays, allocation.begin)[line.first], program, info, tallies);
  }
}

void AddProgram(const Launch& launch, const Program& program, const Launch::Counts& counts,
                Lines& lines, Arrays& arrays, Polls& polls) {
  std::vector<Lines::value_type*> line_of(program.steps.size());
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
    SourceLocation place = PlaceOf(launch, program, i);
    if (lines.size() >= kMostLines && !lines.contains(place)) place = {};
    line_of[i] = &*lines.try_emplace(std::move(place)).first;
  }
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const CodeBlock& code = program.blocks[b];
    const BlockStats& stats = counts.blocks[b];
    for (std::uint32_t i = code.first; i < code.first + code.instructions; ++i) {
      At(line_of[i]->second, Counter::kWarpInstructions) += stats.executions;
      At(line_of[i]->second, Counter::kThreadInstructions) += stats.lanes;
    }
    if (code.ending != Ending::kFall) {
      At(line_of[code.last]->second, Counter::kBranchesDivergent) += stats.divergent;
      At(line_of[code.last]->second, Counter::kBranchesUniform) += stats.uniform;
    }
  }
  const std::vector<bool> polling = PollsOf(program);
  for (std::size_t m = 0; m < program.memory.size(); ++m) {
    const MemoryInfo& info = program.memory[m];
    AddSite(*line_of[info.instruction], arrays, program, info, counts.sites[m]);
    if (!polling[info.instruction]) continue;
    for (const TallyOf of : {TallyOf::kGlobal, TallyOf::kShared}) {
      polls[PlaceOf(launch, program, info.instruction)] +=
          counts.sites[m].tallies[static_cast<std::size_t>(of)].requests;
    }
  }
}

// Sorts the examples, the worst first, and keeps kMostExamples of each memory.
void Trim(std::vector<AccessExample>& examples) {
  std::ranges::sort(examples, [](const AccessExample& a, const AccessExample& b) {
    return a.memory != b.memory ? a.memory < b.memory : IsWorse(a, b);
  });
  examples.erase(std::unique(examples.begin(), examples.end()), examples.end());
  std::array<std::size_t, 2> kept = {};
  std::erase_if(examples, [&](const AccessExample& example) {
    return ++kept[static_cast<std::size_t>(example.memory)] > LineCounters::kMostExamples;
  });
}

// Examples of accesses, by line.
using Examples = std::map<SourceLocation, std::vector<AccessExample>>;

// Gives each line its examples.
void GiveExamples(Examples& examples, std::vector<LineCounters>& lines) {
  for (LineCounters& line : lines) {
    const auto found = examples.find(line.where);
    if (found == examples.end()) continue;
    Trim(found->second);
    line.examples = std::move(found->second);
  }
}

// Adds the examples of its instructions to each line, and to the lines of each allocation. If any
// access to shared memory has bank conflicts, keeps all examples of shared memory, because a hint
// for one access must not make another worse.
void AddExamples(Launch& launch) {
  Examples examples;
  std::map<DeviceAddress, Examples> of_arrays;
  bool conflicts = false;
  for (const auto& [program, counts] : launch.counts) {
    for (std::size_t m = 0; m < program->memory.size(); ++m) {
      const MemorySite& site = counts.sites[m];
      for (const auto& worst : site.worst) {
        if (!worst) continue;
        const SourceLocation place = PlaceOf(launch, *program, program->memory[m].instruction);
        examples[place].push_back(*worst);
        const bool shared = worst->memory == AccessExample::Memory::kShared;
        conflicts = conflicts || (shared && worst->Excess() > 0);
        if (shared) continue;
        for (const AllocationTally& allocation : site.allocations) {
          of_arrays[allocation.begin][place].push_back(*worst);
        }
      }
    }
  }
  if (!conflicts) {
    for (auto& [place, of_line] : examples) {
      std::erase_if(of_line, [](const AccessExample& example) {
        return example.memory == AccessExample::Memory::kShared;
      });
    }
  }
  GiveExamples(examples, launch.record.lines);
  if (!launch.record.arrays) return;
  for (ArrayCounters& array : *launch.record.arrays) {
    GiveExamples(of_arrays[array.begin], array.lines);
  }
}

// Returns the lines with any count, sorted by place.
std::vector<LineCounters> RecordOf(const Lines& lines) {
  std::vector<LineCounters> record;
  for (const auto& [where, values] : lines) {
    if (std::ranges::count(values, 0U) == std::ssize(values)) continue;
    LineCounters line;
    line.where = where;
    for (std::size_t c = 0; c < kCounterCount; ++c) {
      line.counters.Set(static_cast<Counter>(c), values[c]);
    }
    line.counters.Clear(Counter::kBusiestBlockBytes);
    line.counters.Clear(Counter::kSharedBytesTaken);
    record.push_back(std::move(line));
  }
  return record;
}

}  // namespace

void FoldCounters(Launch& launch) {
  Lines lines;
  Arrays arrays;
  Polls polls;
  for (const auto& [program, counts] : launch.counts) {
    AddProgram(launch, *program, counts, lines, arrays, polls);
  }
  launch.record.lines = RecordOf(lines);
  for (LineCounters& line : launch.record.lines) {
    if (const auto found = polls.find(line.where); found != polls.end()) line.polls = found->second;
  }
  if (launch.options->by_allocation) {
    launch.record.arrays.emplace();
    for (const auto& [begin, its_lines] : arrays) {
      launch.record.arrays->push_back({.begin = begin, .lines = RecordOf(its_lines)});
    }
  }
  AddExamples(launch);
  Values totals = {};
  for (const auto& [where, values] : lines) {
    for (std::size_t c = 0; c < kCounterCount; ++c) totals[c] += values[c];
  }
  At(totals, Counter::kBusiestBlockBytes) = launch.shares.Busiest();
  At(totals, Counter::kSharedBytesTaken) = launch.shared_taken;
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    launch.record.counters.Set(static_cast<Counter>(c), totals[c]);
  }
  if (!launch.options->shared_fills) launch.record.counters.Clear(Counter::kSharedBytesTaken);
}

}  // namespace warpcheck::emulator
