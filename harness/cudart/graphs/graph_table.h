// The GraphTable holds the graphs of a program, and the executable graphs that were made from them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cudart/graphs/graph.h"
#include "cudart/graphs/graph_order.h"
#include "cudart/graphs/schedule.h"

namespace warpcheck::cudart {

// An executable graph: a copy of a graph, whose nodes have the handles of the original's.
struct GraphExec {
  cudaGraphExec_t handle = nullptr;
  cudaGraph_t source = nullptr;  // the graph that was copied to make this one
  unsigned long long flags = 0;
  std::unique_ptr<Graph> graph;
  Schedule schedule;  // of `graph`
  GraphOrder order;
};

class GraphTable {
 public:
  Graph& Create();
  // Returns nullptr for a handle that was destroyed or never existed.
  Graph* Find(cudaGraph_t graph);
  // Returns the graph that has the node, or nullptr.
  Graph* OwnerOf(cudaGraphNode_t node);
  Node* Find(cudaGraphNode_t node);
  // Returns false if there is no such graph, or a node owns it.
  bool Destroy(cudaGraph_t graph);

  // Adds a node to a graph of this table. A child graph becomes the table's as well.
  Node& Add(Graph& graph, Node node);
  void Remove(Graph& graph, cudaGraphNode_t node);
  // Copies a graph with handles of its own. The copy is the table's only if `is_new`; otherwise it
  // is meant for a child node.
  std::shared_ptr<Graph> Clone(const Graph& graph, bool is_new);

  // Adds an executable graph. It is shared, so that one that is destroyed while it runs lives on.
  std::shared_ptr<GraphExec> AddExec(std::shared_ptr<GraphExec> exec);
  std::shared_ptr<GraphExec> Find(cudaGraphExec_t exec) const;
  // Returns the executable graph's copy of a node, also within child graphs, or nullptr.
  Node* Find(cudaGraphExec_t exec, cudaGraphNode_t node) const;
  bool Destroy(cudaGraphExec_t exec);
  // Returns true if there is an executable graph of this graph.
  bool HasExecOf(cudaGraph_t graph) const;

  // Returns the memory of the nodes that allocate, by its address; nullptr if it is not of a graph.
  std::shared_ptr<GraphMemory> MemoryAt(const void* pointer) const;
  void AddMemory(const std::shared_ptr<GraphMemory>& memory);
  // Bytes of the memory of graphs, as cudaDeviceGetGraphMemAttribute gives them.
  struct MemoryUsed {
    std::uint64_t live = 0;      // allocated by launches
    std::uint64_t reserved = 0;  // all that nodes may allocate
  };
  MemoryUsed Used() const;
  // The most that was used since it was last reset. Call NoteUsed() when more is used.
  MemoryUsed& most_used() { return most_used_; }
  void NoteUsed();
  // Removes and returns the memory that no node and no program can use any more.
  std::vector<void*> TakeUnusedMemory();

  // Returns a new handle. The table has the references of the program itself.
  cudaUserObject_t CreateUserObject() { return reinterpret_cast<cudaUserObject_t>(NextHandle()); }
  UserReferences& user_references() { return user_references_; }

  void Clear();

 private:
  std::uint64_t NextHandle() { return next_ += 16; }
  void Register(const std::shared_ptr<Graph>& graph);
  void Unregister(const Graph& graph);

  // Handles are numbers that are never reused and never dereferenced.
  std::uint64_t next_ = std::uint64_t{1} << 32;
  std::map<cudaGraph_t, std::shared_ptr<Graph>> graphs_;
  std::map<cudaGraphNode_t, Graph*> owners_;
  std::map<cudaGraphExec_t, std::shared_ptr<GraphExec>> execs_;
  std::map<const void*, std::shared_ptr<GraphMemory>> memory_;
  MemoryUsed most_used_;
  UserReferences user_references_;
};

}  // namespace warpcheck::cudart
