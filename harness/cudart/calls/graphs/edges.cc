// Implements the calls that read and change the edges of graphs (CUDA Runtime API, "Graph
// Management"). Since CUDA 13 they have a parameter for the data of edges; CUDA 12 gives that form
// the suffix _v2. Edges with data other than zero, which programmatic launches need, are not
// offered.
#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cudart/call.h"
#include "cudart/calls/graphs/add_node.h"
#include "cudart/calls/graphs/node_work.h"
#include "cudart/graphs/captures.h"

namespace warpcheck::cudart {
namespace {

cudaError_t CheckData(Runtime& runtime, const cudaGraphEdgeData* data, std::size_t count) {
  if (data == nullptr) return cudaSuccess;
  const bool plain = std::ranges::all_of(std::span(data, count), [](const auto& one) {
    return one.from_port == 0 && one.to_port == 0 && one.type == cudaGraphDependencyTypeDefault;
  });
  return plain ? cudaSuccess : NotSupported(runtime, "a graph edge with data");
}

// Stores a list the way that CUDA's queries do: `*count` has the room in the caller's list, and
// gets the number of entries; without a list it gets all that there are.
template <class T>
void GiveSome(const std::vector<T>& all, T* list, std::size_t count) {
  for (std::size_t i = 0; i < count && list != nullptr; ++i)
    list[i] = i < all.size() ? all[i] : T{};
}

cudaError_t GiveNodes(const NodeList& all, cudaGraphNode_t* list, cudaGraphEdgeData* data,
                      std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (list != nullptr) {
    GiveSome(all, list, *count);
    GiveSome(std::vector<cudaGraphEdgeData>(all.size()), data, *count);
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

cudaError_t GetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                     cudaGraphEdgeData* data, std::size_t* count) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Graph* const found = runtime.graphs.Find(graph);
    if (found == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) {
      return cudaErrorInvalidValue;
    }
    NodeList begins;
    NodeList ends;
    for (const auto& [handle, node] : found->nodes()) {
      for (const cudaGraphNode_t earlier : node.after) {
        begins.push_back(earlier);
        ends.push_back(handle);
      }
    }
    std::size_t same = *count;
    WARPCHECK_TRY_CODE(GiveNodes(begins, from, data, count));
    return GiveNodes(ends, to, nullptr, &same);
  });
}

cudaError_t GetNeighbours(cudaGraphNode_t node, bool later, cudaGraphNode_t* list,
                          cudaGraphEdgeData* data, std::size_t* count) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Graph* const graph = runtime.graphs.OwnerOf(node);
    if (graph == nullptr) return cudaErrorInvalidValue;
    return GiveNodes(later ? graph->After(node) : graph->Find(node)->after, list, data, count);
  });
}

cudaError_t AddEdge(Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to) {
  Node* const later = graph.Find(to);
  if (later == nullptr || graph.Find(from) == nullptr || from == to) return cudaErrorInvalidValue;
  if (std::ranges::find(later->after, from) != later->after.end()) return cudaErrorInvalidValue;
  later->after.push_back(from);
  return cudaSuccess;
}

cudaError_t RemoveEdge(Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to) {
  Node* const later = graph.Find(to);
  const bool removed = later != nullptr && std::erase(later->after, from) != 0;
  return removed ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t ChangeEdges(cudaError_t (*change)(Graph&, cudaGraphNode_t, cudaGraphNode_t),
                        cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                        const cudaGraphEdgeData* data, std::size_t count) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Graph* const found = runtime.graphs.Find(graph);
    if (found == nullptr || (count != 0 && (from == nullptr || to == nullptr))) {
      return cudaErrorInvalidValue;
    }
    WARPCHECK_TRY_CODE(CheckData(runtime, data, count));
    if (change == &RemoveEdge && found->HasMemoryNodes()) return cudaErrorNotSupported;
    // A call that fails changes nothing.
    std::map<cudaGraphNode_t, NodeList> before;
    for (std::size_t i = 0; i < count; ++i) {
      const Node* const later = found->Find(to[i]);
      if (later != nullptr) before.try_emplace(to[i], later->after);
      const cudaError_t error = change(*found, from[i], to[i]);
      if (error == cudaSuccess) continue;
      for (auto& [handle, after] : before) found->Find(handle)->after = std::move(after);
      return error;
    }
    return cudaSuccess;
  });
}

cudaError_t AddAnyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                       const cudaGraphEdgeData* data, std::size_t count,
                       cudaGraphNodeParams* parameters) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    WARPCHECK_TRY_CODE(CheckData(runtime, data, count));
    Work work;
    if (parameters->type == cudaGraphNodeTypeMemAlloc) {
      cudaMemAllocNodeParams alloc{.poolProps = parameters->alloc.poolProps,
                                   .accessDescs = parameters->alloc.accessDescs,
                                   .accessDescCount = parameters->alloc.accessDescCount,
                                   .bytesize = parameters->alloc.bytesize,
                                   .dptr = nullptr};
      WARPCHECK_TRY_CODE(AllocWork(runtime, &alloc, &work));
      parameters->alloc.dptr = alloc.dptr;
    } else if (parameters->type == cudaGraphNodeTypeMemFree) {
      WARPCHECK_TRY_CODE(FreeWork(runtime, parameters->free.dptr, &work));
    } else {
      WARPCHECK_TRY_CODE(WorkOf(runtime, *parameters, &work));
    }
    WARPCHECK_TRY_CODE(AddNode(runtime, node, graph, after, count, std::move(work)));
    const auto* const child = std::get_if<ChildNode>(&runtime.graphs.Find(*node)->work);
    if (child != nullptr) parameters->graph.graph = child->graph->handle();
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

// Defines the form with data; in CUDA 12 it has the suffix alone.
#if CUDART_VERSION >= 13000
#define WITH_DATA(name, parameters, result)                 \
  extern "C" cudaError_t name parameters { return result; } \
  extern "C" cudaError_t name##_v2 parameters { return result; }
#else
#define WITH_DATA(name, parameters, result) \
  extern "C" cudaError_t name##_v2 parameters { return result; }

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return GetEdges(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* list,
                                         size_t* count) {
  return GetNeighbours(node, false, list, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* list,
                                           size_t* count) {
  return GetNeighbours(node, true, list, nullptr, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return ChangeEdges(&AddEdge, graph, from, to, nullptr, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return ChangeEdges(&RemoveEdge, graph, from, to, nullptr, count);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* parameters) {
  return AddAnyNode(node, graph, after, nullptr, count, parameters);
}
#endif

WITH_DATA(cudaGraphGetEdges,
          (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
           size_t* count),
          GetEdges(graph, from, to, data, count))

WITH_DATA(cudaGraphNodeGetDependencies,
          (cudaGraphNode_t node, cudaGraphNode_t* list, cudaGraphEdgeData* data, size_t* count),
          GetNeighbours(node, false, list, data, count))

WITH_DATA(cudaGraphNodeGetDependentNodes,
          (cudaGraphNode_t node, cudaGraphNode_t* list, cudaGraphEdgeData* data, size_t* count),
          GetNeighbours(node, true, list, data, count))

WITH_DATA(cudaGraphAddDependencies,
          (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
           const cudaGraphEdgeData* data, size_t count),
          ChangeEdges(&AddEdge, graph, from, to, data, count))

WITH_DATA(cudaGraphRemoveDependencies,
          (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
           const cudaGraphEdgeData* data, size_t count),
          ChangeEdges(&RemoveEdge, graph, from, to, data, count))

WITH_DATA(cudaGraphAddNode,
          (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* after,
           const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters),
          AddAnyNode(node, graph, after, data, count, parameters))
