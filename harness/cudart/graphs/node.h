// Defines the nodes of a graph: what each does, after which other nodes, and which call of the
// program made it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "device/box.h"

namespace warpcheck::cudart {

class Graph;

struct KernelNode {
  const void* function = nullptr;  // the address by which the program knows the kernel
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  // It may begin before the kernel has ended that is the only node it depends on, if that is one
  // (cudaLaunchAttributeProgrammaticStreamSerialization in a capture).
  bool programmatic = false;
  std::vector<std::byte> arguments{};  // the parameter block, as the kernel's PTX lays it out
  // The addresses of the arguments in `arguments`; empty until the program asks for them.
  std::vector<void*> pointers{};
  // The attributes that the program has set, by their ids.
  std::map<int, cudaLaunchAttributeValue> attributes{};
};

struct CopyNode {
  const void* to = nullptr;
  Strides to_strides{};
  const void* from = nullptr;
  Strides from_strides{};
  Extent3 extent{};  // in bytes
  cudaMemcpyKind kind = cudaMemcpyDefault;
  std::optional<cudaMemcpy3DParms> given{};  // as the program gave it, if it did so
};

struct FillNode {
  void* to = nullptr;
  Strides strides{};
  Extent3 extent{};  // in bytes
  unsigned value = 0;
  unsigned element_bytes = 1;  // 1, 2 or 4
};

struct HostNode {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};

// A graph inside of a graph. The node owns it.
struct ChildNode {
  std::shared_ptr<Graph> graph;
};

struct EmptyNode {};

struct RecordNode {
  cudaEvent_t event = nullptr;
};

struct WaitNode {
  cudaEvent_t event = nullptr;
};

// Memory that a graph allocates at each launch, always at the same address. The nodes that allocate
// and free it share this object, as do copies of these nodes.
struct GraphMemory {
  void* pointer = nullptr;
  std::size_t bytes = 0;
  bool live = false;           // allocated by a launch, and not freed since
  bool freed_by_node = false;  // a node of some graph frees it
};

struct AllocNode {
  std::shared_ptr<GraphMemory> memory;
  cudaMemPoolProps properties{};
};

struct FreeNode {
  std::shared_ptr<GraphMemory> memory;
};

using Work = std::variant<KernelNode, CopyNode, FillNode, HostNode, ChildNode, EmptyNode,
                          RecordNode, WaitNode, AllocNode, FreeNode>;

// Returns the type that CUDA gives a node with this work.
inline cudaGraphNodeType TypeOf(const Work& work) {
  constexpr cudaGraphNodeType kTypes[] = {
      cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,    cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,        cudaGraphNodeTypeGraph,     cudaGraphNodeTypeEmpty,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree,
  };
  return kTypes[work.index()];
}

struct Node {
  cudaGraphNode_t handle = nullptr;
  Work work{EmptyNode{}};
  std::vector<cudaGraphNode_t> after{};  // the nodes it depends on, in the order of their edges
  bool enabled = true;                   // a disabled node of an executable graph does nothing
  cudaGraphNode_t original = nullptr;    // the node that cudaGraphClone copied to make this one
  // The call that made the node, such as "cudaMemcpyAsync", and where the program went on after it;
  // 0 if unknown.
  std::string call{};
  std::uint64_t place = 0;
};

}  // namespace warpcheck::cudart
