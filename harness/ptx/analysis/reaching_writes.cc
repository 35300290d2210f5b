#include "ptx/analysis/reaching_writes.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::ptx {

ReachingWrites::ReachingWrites(const Function& function)
    : function_(function), ways_in_(function.body.size() + 1) {
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    EachWrite(instruction, [&](RegisterId reg) { writers_[reg].push_back(i); });
    for (const std::uint32_t target : BranchTargets(instruction)) ways_in_[target].push_back(i);
    if (!LeavesHere(instruction.opcode) || instruction.guard) ways_in_[i + 1].push_back(i);
  }
}

std::vector<std::size_t> ReachingWrites::Of(RegisterId reg, std::size_t at,
                                            std::size_t* work) const {
  const auto all = writers_.find(reg);
  if (all == writers_.end()) return {};
  if (all->second.size() == 1) return all->second;
  std::vector<std::size_t> found;
  std::set<std::size_t> seen;
  std::vector<std::size_t> next = ways_in_[at];
  while (!next.empty() && *work > 0) {
    const std::size_t i = next.back();
    next.pop_back();
    if (!seen.insert(i).second) continue;
    --*work;
    const bool writes = std::ranges::binary_search(all->second, i);
    if (writes) found.push_back(i);
    if (writes && !function_.body[i].guard) continue;
    next.insert(next.end(), ways_in_[i].begin(), ways_in_[i].end());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace warpcheck::ptx
