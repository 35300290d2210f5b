#include "experiments/proposals.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "experiments/barriers.h"
#include "experiments/missing_guards.h"
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
// early. A value that is moved to a variable belongs to the instruction before that computed it.
std::uint32_t Owner(const ptx::Function& function, std::uint32_t at) {
  const ptx::Instruction& one = function.body[at];
  if (one.opcode != ptx::Opcode::kMov || one.operands.size() != 2) return at;
  if (one.operands[1].kind == ptx::OperandKind::kRegister) {
    for (std::uint32_t before = at; before-- > 0;) {
      bool writes = false;
      ptx::EachWrite(function.body[before],
                     [&](ptx::RegisterId reg) { writes = writes || reg == one.operands[1].reg; });
      if (writes) return before;
    }
  }
  if (one.operands[1].kind != ptx::OperandKind::kImmediate) return at;
  for (std::uint32_t later = at + 1; later < function.body.size(); ++later) {
    bool reads = false;
    ptx::EachRead(function.body[later],
                  [&](ptx::RegisterId reg) { reads = reads || reg == one.operands[0].reg; });
    if (reads) return later;
  }
  return at;
}

void AddGuards(const ptx::Module& module, ptx::FunctionId id, const Meanings& meanings,
               const Scope& scope, Collector& collector) {
  const ptx::Function& function = module.functions[id];
  for (MissingGuard& guard : MissingGuardsOf(module, function, meanings)) {
    SourceLocation where = module.Place(function.body[guard.owner].location, scope.is_student_file);
    if (!where.known() || !scope.is_student_file(where.file) || !scope.ran(where)) continue;
    where.column = 0;
    Change change{.kind = Kind::kMissingGuard,
                  .where = where,
                  .text = "threads end whose place is not below a size, after the place",
                  .edits = {}};
    for (ptx::Instruction& one : guard.instructions) {
      change.edits.push_back({.module = &module,
                              .function = id,
                              .at = guard.after + 1,
                              .inserts = true,
                              .instruction = std::move(one)});
    }
    collector.Add(std::move(change));
  }
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
  AddGuards(module, id, meanings, scope, collector);
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

// Returns the integers of 4 bytes and the pointers among the parameters of a kernel, in order;
// empty if no module has it.
std::vector<Argument> ArgumentsOf(const std::vector<std::shared_ptr<const ptx::Module>>& modules,
                                  const std::string& kernel) {
  std::vector<Argument> arguments;
  for (const auto& module : modules) {
    for (const ptx::Function& function : module->functions) {
      if (!function.is_entry || function.name != kernel) continue;
      for (const ptx::SymbolId id : function.parameters) {
        const ptx::Symbol& symbol = module->symbols[id];
        if (ptx::IsFloat(symbol.type) || (symbol.bytes != 4 && symbol.bytes != 8)) continue;
        arguments.push_back({symbol.param_offset, symbol.bytes});
      }
      return arguments;
    }
  }
  return arguments;
}

template <class Add>
void AddArguments(const std::vector<Argument>& arguments, Add add) {
  for (std::size_t first = 0; first < arguments.size(); ++first) {
    for (std::size_t second = first + 1; second < arguments.size(); ++second) {
      if (arguments[first].bytes != arguments[second].bytes) continue;
      add("two arguments exchanged",
          LaunchChange{.kernel = {}, .exchanged = {arguments[first], arguments[second]}});
    }
  }
  for (const Argument& argument : arguments) {
    if (argument.bytes != 4) continue;
    for (const std::int32_t shift : {1, -1}) {
      add(shift > 0 ? "an argument that is larger by 1" : "an argument that is smaller by 1",
          LaunchChange{.kernel = {}, .shifted = argument, .shift = shift});
    }
  }
}

void AddLaunches(const std::vector<std::shared_ptr<const ptx::Module>>& modules, const Scope& scope,
                 Collector& collector) {
  for (const std::string& kernel : scope.kernels) {
    const auto add_kind = [&](Kind kind, std::string text, LaunchChange launch) {
      launch.kernel = kernel;
      const bool is_unlikely = launch.shifted.has_value();
      collector.Add({.kind = kind,
                     .where = {},
                     .text = std::move(text),
                     .edits = {},
                     .launch = std::move(launch),
                     .is_unlikely = is_unlikely});
    };
    const auto add = [&](std::string text, LaunchChange launch) {
      add_kind(Kind::kLaunch, std::move(text), std::move(launch));
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
    add("one thread more in x", {.kernel = {}, .more_threads = {1, 0, 0}});
    add("one thread more in y", {.kernel = {}, .more_threads = {0, 1, 0}});
    add("one thread less in x", {.kernel = {}, .fewer_threads = {1, 0, 0}});
    add("one thread less in y", {.kernel = {}, .fewer_threads = {0, 1, 0}});
    AddArguments(ArgumentsOf(modules, kernel), [&](std::string text, LaunchChange launch) {
      add_kind(Kind::kArgument, std::move(text), std::move(launch));
    });
    for (const std::uint64_t times : {2U, 4U, 8U}) {
      add_kind(Kind::kSharedSize, "more dynamic shared memory",
               {.kernel = {}, .times_shared = times});
    }
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
  AddLaunches(modules, scope, collector);
  return collector.Take();
}

}  // namespace warpcheck::experiments
