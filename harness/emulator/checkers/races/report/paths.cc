#include "emulator/checkers/races/report/paths.h"

#include <vector>

#include "ptx/analysis/branches.h"

namespace warpcheck::emulator {

bool HasPath(const Program& program, std::uint32_t from, std::uint32_t to,
             bool (*stops)(const ptx::Instruction&)) {
  const auto& body = program.function->body;
  std::vector<bool> seen(body.size());
  std::vector<std::uint32_t> open;
  const auto go_to = [&](std::uint32_t next) {
    if (next >= body.size() || seen[next]) return;
    seen[next] = true;
    open.push_back(next);
  };
  const auto leave = [&](std::uint32_t at) {
    const ptx::Instruction& one = body[at];
    if (ptx::IsBranch(one.opcode)) {
      for (const std::uint32_t target : ptx::BranchTargets(one)) go_to(target);
    }
    if (!ptx::LeavesHere(one.opcode) || one.guard) go_to(at + 1);
  };
  leave(from);
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (at == to) return true;
    if (!stops(body[at])) leave(at);
  }
  return false;
}

}  // namespace warpcheck::emulator
