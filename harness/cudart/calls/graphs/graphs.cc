// Implements the calls that make, copy, destroy and describe graphs (CUDA Runtime API, "Graph
// Management").
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/text/demangle.h"
#include "cudart/call.h"
#include "cudart/calls/graphs/dot_text.h"
#include "cudart/calls/graphs/graph_memory.h"

namespace warpcheck::cudart {
namespace {

// Runs `body` on a graph, or fails with cudaErrorInvalidValue.
template <class Body>
cudaError_t WithGraph(cudaGraph_t graph, Body body) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Graph* const found = runtime.graphs.Find(graph);
    return found == nullptr ? cudaErrorInvalidValue : body(runtime, *found);
  });
}

cudaError_t ListNodes(cudaGraph_t graph, bool roots, cudaGraphNode_t* list, std::size_t* count) {
  return WithGraph(graph, [&](Runtime&, const Graph& found) {
    if (count == nullptr) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> nodes;
    for (const auto& [handle, node] : found.nodes()) {
      if (!roots || node.after.empty()) nodes.push_back(handle);
    }
    for (std::size_t i = 0; i < *count && list != nullptr; ++i) {
      list[i] = i < nodes.size() ? nodes[i] : nullptr;
    }
    *count = list == nullptr ? nodes.size() : std::min(*count, nodes.size());
    return cudaSuccess;
  });
}

// Returns the node of a graph, or of its child graphs, that is a copy of `original`.
const Node* CopyOfNode(const Graph& graph, cudaGraphNode_t original) {
  for (const auto& [handle, node] : graph.nodes()) {
    if (node.original == original) return &node;
    const auto* const child = std::get_if<ChildNode>(&node.work);
    const Node* const found = child == nullptr ? nullptr : CopyOfNode(*child->graph, original);
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = runtime.graphs.Create().handle();
    runtime.misuse.Made(HandleKind::kGraph, *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.graphs.Destroy(graph)) return cudaErrorInvalidValue;
    runtime.misuse.GaveBack(HandleKind::kGraph, graph);
    ReleaseUnusedMemory(runtime);
    return cudaSuccess;
  });
  CallDestructors();
  return error;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    Graph* const graph = runtime.graphs.OwnerOf(node);
    if (graph == nullptr) return cudaErrorInvalidValue;
    if (graph->HasMemoryNodes()) return cudaErrorNotSupported;
    runtime.graphs.Remove(*graph, node);
    return cudaSuccess;
  });
  CallDestructors();
  return error;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return WithGraph(original, [&](Runtime& runtime, const Graph& graph) {
    if (clone == nullptr) return cudaErrorInvalidValue;
    if (graph.HasMemoryNodes()) return cudaErrorNotSupported;
    *clone = runtime.graphs.Clone(graph, true)->handle();
    runtime.misuse.Made(HandleKind::kGraph, *clone);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return WithGraph(clone, [&](Runtime&, const Graph& graph) {
    const Node* const found = original == nullptr ? nullptr : CopyOfNode(graph, original);
    if (node == nullptr || found == nullptr) return cudaErrorInvalidValue;
    *node = found->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return ListNodes(graph, false, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return ListNodes(graph, true, nodes, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Node* const found = runtime.graphs.Find(node);
    if (found == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = TypeOf(found->work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Node* const found = runtime.graphs.Find(node);
    const auto* const child = found == nullptr ? nullptr : std::get_if<ChildNode>(&found->work);
    if (child == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *graph = child->graph->handle();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return WithGraph(graph, [&](Runtime& runtime, const Graph& found) {
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return cudaErrorInvalidValue;
    const auto name = [&](const void* function) {
      const std::string* const mangled = runtime.registry.NameOf(function);
      return mangled == nullptr ? std::string("a kernel") : warpcheck::Demangle(*mangled);
    };
    const std::string text = DotText(found, name);
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written ? cudaSuccess : cudaErrorUnknown;
  });
}
