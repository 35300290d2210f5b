#include "cudart/calls/graphs/node_work.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "cudart/calls/graphs/graph_memory.h"
#include "cudart/calls/launch.h"
#include "cudart/calls/memcpy.h"

namespace warpcheck::cudart {
namespace {

// The names of the settings in `extra` (CUDA driver API, cuLaunchKernel).
constexpr std::uintptr_t kExtraEnd = 0;
constexpr std::uintptr_t kExtraPointer = 1;
constexpr std::uintptr_t kExtraSize = 2;

// Reads the parameter block that `extra` describes.
cudaError_t PackExtra(Runtime& runtime, void** extra, KernelNode* kernel) {
  Function* function = nullptr;
  WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, kernel->function, &function));
  const void* pointer = nullptr;
  std::size_t bytes = 0;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != kExtraEnd; extra += 2) {
    const auto name = reinterpret_cast<std::uintptr_t>(*extra);
    if (extra[1] == nullptr) return cudaErrorInvalidValue;
    if (name == kExtraPointer) {
      pointer = extra[1];
    } else if (name == kExtraSize) {
      bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return cudaErrorInvalidValue;
    }
  }
  if (pointer == nullptr || bytes > function->kernel->parameter_bytes) {
    return cudaErrorInvalidValue;
  }
  kernel->arguments.assign(function->kernel->parameter_bytes, std::byte{0});
  std::memcpy(kernel->arguments.data(), pointer, bytes);
  return cudaSuccess;
}

}  // namespace

cudaError_t WorkOf(Runtime& runtime, const cudaKernelNodeParams* parameters, Work* work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaKernelNodeParams& p = *parameters;
  if (p.kernelParams != nullptr && p.extra != nullptr) return cudaErrorInvalidValue;
  KernelNode kernel{
      .function = p.func, .grid = p.gridDim, .block = p.blockDim, .shared_bytes = p.sharedMemBytes};
  WARPCHECK_TRY_CODE(p.extra != nullptr ? PackExtra(runtime, p.extra, &kernel)
                                        : PackArguments(runtime, p.kernelParams, &kernel));
  *work = std::move(kernel);
  return cudaSuccess;
}

cudaError_t WorkOf(Runtime& runtime, const cudaMemcpy3DParms* parameters, Work* work) {
  CopyNode copy;
  WARPCHECK_TRY_CODE(CopyOf(runtime, parameters, &copy));
  if (copy.extent.Empty()) return cudaErrorInvalidValue;
  *work = copy;
  return cudaSuccess;
}

cudaError_t CopyWork(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                     Work* work) {
  if (bytes == 0 || to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  *work = CopyNode{.to = to, .from = from, .extent = {.width = bytes, .height = 1}, .kind = kind};
  return cudaSuccess;
}

cudaError_t SymbolWork(Runtime& runtime, bool to_symbol, const void* symbol, const void* memory,
                       std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, Work* work) {
  CopyNode copy;
  if (bytes == 0 || memory == nullptr) return cudaErrorInvalidValue;
  WARPCHECK_TRY_CODE(CopyOf(runtime, {to_symbol, symbol, offset, memory, bytes, kind}, &copy));
  *work = copy;
  return cudaSuccess;
}

cudaError_t WorkOf(Runtime&, const cudaMemsetParams* parameters, Work* work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaMemsetParams& p = *parameters;
  const bool known = p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4;
  std::uint64_t width = 0;
  if (!known || p.dst == nullptr || p.width == 0 || p.height == 0 ||
      __builtin_mul_overflow(p.width, p.elementSize, &width)) {
    return cudaErrorInvalidValue;
  }
  if (p.height > 1 && width > p.pitch) return cudaErrorInvalidPitchValue;
  *work = FillNode{.to = p.dst,
                   .strides = {.pitch = p.pitch},
                   .extent = {.width = width, .height = p.height},
                   .value = p.value,
                   .element_bytes = p.elementSize};
  return cudaSuccess;
}

cudaError_t WorkOf(Runtime&, const cudaHostNodeParams* parameters, Work* work) {
  if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
  *work = HostNode{.function = parameters->fn, .data = parameters->userData};
  return cudaSuccess;
}

cudaError_t WorkOf(Runtime& runtime, cudaGraph_t child, Work* work) {
  const Graph* const graph = runtime.graphs.Find(child);
  if (graph == nullptr) return cudaErrorInvalidValue;
  if (graph->HasMemoryNodes()) return cudaErrorNotSupported;
  *work = ChildNode{runtime.graphs.Clone(*graph, false)};
  return cudaSuccess;
}

cudaError_t AllocWork(Runtime& runtime, cudaMemAllocNodeParams* parameters, Work* work) {
  if (parameters == nullptr || parameters->bytesize == 0) return cudaErrorInvalidValue;
  const cudaMemPoolProps& pool = parameters->poolProps;
  if (pool.allocType != cudaMemAllocationTypePinned || pool.handleTypes != cudaMemHandleTypeNone) {
    return cudaErrorInvalidValue;
  }
  if (pool.location.type != cudaMemLocationTypeDevice || pool.location.id != 0) {
    return cudaErrorInvalidDevice;
  }
  AllocNode node{.memory = {}, .properties = pool};
  WARPCHECK_TRY_CODE(ReserveGraphMemory(runtime, parameters->bytesize, &node.memory));
  parameters->dptr = node.memory->pointer;
  *work = std::move(node);
  return cudaSuccess;
}

cudaError_t FreeWork(Runtime& runtime, const void* pointer, Work* work) {
  std::shared_ptr<GraphMemory> memory = runtime.graphs.MemoryAt(pointer);
  if (memory == nullptr || memory->freed_by_node) return cudaErrorInvalidValue;
  memory->freed_by_node = true;
  *work = FreeNode{std::move(memory)};
  return cudaSuccess;
}

cudaError_t WorkOf(Runtime& runtime, const cudaGraphNodeParams& parameters, Work* work) {
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel: {
      const auto& p = parameters.kernel;
      const cudaKernelNodeParams kernel{.func = p.func,
                                        .gridDim = p.gridDim,
                                        .blockDim = p.blockDim,
                                        .sharedMemBytes = p.sharedMemBytes,
                                        .kernelParams = p.kernelParams,
                                        .extra = p.extra};
      return WorkOf(runtime, &kernel, work);
    }
    case cudaGraphNodeTypeMemcpy:
      return WorkOf(runtime, &parameters.memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset: {
      const auto& p = parameters.memset;
      const cudaMemsetParams fill{p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
      return WorkOf(runtime, &fill, work);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host{parameters.host.fn, parameters.host.userData};
      return WorkOf(runtime, &host, work);
    }
    case cudaGraphNodeTypeGraph:
      return WorkOf(runtime, parameters.graph.graph, work);
    case cudaGraphNodeTypeEmpty:
      *work = EmptyNode{};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return EventWork<WaitNode>(runtime, parameters.eventWait.event, work);
    case cudaGraphNodeTypeEventRecord:
      return EventWork<RecordNode>(runtime, parameters.eventRecord.event, work);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      return NotSupported(runtime, "a graph node with an external semaphore");
    case cudaGraphNodeTypeConditional:
      return NotSupported(runtime, "a conditional graph node");
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t Replace(Node* node, Work work) {
  if (node->work.index() != work.index()) return cudaErrorInvalidValue;
  if (auto* const kernel = std::get_if<KernelNode>(&work)) {
    auto& old = std::get<KernelNode>(node->work);
    kernel->attributes = old.attributes;
    kernel->cooperative = old.cooperative;
    kernel->programmatic = old.programmatic;
  }
  node->work = std::move(work);
  return cudaSuccess;
}

cudaError_t ParametersOf(Runtime& runtime, KernelNode& kernel, cudaKernelNodeParams* parameters) {
  Function* function = nullptr;
  WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, kernel.function, &function));
  kernel.pointers.clear();
  for (const KernelParameter& parameter : function->kernel->parameters) {
    kernel.pointers.push_back(kernel.arguments.data() + parameter.offset);
  }
  *parameters = {.func = const_cast<void*>(kernel.function),
                 .gridDim = kernel.grid,
                 .blockDim = kernel.block,
                 .sharedMemBytes = static_cast<unsigned>(kernel.shared_bytes),
                 .kernelParams = kernel.pointers.data(),
                 .extra = nullptr};
  return cudaSuccess;
}

cudaMemcpy3DParms ParametersOf(const CopyNode& copy) {
  if (copy.given) return *copy.given;
  const Extent3& extent = copy.extent;
  const auto pitched = [&](const void* pointer, const Strides& strides) {
    const std::uint64_t pitch = strides.pitch != 0 ? strides.pitch : extent.width;
    return cudaPitchedPtr{.ptr = const_cast<void*>(pointer),
                          .pitch = pitch,
                          .xsize = extent.width,
                          .ysize = strides.slice != 0 ? strides.slice / pitch : extent.height};
  };
  cudaMemcpy3DParms parameters{};
  parameters.dstPtr = pitched(copy.to, copy.to_strides);
  parameters.srcPtr = pitched(copy.from, copy.from_strides);
  parameters.extent = {.width = extent.width, .height = extent.height, .depth = extent.depth};
  parameters.kind = copy.kind;
  return parameters;
}

cudaMemsetParams ParametersOf(const FillNode& fill) {
  return {.dst = fill.to,
          .pitch = fill.strides.pitch,
          .value = fill.value,
          .elementSize = fill.element_bytes,
          .width = fill.extent.width / fill.element_bytes,
          .height = fill.extent.height};
}

}  // namespace warpcheck::cudart
