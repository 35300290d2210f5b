// Implements executable graphs (CUDA Runtime API, "Graph Management").
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "cudart/call.h"
#include "cudart/calls/graphs/graph_memory.h"
#include "cudart/calls/graphs/node_work.h"
#include "cudart/stream_capture.h"

namespace warpcheck::cudart {
namespace {

constexpr unsigned long long kExecFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

cudaError_t Instantiate(Runtime& runtime, cudaGraphExec_t* exec, cudaGraph_t graph,
                        unsigned long long flags, cudaGraphInstantiateResult* result) {
  *result = cudaGraphInstantiateError;
  const Graph* const source = runtime.graphs.Find(graph);
  if (exec == nullptr || source == nullptr || (flags & ~kExecFlags) != 0) {
    return cudaErrorInvalidValue;
  }
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    return NotSupported(runtime, "a graph that is launched from the device");
  }
  if (source->HasMemoryNodes() && runtime.graphs.HasExecOf(graph)) return cudaErrorNotSupported;
  auto made = std::make_shared<GraphExec>();
  made->source = graph;
  made->flags = flags;
  made->graph = source->Copy();
  auto schedule = ScheduleOf(*made->graph);
  if (!schedule) {
    *result = cudaGraphInstantiateInvalidStructure;
    return cudaErrorInvalidValue;
  }
  made->schedule = std::move(*schedule);
  runtime.host.Start();
  *exec = runtime.graphs.AddExec(std::move(made))->handle;
  runtime.misuse.Made(HandleKind::kGraphExec, *exec);
  *result = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

cudaError_t Instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
    return Instantiate(runtime, exec, graph, flags, &result);
  });
}

struct UpdateResult {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  cudaGraphNode_t node = nullptr;
};

UpdateResult Compare(const Graph& old, const Graph& other);

UpdateResult Compare(const Work& old, const Node& other) {
  if (old.index() != other.work.index()) {
    return {cudaGraphExecUpdateErrorNodeTypeChanged, other.handle};
  }
  const auto* const kernel = std::get_if<KernelNode>(&old);
  if (kernel != nullptr && kernel->cooperative != std::get<KernelNode>(other.work).cooperative) {
    return {cudaGraphExecUpdateErrorAttributesChanged, other.handle};
  }
  const bool memory =
      std::holds_alternative<AllocNode>(old) || std::holds_alternative<FreeNode>(old);
  if (memory) return {cudaGraphExecUpdateErrorNotSupported, other.handle};
  const auto* const child = std::get_if<ChildNode>(&old);
  return child == nullptr ? UpdateResult{}
                          : Compare(*child->graph, *std::get<ChildNode>(other.work).graph);
}

// Nodes belong together by the order in which the program made them, which CUDA demands.
UpdateResult Compare(const Graph& old, const Graph& other) {
  if (old.nodes().size() != other.nodes().size()) {
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
  }
  // An edge may lead from a node to one that was made before it.
  std::map<cudaGraphNode_t, cudaGraphNode_t> partners;
  auto at = other.nodes().begin();
  for (const auto& [handle, node] : old.nodes()) partners[handle] = (at++)->first;
  at = other.nodes().begin();
  for (const auto& [handle, node] : old.nodes()) {
    NodeList after;
    for (const cudaGraphNode_t earlier : node.after) after.push_back(partners[earlier]);
    if (after != at->second.after) {
      return {cudaGraphExecUpdateErrorTopologyChanged, at->first};
    }
    const UpdateResult result = Compare(node.work, at->second);
    if (result.result != cudaGraphExecUpdateSuccess) return result;
    ++at;
  }
  return {};
}

// Takes the work of a graph that has the same form.
void TakeWork(Graph& old, const Graph& other) {
  auto at = other.nodes().begin();
  for (auto& [handle, node] : old.nodes()) {
    if (const auto* const child = std::get_if<ChildNode>(&at->second.work)) {
      TakeWork(*std::get<ChildNode>(node.work).graph, *child->graph);
    } else {
      node.work = at->second.work;
    }
    node.call = at->second.call;
    node.place = at->second.place;
    ++at;
  }
}

cudaError_t Update(cudaGraphExec_t exec, const Graph* graph, Graph* within, UpdateResult* result) {
  if (exec == nullptr || graph == nullptr || within == nullptr) {
    *result = {cudaGraphExecUpdateError, nullptr};
    return cudaErrorInvalidValue;
  }
  *result = Compare(*within, *graph);
  if (result->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  TakeWork(*within, *graph);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return Instantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return Instantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    parameters->errNode_out = nullptr;
    return Instantiate(runtime, exec, graph, parameters->flags, &parameters->result_out);
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const auto found = runtime.graphs.Find(exec);
    if (found == nullptr || flags == nullptr) return cudaErrorInvalidValue;
    *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const auto found = runtime.graphs.Find(exec);
    UpdateResult result;
    const cudaError_t error = Update(exec, runtime.graphs.Find(graph),
                                     found == nullptr ? nullptr : found->graph.get(), &result);
    if (info != nullptr)
      *info = {.result = result.result, .errorNode = result.node, .errorFromNode = nullptr};
    return error;
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Node* const copy = runtime.graphs.Find(exec, node);
    auto* const old = copy == nullptr ? nullptr : std::get_if<ChildNode>(&copy->work);
    UpdateResult result;
    const cudaError_t error = Update(exec, runtime.graphs.Find(child),
                                     old == nullptr ? nullptr : old->graph.get(), &result);
    return error == cudaErrorGraphExecUpdateFailure ? cudaErrorInvalidValue : error;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    auto found = runtime.graphs.Find(exec);
    if (found == nullptr) return cudaErrorInvalidValue;
    found->order.Forget(runtime.host);
    runtime.graphs.Destroy(exec);
    runtime.misuse.GaveBack(HandleKind::kGraphExec, exec);
    found.reset();
    ReleaseUnusedMemory(runtime);
    return cudaSuccess;
  });
  CallDestructors();
  return error;
}

// A graph has nothing to upload here.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    if (runtime.graphs.Find(exec) == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    return AdmitWork(runtime, stream, Timing::kWaitForPart).error;
  });
}
