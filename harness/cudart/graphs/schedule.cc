#include "cudart/graphs/schedule.h"

#include <map>
#include <set>
#include <utility>

namespace warpcheck::cudart {
namespace {

// Orders the nodes by their edges; those that are free to run keep the order of their creation.
std::optional<std::vector<const Node*>> Sorted(const Graph& graph) {
  std::map<cudaGraphNode_t, std::size_t> missing;
  std::map<cudaGraphNode_t, std::vector<cudaGraphNode_t>> later;
  std::set<cudaGraphNode_t> ready;
  for (const auto& [handle, node] : graph.nodes()) {
    missing[handle] = node.after.size();
    if (node.after.empty()) ready.insert(handle);
    for (const cudaGraphNode_t earlier : node.after) later[earlier].push_back(handle);
  }
  std::vector<const Node*> sorted;
  while (!ready.empty()) {
    const cudaGraphNode_t handle = *ready.begin();
    ready.erase(ready.begin());
    sorted.push_back(graph.Find(handle));
    for (const cudaGraphNode_t next : later[handle]) {
      if (--missing[next] == 0) ready.insert(next);
    }
  }
  if (sorted.size() != graph.nodes().size()) return std::nullopt;
  return sorted;
}

class Planner {
 public:
  // Adds the steps of a graph whose first nodes depend on `before`. Returns the steps that nothing
  // in this graph depends on; nothing if there is a cycle.
  std::optional<std::vector<std::size_t>> Plan(const Graph& graph,
                                               const std::vector<std::size_t>& before) {
    const auto sorted = Sorted(graph);
    if (!sorted) return std::nullopt;
    for (const Node* node : *sorted) {
      const auto* const kernel = std::get_if<KernelNode>(&node->work);
      if (kernel == nullptr || !kernel->programmatic || node->after.size() != 1) continue;
      continued_by_.try_emplace(node->after.front(), node);
    }
    std::map<cudaGraphNode_t, std::size_t> last;  // the step after which a node is finished
    for (const Node* node : *sorted) {
      std::vector<std::size_t> after;
      for (const cudaGraphNode_t earlier : node->after) after.push_back(last[earlier]);
      if (node->after.empty()) after = before;
      const auto* const child = std::get_if<ChildNode>(&node->work);
      last[node->handle] = AddStep(child == nullptr ? node : nullptr, after);
      if (child == nullptr) continue;
      const std::size_t begin = last[node->handle];
      auto leaves = Plan(*child->graph, {begin});
      if (!leaves) return std::nullopt;
      if (leaves->empty()) leaves->push_back(begin);
      last[node->handle] = AddStep(nullptr, *leaves);
    }
    std::vector<std::size_t> leaves;
    for (const cudaGraphNode_t leaf : graph.Leaves()) leaves.push_back(last[leaf]);
    return leaves;
  }

  Schedule Take() {
    for (std::size_t i = 0; i < schedule_.steps.size(); ++i) {
      Step& step = schedule_.steps[i];
      step.ends = !continued_.contains(i) && !step.awaited;
      step.awaited = step.awaited || step.ends;
    }
    return std::move(schedule_);
  }

 private:
  // A step continues the chain of the first step that it depends on and that no other step
  // continues yet. A programmatic launch continues the chain of the kernel before it, so that the
  // order knows which of the two it is.
  std::size_t AddStep(const Node* node, const std::vector<std::size_t>& after) {
    Step step{.node = node, .chain = schedule_.chains, .starts = after.empty()};
    bool continues = false;
    for (const std::size_t earlier : after) {
      if (!continues && MayContinue(earlier, node) && continued_.insert(earlier).second) {
        continues = true;
        step.chain = schedule_.steps[earlier].chain;
      } else {
        schedule_.steps[earlier].awaited = true;
        step.after.push_back(earlier);
      }
    }
    if (!continues) ++schedule_.chains;
    schedule_.steps.push_back(std::move(step));
    return schedule_.steps.size() - 1;
  }

  bool MayContinue(std::size_t earlier, const Node* node) const {
    const Node* const before = schedule_.steps[earlier].node;
    if (before == nullptr) return true;
    const auto found = continued_by_.find(before->handle);
    return found == continued_by_.end() || found->second == node;
  }

  Schedule schedule_;
  // Nodes whose chain one of their dependents has to continue.
  std::map<cudaGraphNode_t, const Node*> continued_by_;
  std::set<std::size_t> continued_;  // steps whose chain goes on
};

}  // namespace

std::optional<Schedule> ScheduleOf(const Graph& graph) {
  Planner planner;
  if (!planner.Plan(graph, {})) return std::nullopt;
  return planner.Take();
}

}  // namespace warpcheck::cudart
