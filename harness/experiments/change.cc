#include "experiments/change.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpcheck::experiments {
namespace {

struct Row {
  std::string_view name;
  std::string_view phrase;
};
constexpr Row kRows[] = {
#define EXPERIMENT(id, name, phrase, propose) {name, phrase},
#include "experiments/experiments.def"
#undef EXPERIMENT
};

// Calls visit(target) for each branch target in an operand.
template <class Visit>
void EachTarget(ptx::Operand& operand, Visit visit) {
  if (operand.kind == ptx::OperandKind::kLabel) visit(operand.target);
  for (ptx::Operand& element : operand.elements) EachTarget(element, visit);
}

// Makes the insertions of a function. A branch to an instruction goes to what is inserted before
// it.
void Insert(ptx::Function& function, std::vector<const Edit*> edits) {
  std::ranges::stable_sort(edits, {}, &Edit::at);
  std::vector<ptx::Instruction> body;
  std::vector<std::uint32_t> place(function.body.size() + 1);  // by old index
  auto next = edits.begin();
  for (std::uint32_t i = 0; i <= function.body.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(body.size());
    for (; next != edits.end() && (*next)->at == i; ++next) body.push_back((*next)->instruction);
    if (i < function.body.size()) body.push_back(std::move(function.body[i]));
  }
  for (ptx::Instruction& instruction : body) {
    for (ptx::Operand& operand : instruction.operands) {
      EachTarget(operand, [&](std::uint32_t& target) { target = place[target]; });
    }
  }
  function.body = std::move(body);
}

void Resize(std::uint32_t& size, std::uint32_t times, std::uint32_t more, std::uint32_t fewer) {
  size *= times;
  size = std::max<std::uint32_t>(1, size + more - std::min(size, fewer));
}

bool Fits(const Argument& argument, const std::vector<std::byte>& parameters) {
  return argument.offset + argument.bytes <= parameters.size();
}

void ChangeArguments(const LaunchChange& launch, std::vector<std::byte>& parameters) {
  if (launch.exchanged.size() == 2) {
    const Argument& first = launch.exchanged.front();
    const Argument& second = launch.exchanged.back();
    if (Fits(first, parameters) && Fits(second, parameters)) {
      std::byte* const all = parameters.data();
      std::swap_ranges(all + first.offset, all + first.offset + first.bytes, all + second.offset);
    }
  }
  std::uint32_t value = 0;
  if (launch.shifted && launch.shifted->bytes == sizeof(value) &&
      Fits(*launch.shifted, parameters)) {
    std::byte* const at = parameters.data() + launch.shifted->offset;
    std::memcpy(&value, at, sizeof(value));
    value += static_cast<std::uint32_t>(launch.shift);
    std::memcpy(at, &value, sizeof(value));
  }
}

}  // namespace

std::string_view Text(Kind kind) { return kRows[static_cast<std::size_t>(kind)].name; }
std::string_view Phrase(Kind kind) { return kRows[static_cast<std::size_t>(kind)].phrase; }

ptx::Module Changed(const ptx::Module& module, const Change& change) {
  ptx::Module changed = module;
  for (ptx::FunctionId id = 0; id < changed.functions.size(); ++id) {
    std::vector<const Edit*> insertions;
    bool is_changed = false;
    for (const Edit& edit : change.edits) {
      if (edit.module != &module || edit.function != id) continue;
      is_changed = true;
      if (edit.inserts) {
        insertions.push_back(&edit);
      } else {
        changed.functions[id].body[edit.at] = edit.instruction;
      }
    }
    if (is_changed) {
      changed.functions[id].registers.push_back({"%new_predicate", ptx::Type::kPred});
      changed.functions[id].registers.push_back({"%new_integer", ptx::Type::kB32});
    }
    if (!insertions.empty()) Insert(changed.functions[id], std::move(insertions));
  }
  return changed;
}

void ChangeLaunch(const Change& change, LaunchRequest& request) {
  if (!change.launch || change.launch->kernel != request.kernel) return;
  const LaunchChange& launch = *change.launch;
  for (const auto axis : {&Dim3::x, &Dim3::y, &Dim3::z}) {
    Resize(request.grid.*axis, launch.times_blocks.*axis, launch.more_blocks.*axis,
           launch.fewer_blocks.*axis);
    Resize(request.block.*axis, 1, launch.more_threads.*axis, launch.fewer_threads.*axis);
  }
  request.dynamic_shared_bytes *= launch.times_shared;
  ChangeArguments(launch, request.parameters);
  if (launch.turns_grid) std::swap(request.grid.x, request.grid.y);
  if (launch.turns_block) std::swap(request.block.x, request.block.y);
}

}  // namespace warpcheck::experiments
