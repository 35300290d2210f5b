// Implements the calls that read and change the parameters of nodes, in graphs and in executable
// graphs (CUDA Runtime API, "Graph Management").
#include <utility>

#include "cudart/call.h"
#include "cudart/calls/graphs/node_work.h"
#include "cudart/calls/graphs/work_makers.h"

namespace warpcheck::cudart {
namespace {

// Calls body(runtime, node, work) for a node whose work is a W, or fails with
// cudaErrorInvalidValue.
template <class W, class Body>
cudaError_t WithNode(cudaGraphNode_t node, Body body) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Node* const found = runtime.graphs.Find(node);
    W* const work = found == nullptr ? nullptr : std::get_if<W>(&found->work);
    return work == nullptr ? cudaErrorInvalidValue : body(runtime, *work);
  });
}

// Gives a node the work that make_work(runtime, &work) makes.
template <class MakeWork>
cudaError_t SetNode(cudaGraphNode_t node, MakeWork make_work) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Node* const found = runtime.graphs.Find(node);
    if (found == nullptr) return cudaErrorInvalidValue;
    Work work;
    WARPCHECK_TRY_CODE(make_work(runtime, &work));
    return Replace(found, std::move(work));
  });
}

// Does the same with the node's copy in an executable graph.
template <class MakeWork>
cudaError_t SetExecNode(cudaGraphExec_t exec, cudaGraphNode_t node, MakeWork make_work) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Node* const copy = runtime.graphs.Find(exec, node);
    if (copy == nullptr) return cudaErrorInvalidValue;
    Work work;
    WARPCHECK_TRY_CODE(make_work(runtime, &work));
    return Replace(copy, std::move(work));
  });
}

template <class EventNode>
cudaError_t GetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return WithNode<EventNode>(node, [&](Runtime&, const EventNode& found) {
    if (event == nullptr) return cudaErrorInvalidValue;
    *event = found.event;
    return cudaSuccess;
  });
}

// A node that is disabled keeps its place in the order. Only these kinds can be.
bool CanBeDisabled(const Work& work) {
  return std::holds_alternative<KernelNode>(work) || std::holds_alternative<CopyNode>(work) ||
         std::holds_alternative<FillNode>(work);
}

template <class Body>
cudaError_t WithSwitch(cudaGraphExec_t exec, cudaGraphNode_t node, Body body) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Node* const copy = runtime.graphs.Find(exec, node);
    if (copy == nullptr || !CanBeDisabled(copy->work)) return cudaErrorInvalidValue;
    return body(*copy);
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return WithNode<KernelNode>(node, [&](Runtime& runtime, KernelNode& kernel) {
    return parameters == nullptr ? cudaErrorInvalidValue
                                 : ParametersOf(runtime, kernel, parameters);
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return SetNode(node, MakeOf(parameters));
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  return WithNode<KernelNode>(node, [&](Runtime&, KernelNode& kernel) {
    if (value == nullptr) return cudaErrorInvalidValue;
    kernel.attributes[attribute] = *value;
    if (attribute == cudaLaunchAttributeCooperative) kernel.cooperative = value->cooperative != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  return WithNode<KernelNode>(node, [&](Runtime&, const KernelNode& kernel) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const auto set = kernel.attributes.find(attribute);
    *value = set == kernel.attributes.end() ? cudaLaunchAttributeValue{} : set->second;
    if (attribute == cudaLaunchAttributeCooperative) value->cooperative = kernel.cooperative;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return WithNode<KernelNode>(to, [&](Runtime& runtime, KernelNode& kernel) {
    const Node* const found = runtime.graphs.Find(from);
    const auto* const source = found == nullptr ? nullptr : std::get_if<KernelNode>(&found->work);
    if (source == nullptr) return cudaErrorInvalidValue;
    kernel.attributes = source->attributes;
    kernel.cooperative = source->cooperative;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return WithNode<CopyNode>(node, [&](Runtime&, const CopyNode& copy) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = ParametersOf(copy);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return SetNode(node, MakeOf(parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return SetNode(node, MakeCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return SetNode(node, MakeSymbolCopy(true, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return SetNode(node, MakeSymbolCopy(false, symbol, to, bytes, offset, kind));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return WithNode<FillNode>(node, [&](Runtime&, const FillNode& fill) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = ParametersOf(fill);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return SetNode(node, MakeOf(parameters));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return WithNode<HostNode>(node, [&](Runtime&, const HostNode& host) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = {.fn = host.function, .userData = host.data};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return SetNode(node, MakeOf(parameters));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return GetEvent<RecordNode>(node, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return SetNode(node, MakeEvent<RecordNode>(event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return GetEvent<WaitNode>(node, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return SetNode(node, MakeEvent<WaitNode>(event));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return WithNode<AllocNode>(node, [&](Runtime&, const AllocNode& alloc) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = {.poolProps = alloc.properties,
                   .accessDescs = nullptr,
                   .accessDescCount = 0,
                   .bytesize = alloc.memory->bytes,
                   .dptr = alloc.memory->pointer};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return WithNode<FreeNode>(node, [&](Runtime&, const FreeNode& free) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *static_cast<void**>(pointer) = free.memory->pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const cudaGraphNodeParams* const given = parameters;
  if (given != nullptr && given->type == cudaGraphNodeTypeGraph) {
    return Call(Timing::kHost, [](Runtime& runtime) {
      return NotSupported(runtime, "cudaGraphNodeSetParams for a child graph");
    });
  }
  return SetNode(node, MakeOf(given));
}

// Implements the calls that change executable graphs. The graphs that these were made from stay as
// they are.

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return SetExecNode(exec, node, MakeOf(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return SetExecNode(exec, node, MakeOf(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return SetExecNode(exec, node, MakeCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return SetExecNode(exec, node, MakeSymbolCopy(true, symbol, from, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return SetExecNode(exec, node, MakeSymbolCopy(false, symbol, to, bytes, offset, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return SetExecNode(exec, node, MakeOf(parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return SetExecNode(exec, node, MakeOf(parameters));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return SetExecNode(exec, node, MakeEvent<RecordNode>(event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return SetExecNode(exec, node, MakeEvent<WaitNode>(event));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  const cudaGraphNodeParams* const given = parameters;
  if (given != nullptr && given->type == cudaGraphNodeTypeGraph) {
    return cudaGraphExecChildGraphNodeSetParams(exec, node, given->graph.graph);
  }
  return SetExecNode(exec, node, MakeOf(given));
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return WithSwitch(exec, node, [&](Node& copy) {
    copy.enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return WithSwitch(exec, node, [&](const Node& copy) {
    if (enabled == nullptr) return cudaErrorInvalidValue;
    *enabled = copy.enabled ? 1 : 0;
    return cudaSuccess;
  });
}
