#include "cudart/graphs/graph_table.h"

#include <algorithm>
#include <utility>

namespace warpcheck::cudart {

Graph& GraphTable::Create() {
  auto graph = std::make_shared<Graph>(reinterpret_cast<cudaGraph_t>(NextHandle()));
  Register(graph);
  return *graph;
}

void GraphTable::Register(const std::shared_ptr<Graph>& graph) {
  graphs_[graph->handle()] = graph;
  for (const auto& [handle, node] : graph->nodes()) {
    owners_[handle] = graph.get();
    if (const auto* const child = std::get_if<ChildNode>(&node.work)) Register(child->graph);
  }
}

void GraphTable::Unregister(const Graph& graph) {
  for (const auto& [handle, node] : graph.nodes()) {
    owners_.erase(handle);
    if (const auto* const child = std::get_if<ChildNode>(&node.work)) Unregister(*child->graph);
  }
  graphs_.erase(graph.handle());
}

Graph* GraphTable::Find(cudaGraph_t graph) {
  const auto found = graphs_.find(graph);
  return found == graphs_.end() ? nullptr : found->second.get();
}

Graph* GraphTable::OwnerOf(cudaGraphNode_t node) {
  const auto found = owners_.find(node);
  return found == owners_.end() ? nullptr : found->second;
}

Node* GraphTable::Find(cudaGraphNode_t node) {
  Graph* const owner = OwnerOf(node);
  return owner == nullptr ? nullptr : owner->Find(node);
}

bool GraphTable::Destroy(cudaGraph_t graph) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end() || found->second->child()) return false;
  const std::shared_ptr<Graph> kept = found->second;
  Unregister(*kept);
  return true;
}

Node& GraphTable::Add(Graph& graph, Node node) {
  node.handle = reinterpret_cast<cudaGraphNode_t>(NextHandle());
  Node& added = graph.Add(std::move(node));
  owners_[added.handle] = &graph;
  if (const auto* const child = std::get_if<ChildNode>(&added.work)) {
    child->graph->set_child();
    Register(child->graph);
  }
  return added;
}

void GraphTable::Remove(Graph& graph, cudaGraphNode_t node) {
  const Node* const found = graph.Find(node);
  if (found == nullptr) return;
  if (const auto* const child = std::get_if<ChildNode>(&found->work)) Unregister(*child->graph);
  owners_.erase(node);
  graph.Remove(node);
}

std::shared_ptr<Graph> GraphTable::Clone(const Graph& graph, bool is_new) {
  const Graph::NextHandle next = [this] { return NextHandle(); };
  std::shared_ptr<Graph> copy = graph.Copy(&next);
  if (is_new) Register(copy);
  return copy;
}

std::shared_ptr<GraphExec> GraphTable::AddExec(std::shared_ptr<GraphExec> exec) {
  exec->handle = reinterpret_cast<cudaGraphExec_t>(NextHandle());
  return execs_[exec->handle] = std::move(exec);
}

std::shared_ptr<GraphExec> GraphTable::Find(cudaGraphExec_t exec) const {
  const auto found = execs_.find(exec);
  return found == execs_.end() ? nullptr : found->second;
}

Node* GraphTable::Find(cudaGraphExec_t exec, cudaGraphNode_t node) const {
  const auto found = Find(exec);
  return found == nullptr ? nullptr : found->graph->FindWithin(node);
}

bool GraphTable::Destroy(cudaGraphExec_t exec) { return execs_.erase(exec) != 0; }

bool GraphTable::HasExecOf(cudaGraph_t graph) const {
  return std::ranges::any_of(execs_,
                             [=](const auto& entry) { return entry.second->source == graph; });
}

std::shared_ptr<GraphMemory> GraphTable::MemoryAt(const void* pointer) const {
  const auto found = memory_.find(pointer);
  return found == memory_.end() ? nullptr : found->second;
}

void GraphTable::AddMemory(const std::shared_ptr<GraphMemory>& memory) {
  memory_[memory->pointer] = memory;
  NoteUsed();
}

GraphTable::MemoryUsed GraphTable::Used() const {
  MemoryUsed used;
  for (const auto& [pointer, memory] : memory_) {
    used.reserved += memory->bytes;
    if (memory->live) used.live += memory->bytes;
  }
  return used;
}

void GraphTable::NoteUsed() {
  const MemoryUsed now = Used();
  most_used_.live = std::max(most_used_.live, now.live);
  most_used_.reserved = std::max(most_used_.reserved, now.reserved);
}

std::vector<void*> GraphTable::TakeUnusedMemory() {
  std::vector<void*> unused;
  std::erase_if(memory_, [&](const auto& entry) {
    const bool is_unused = entry.second.use_count() == 1 && !entry.second->live;
    if (is_unused) unused.push_back(entry.second->pointer);
    return is_unused;
  });
  return unused;
}

// Handles of the next device differ from those of the last one.
void GraphTable::Clear() {
  const std::uint64_t next = next_;
  *this = {};
  next_ = next;
  ForgetDestructors();
}

}  // namespace warpcheck::cudart
