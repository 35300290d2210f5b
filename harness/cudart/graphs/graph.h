// A Graph holds nodes and the edges between them, as a program builds them or captures them from
// streams.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "cudart/graphs/node.h"
#include "cudart/graphs/user_object.h"

namespace warpcheck::cudart {

class Graph {
 public:
  using Nodes = std::map<cudaGraphNode_t, Node>;  // in the order of their creation
  // Returns a handle that is larger than all that it returned before.
  using NextHandle = std::function<std::uint64_t()>;

  explicit Graph(cudaGraph_t handle) : handle_(handle) {}

  cudaGraph_t handle() const { return handle_; }
  const Nodes& nodes() const { return nodes_; }
  Nodes& nodes() { return nodes_; }
  bool child() const { return child_; }  // a node of another graph owns it
  void set_child() { child_ = true; }

  // The user objects that the graph keeps alive. Copies of the graph keep them as well.
  UserReferences& objects() { return objects_; }

  Node& Add(Node node);
  void Remove(cudaGraphNode_t handle);  // with its edges

  // Returns nullptr if the graph has no such node.
  const Node* Find(cudaGraphNode_t handle) const;
  Node* Find(cudaGraphNode_t handle);
  // Also looks in the graphs of child nodes.
  Node* FindWithin(cudaGraphNode_t handle);

  // Returns true if the graph has all of these nodes, each at most once in the list.
  bool HasAll(const std::vector<cudaGraphNode_t>& handles) const;
  // Returns true if a path of edges leads from one of `from`, or it is one of them, to `node`,
  // against the direction of the edges.
  bool IsBefore(cudaGraphNode_t node, const std::vector<cudaGraphNode_t>& from) const;
  // Returns the nodes that no node depends on.
  std::vector<cudaGraphNode_t> Leaves() const;
  // Returns the nodes that depend on `handle`.
  std::vector<cudaGraphNode_t> After(cudaGraphNode_t handle) const;
  // Returns true if a node, or one within a child graph, allocates or frees memory.
  bool HasMemoryNodes() const;

  // Returns a copy that shares nothing with this graph but GraphMemory and user objects. With
  // `next`, the copy and its nodes have handles of their own; each copied node names its original.
  std::unique_ptr<Graph> Copy(const NextHandle* next = nullptr) const;

 private:
  cudaGraph_t handle_;
  Nodes nodes_;
  bool child_ = false;
  UserReferences objects_;
};

}  // namespace warpcheck::cudart
