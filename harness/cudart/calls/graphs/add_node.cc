// Implements the calls that add nodes to graphs (CUDA Runtime API, "Graph Management").
#include "cudart/calls/graphs/add_node.h"

#include <utility>

#include "cudart/call.h"
#include "cudart/calls/graphs/node_work.h"
#include "cudart/calls/graphs/work_makers.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

// A call stores the new node in `*node`, and adds it to `graph` after `count` nodes.
struct Target {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t count;
};

// Adds a node with the work that make_work(runtime, &work) makes.
template <class MakeWork>
cudaError_t Add(const Target& target, MakeWork make_work) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Work work;
    WARPCHECK_TRY_CODE(make_work(runtime, &work));
    return AddNode(runtime, target.node, target.graph, target.after, target.count, std::move(work));
  });
}

}  // namespace

cudaError_t AddNode(Runtime& runtime, cudaGraphNode_t* node, cudaGraph_t graph,
                    const cudaGraphNode_t* after, std::size_t count, Work work) {
  Graph* const found = runtime.graphs.Find(graph);
  if (node == nullptr || found == nullptr || (after == nullptr && count != 0)) {
    return cudaErrorInvalidValue;
  }
  NodeList list(after, after + count);
  if (!found->HasAll(list)) return cudaErrorInvalidValue;
  const CallSite site = CurrentCall();
  *node = runtime.graphs
              .Add(*found, {.work = std::move(work),
                            .after = std::move(list),
                            .call = site.function,
                            .place = site.address})
              .handle;
  return cudaSuccess;
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return Add({node, graph, after, count}, MakeOf(parameters));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return Add({node, graph, after, count}, MakeOf(parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return Add({node, graph, after, count}, MakeCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return Add({node, graph, after, count}, MakeSymbolCopy(true, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return Add({node, graph, after, count}, MakeSymbolCopy(false, symbol, to, bytes, offset, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
  return Add({node, graph, after, count}, MakeOf(parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return Add({node, graph, after, count}, MakeOf(parameters));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t count,
                                       cudaGraph_t child) {
  return Add({node, graph, after, count},
             [&](Runtime& runtime, Work* work) { return WorkOf(runtime, child, work); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t count) {
  return Add({node, graph, after, count}, [](Runtime&, Work* work) {
    *work = EmptyNode{};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        cudaEvent_t event) {
  return Add({node, graph, after, count}, MakeEvent<RecordNode>(event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count,
                                      cudaEvent_t event) {
  return Add({node, graph, after, count}, MakeEvent<WaitNode>(event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return Add({node, graph, after, count},
             [&](Runtime& runtime, Work* work) { return AllocWork(runtime, parameters, work); });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, size_t count, void* pointer) {
  return Add({node, graph, after, count},
             [&](Runtime& runtime, Work* work) { return FreeWork(runtime, pointer, work); });
}
