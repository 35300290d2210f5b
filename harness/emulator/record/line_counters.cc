#include "emulator/record/line_counters.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using Values = std::array<std::uint64_t, kCounterCount>;
using Lines = std::map<SourceLocation, Values>;
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

// Returns the bytes that lanes loaded, stored or updated; the bytes of every lane count.
std::uint64_t GlobalBytes(const MemoryInfo& info, const Tally& global) {
  return info.counting == Counting::kTexture ? global.bytes : global.lanes * info.bytes;
}

// Adds the counts of constant memory, or of textures and surfaces, or of local memory: an
// instruction has one of them.
void AddOther(Values& values, const ptx::Instruction& instruction, const MemoryInfo& info,
              const Tally& other) {
  if (info.space == ptx::Space::kConst) {
    At(values, Counter::kConstantRequests) += other.requests;
    At(values, Counter::kConstantPasses) += other.cost;
  } else if (info.counting == Counting::kTexture) {
    const bool surface = IsOneOf(instruction.opcode, ptx::Opcode::kSuld, ptx::Opcode::kSust);
    At(values, surface ? Counter::kSurfaceRequests : Counter::kTextureRequests) += other.requests;
  } else {
    At(values, Counter::kLocalSectors) += other.cost;
  }
}

// Adds the counts of loads of read-only data, which are also loads of global memory.
void AddReadOnly(Values& values, const ptx::Instruction& instruction, const Tally& global) {
  if (instruction.opcode != ptx::Opcode::kLd || !instruction.modifiers.suffixes.Has("nc")) return;
  At(values, Counter::kReadOnlyRequests) += global.requests;
  At(values, Counter::kReadOnlySectors) += global.cost;
}

void AddTallies(Values& values, const Program& program, const MemoryInfo& info,
                const MemorySite& site) {
  const Tally& global = site.tallies[static_cast<std::size_t>(TallyOf::kGlobal)];
  const Tally& shared = site.tallies[static_cast<std::size_t>(TallyOf::kShared)];
  const ptx::Instruction& instruction = program.function->body[info.instruction];
  AddOther(values, instruction, info, site.tallies[static_cast<std::size_t>(TallyOf::kOther)]);
  AddReadOnly(values, instruction, global);
  At(values, Counter::kGlobalSectors) += global.cost;
  At(values, Counter::kGlobalSectorsIdeal) += global.ideal;
  At(values, Counter::kGlobalBytes) += GlobalBytes(info, global);
  At(values, Counter::kSharedWavefronts) += shared.cost;
  At(values, Counter::kSharedWavefrontsIdeal) += shared.ideal;
  if (info.counting ==
      Counting::kCopy) {  // counts as a load, without requests or lanes of global or shared memory
    At(values, Counter::kAsyncCopyRequests) += shared.requests;
    At(values, Counter::kGlobalLoadSectors) += global.cost;
    At(values, Counter::kGlobalLoadBytes) += global.lanes * info.bytes;
    return;
  }
  At(values, Counter::kGlobalRequests) += global.requests;
  At(values, Counter::kGlobalLanes) += global.lanes;
  At(values, Counter::kSharedRequests) += shared.requests;
  At(values, Counter::kSharedLanes) += shared.lanes;
  // Atomics, mbarriers and matrix moves count in all of these counters, but are neither loads nor
  // stores.
  if (info.counting != Counting::kAccess && info.counting != Counting::kTexture) return;
  if (info.kind == MemoryInfo::Kind::kLoad) {
    At(values, Counter::kGlobalLoadRequests) += global.requests;
    At(values, Counter::kGlobalLoadSectors) += global.cost;
    At(values, Counter::kGlobalLoadBytes) += GlobalBytes(info, global);
    At(values, Counter::kSharedLoadRequests) += shared.requests;
  } else if (info.kind == MemoryInfo::Kind::kStore) {
    At(values, Counter::kGlobalStoreRequests) += global.requests;
    At(values, Counter::kGlobalStoreSectors) += global.cost;
    At(values, Counter::kSharedStoreRequests) += shared.requests;
  } else {
    At(values, Counter::kSharedAtomicRequests) += shared.requests;
    if (!GivesResult(program, info)) {
      At(values, Counter::kGlobalReductionRequests) += global.requests;
      return;
    }
    At(values, Counter::kGlobalAtomicRequests) += global.requests;
    At(values, Counter::kGlobalAtomicSectors) += global.cost;
    At(values, Counter::kGlobalAtomicBytes) += global.lanes * info.bytes;
  }
}

// Returns true if the access signals other threads, or waits for them, in a library function that
// the student's code calls.
bool IsOfAWait(const Launch& launch, const Program& program, const MemoryInfo& info) {
  if (info.order == MemoryOrder::kWeak) return false;
  const ptx::Module& module = *launch.kernel->module;
  const ptx::LocationId at = program.function->body[info.instruction].location;
  return at != 0 && module.locations[at].inlined_at != 0 &&
         !launch.options->is_student_file(module.files[module.locations[at].file]);
}

void AddProgram(const Launch& launch, const Program& program, const Launch::Counts& counts,
                Lines& lines, Polls& polls) {
  std::vector<Values*> line_of(program.steps.size());
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
    SourceLocation place = PlaceOf(launch, program, i);
    if (lines.size() >= kMostLines && !lines.contains(place)) place = {};
    line_of[i] = &lines[std::move(place)];
  }
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const CodeBlock& code = program.blocks[b];
    const BlockStats& stats = counts.blocks[b];
    for (std::uint32_t i = code.first; i < code.first + code.instructions; ++i) {
      At(*line_of[i], Counter::kWarpInstructions) += stats.executions;
      At(*line_of[i], Counter::kThreadInstructions) += stats.lanes;
    }
    if (code.ending != Ending::kFall) {
      At(*line_of[code.last], Counter::kBranchesDivergent) += stats.divergent;
      At(*line_of[code.last], Counter::kBranchesUniform) += stats.uniform;
    }
  }
  for (std::size_t m = 0; m < program.memory.size(); ++m) {
    const MemoryInfo& info = program.memory[m];
    AddTallies(*line_of[info.instruction], program, info, counts.sites[m]);
    if (!IsOfAWait(launch, program, info)) continue;
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

// Adds the examples of its instructions to each line. If any access to shared memory has bank
// conflicts, keeps all examples of shared memory, because a hint for one access must not make
// another worse.
void AddExamples(Launch& launch) {
  std::map<SourceLocation, std::vector<AccessExample>> examples;
  bool conflicts = false;
  for (const auto& [program, counts] : launch.counts) {
    for (std::size_t m = 0; m < program->memory.size(); ++m) {
      for (const auto& worst : counts.sites[m].worst) {
        if (!worst) continue;
        examples[PlaceOf(launch, *program, program->memory[m].instruction)].push_back(*worst);
        const bool shared = worst->memory == AccessExample::Memory::kShared;
        conflicts = conflicts || (shared && worst->Excess() > 0);
      }
    }
  }
  for (LineCounters& line : launch.record.lines) {
    const auto found = examples.find(line.where);
    if (found == examples.end()) continue;
    if (!conflicts) {
      std::erase_if(found->second, [](const AccessExample& example) {
        return example.memory == AccessExample::Memory::kShared;
      });
    }
    Trim(found->second);
    line.examples = std::move(found->second);
  }
}

}  // namespace

void FoldCounters(Launch& launch) {
  Lines lines;
  Polls polls;
  for (const auto& [program, counts] : launch.counts) {
    AddProgram(launch, *program, counts, lines, polls);
  }
  Values totals = {};
  for (const auto& [where, values] : lines) {
    LineCounters line;
    line.where = where;
    if (const auto found = polls.find(where); found != polls.end()) line.polls = found->second;
    bool any = false;
    for (std::size_t c = 0; c < kCounterCount; ++c) {
      line.counters.Set(static_cast<Counter>(c), values[c]);
      totals[c] += values[c];
      any = any || values[c] != 0;
    }
    if (any) launch.record.lines.push_back(std::move(line));
  }
  AddExamples(launch);
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    launch.record.counters.Set(static_cast<Counter>(c), totals[c]);
  }
}

}  // namespace warpcheck::emulator
