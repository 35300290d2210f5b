#include "cudart/graphs/graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warpcheck::cudart {

Node& Graph::Add(Node node) {
  const cudaGraphNode_t handle = node.handle;
  return nodes_.insert_or_assign(handle, std::move(node)).first->second;
}

void Graph::Remove(cudaGraphNode_t handle) {
  nodes_.erase(handle);
  for (auto& [other, node] : nodes_) std::erase(node.after, handle);
}

const Node* Graph::Find(cudaGraphNode_t handle) const {
  const auto found = nodes_.find(handle);
  return found == nodes_.end() ? nullptr : &found->second;
}

Node* Graph::Find(cudaGraphNode_t handle) {
  return const_cast<Node*>(std::as_const(*this).Find(handle));
}

Node* Graph::FindWithin(cudaGraphNode_t handle) {
  if (Node* const node = Find(handle)) return node;
  for (auto& [other, node] : nodes_) {
    const auto* const child = std::get_if<ChildNode>(&node.work);
    Node* const found = child == nullptr ? nullptr : child->graph->FindWithin(handle);
    if (found != nullptr) return found;
  }
  return nullptr;
}

bool Graph::HasAll(const std::vector<cudaGraphNode_t>& handles) const {
  const std::set<cudaGraphNode_t> different(handles.begin(), handles.end());
  return different.size() == handles.size() &&
         std::ranges::all_of(handles, [&](cudaGraphNode_t one) { return nodes_.contains(one); });
}

bool Graph::IsBefore(cudaGraphNode_t node, const std::vector<cudaGraphNode_t>& from) const {
  std::set<cudaGraphNode_t> seen;
  std::vector<cudaGraphNode_t> open = from;
  while (!open.empty()) {
    const cudaGraphNode_t at = open.back();
    open.pop_back();
    if (at == node) return true;
    const Node* const found = seen.insert(at).second ? Find(at) : nullptr;
    if (found != nullptr) open.insert(open.end(), found->after.begin(), found->after.end());
  }
  return false;
}

std::vector<cudaGraphNode_t> Graph::Leaves() const {
  std::set<cudaGraphNode_t> inner;
  for (const auto& [handle, node] : nodes_) inner.insert(node.after.begin(), node.after.end());
  std::vector<cudaGraphNode_t> leaves;
  for (const auto& [handle, node] : nodes_) {
    if (!inner.contains(handle)) leaves.push_back(handle);
  }
  return leaves;
}

std::vector<cudaGraphNode_t> Graph::After(cudaGraphNode_t handle) const {
  std::vector<cudaGraphNode_t> dependent;
  for (const auto& [other, node] : nodes_) {
    if (std::ranges::find(node.after, handle) != node.after.end()) dependent.push_back(other);
  }
  return dependent;
}

bool Graph::HasMemoryNodes() const {
  return std::ranges::any_of(nodes_, [](const auto& entry) {
    const Work& work = entry.second.work;
    const auto* const child = std::get_if<ChildNode>(&work);
    return std::holds_alternative<AllocNode>(work) || std::holds_alternative<FreeNode>(work) ||
           (child != nullptr && child->graph->HasMemoryNodes());
  });
}

std::unique_ptr<Graph> Graph::Copy(const NextHandle* next) const {
  const auto fresh = [&] { return (*next)(); };
  auto copy =
      std::make_unique<Graph>(next == nullptr ? handle_ : reinterpret_cast<cudaGraph_t>(fresh()));
  copy->child_ = child_;
  copy->objects_ = objects_;
  std::map<cudaGraphNode_t, cudaGraphNode_t> renamed;
  for (const auto& [handle, node] : nodes_) {
    Node& other = copy->Add(node);
    if (const auto* const child = std::get_if<ChildNode>(&node.work)) {
      other.work = ChildNode{child->graph->Copy(next)};
    }
    if (next == nullptr) continue;
    other.handle = reinterpret_cast<cudaGraphNode_t>(fresh());
    other.original = handle;
    renamed[handle] = other.handle;
  }
  if (next == nullptr) return copy;
  Nodes nodes;
  for (auto& [handle, node] : copy->nodes_) {
    for (cudaGraphNode_t& earlier : node.after) earlier = renamed[earlier];
    nodes.emplace(node.handle, std::move(node));
  }
  copy->nodes_ = std::move(nodes);
  return copy;
}

}  // namespace warpcheck::cudart
