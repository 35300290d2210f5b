#include "experiments/proposals.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "experiments/barriers.h"
#include "experiments/site.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::experiments {
namespace {

struct Proposer {
  Kind kind;
  void (*propose)(const Site& site, const Propose& propose);
};
constexpr Proposer kProposers[] = {
#define EXPERIMENT(id, name, phrase, propose) {Kind::k##id, propose},
#include "experiments/experiments.def"
#undef EXPERIMENT
};

// The place of an instruction in the source: its line, and its number among the instructions of its
// opcode that the line became.
using Place = std::tuple<SourceLocation, ptx::Opcode, std::uint32_t>;

// The proposals of one kind for one instruction come the likeliest first. So many of them are tried
// for every instruction before the further ones are.
constexpr std::uint32_t kFirst = 2;

// Collects changes; those of one place and one text are one change.
class Collector {
 public:
  // `rank` counts the proposals of this kind for the instruction.
  void Add(Kind kind, const Place& place, std::string text, std::uint32_t turn, std::uint32_t rank,
           Edit edit) {
    const auto [found, is_new] = index_.try_emplace({kind, place, text, turn}, changes_.size());
    if (is_new) {
      changes_.push_back({.kind = kind,
                          .where = std::get<SourceLocation>(place),
                          .text = std::move(text),
                          .edits = {},
                          .is_unlikely = rank >= kFirst});
    }
    changes_[found->second].edits.push_back(std::move(edit));
  }
  void Add(Change change) { changes_.push_back(std::move(change)); }
  std::vector<Change> Take() {
    std::ranges::stable_sort(
        changes_, {}, [](const Change& one) { return std::pair(one.is_unlikely, one.kind); });
    return std::move(changes_);
  }

 private:
  std::map<std::tuple<Kind, Place, std::string, std::uint32_t>, std::size_t> index_;
  std::vector<Change> changes_;
};

// Returns the instruction whose line an instruction belongs to: a constant that is moved to a
// register belongs to the first instruction that reads it, because the compiler moves constants
// early.
std::uint32_t Owner(const ptx::Function& function, std::uint32_t at) {
  const ptx::Instruction& one = function.body[at];
  if (one.opcode != ptx::Opcode::kMov || one.operands.size() != 2) return at;
  if (one.operands[1].kind != ptx::OperandKind::kImmediate) return at;
  for (std::uint32_t later = at + 1; later < function.body.size(); ++later) {
    bool reads = false;
    ptx::EachRead(function.body[later],
                  [&](ptx::RegisterId reg) { reads = reads || reg == one.operands[0].reg; });
    if (reads) return later;
  }
  return at;
}

void AddOfFunction(const ptx::Module& module, ptx::FunctionId id, const Scope& scope,
                   Collector& collector) {
  const ptx::Function& function = module.functions[id];
  const Meanings meanings = MeaningsOf(function);
  const std::vector<bool> addresses = AddressesOf(function);
  BarrierPlaces barriers(function);
  std::map<std::pair<SourceLocation, ptx::Opcode>, std::uint32_t> seen;
  std::map<SourceLocation, std::vector<std::uint32_t>> lines;
  for (std::uint32_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& one = function.body[at];
    SourceLocation where =
        module.Place(function.body[Owner(function, at)].location, scope.is_student_file);
    if (!where.known() || !scope.is_student_file(where.file) || !scope.ran(where)) continue;
    where.column = 0;
    lines[where].push_back(at);
    const Place place{where, one.opcode, seen[{where, one.opcode}]++};
    const Site site{.function = function, .at = at, .meanings = meanings, .addresses = addresses};
    for (const Proposer& row : kProposers) {
      if (row.propose == nullptr) continue;
      std::uint32_t rank = 0;
      std::map<std::string, std::uint32_t> turns;  // proposals with the same text are different
      row.propose(site, [&](std::string text, ptx::Instruction instead) {
        const std::uint32_t turn = turns[text]++;
        collector.Add(row.kind, place, std::move(text), turn, rank++,
                      {.module = &module,
                       .function = id,
                       .at = at,
                       .inserts = false,
                       .instruction = std::move(instead)});
      });
    }
    if (!scope.has_race) continue;
    for (const std::uint32_t before : barriers.After(at)) {
      collector.Add(Kind::kBarrier, place, "a __syncthreads() after it", before - at, 0,
                    {.module = &module,
                     .function = id,
                     .at = before,
                     .inserts = true,
                     .instruction = BarrierLike(one)});
    }
  }
  for (const auto& [where, line] : lines) {
    const auto add = [&](Kind kind, const std::string& text, std::vector<LineChange> all) {
      std::uint32_t turn = 0;
      for (LineChange& change : all) {
        for (auto& [at, instead] : change) {
          collector.Add(kind, {where, ptx::Opcode{}, 0}, text, turn, 0,
                        {.module = &module,
                         .function = id,
                         .at = at,
                         .inserts = false,
                         .instruction = std::move(instead)});
        }
        ++turn;
      }
    };
    add(Kind::kExchange, "two variables exchanged", ExchangesIn(function, line, meanings));
    add(Kind::kVariable, "another variable of this type", ReplacementsIn(function, line, meanings));
  }
}

void AddLaunches(const Scope& scope, Collector& collector) {
  for (const std::string& kernel : scope.kernels) {
    const auto add = [&](std::string text, LaunchChange launch) {
      launch.kernel = kernel;
      collector.Add({.kind = Kind::kLaunch,
                     .where = {},
                     .text = std::move(text),
                     .edits = {},
                     .launch = std::move(launch)});
    };
    add("one block more in x", {.kernel = {}, .more_blocks = {1, 0, 0}});
    add("one block more in y", {.kernel = {}, .more_blocks = {0, 1, 0}});
    add("one block more in z", {.kernel = {}, .more_blocks = {0, 0, 1}});
    add("more blocks in x", {.kernel = {}, .times_blocks = {2, 1, 1}});
    add("more blocks in y", {.kernel = {}, .times_blocks = {1, 2, 1}});
    add("more blocks in z", {.kernel = {}, .times_blocks = {1, 1, 2}});
    add("x and y of the grid exchanged", {.kernel = {}, .turns_grid = true});
    add("x and y of the block exchanged", {.kernel = {}, .turns_block = true});
    add("x and y of grid and block exchanged",
        {.kernel = {}, .turns_grid = true, .turns_block = true});
    add("one block less in x", {.kernel = {}, .fewer_blocks = {1, 0, 0}});
    add("one block less in y", {.kernel = {}, .fewer_blocks = {0, 1, 0}});
  }
}

}  // namespace

std::vector<Change> ChangesOf(const std::vector<std::shared_ptr<const ptx::Module>>& modules,
                              const Scope& scope) {
  Collector collector;
  for (const auto& module : modules) {
    for (ptx::FunctionId id = 0; id < module->functions.size(); ++id) {
      AddOfFunction(*module, id, scope, collector);
    }
  }
  AddLaunches(scope, collector);
  return collector.Take();
}

}  // namespace warpcheck::experiments
