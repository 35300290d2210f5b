// Turns what a program says of a node into the work of the node, and back (CUDA Runtime API, "Graph
// Management").
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/graphs/node.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

// These make the work of a node. They fail with cudaErrorInvalidValue for a null pointer or a value
// that no node may have, and as the calls fail that do the same in a stream.
cudaError_t WorkOf(Runtime& runtime, const cudaKernelNodeParams* parameters, Work* work);
cudaError_t WorkOf(Runtime& runtime, const cudaMemcpy3DParms* parameters, Work* work);
cudaError_t WorkOf(Runtime& runtime, const cudaMemsetParams* parameters, Work* work);
cudaError_t WorkOf(Runtime& runtime, const cudaHostNodeParams* parameters, Work* work);
// Copies the child graph.
cudaError_t WorkOf(Runtime& runtime, cudaGraph_t child, Work* work);
cudaError_t CopyWork(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                     Work* work);
cudaError_t SymbolWork(Runtime& runtime, bool to_symbol, const void* symbol, const void* memory,
                       std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, Work* work);
// Makes a RecordNode or a WaitNode.
template <class EventNode>
cudaError_t EventWork(Runtime& runtime, cudaEvent_t event, Work* work) {
  if (runtime.streams.Find(event) == nullptr) return cudaErrorInvalidResourceHandle;
  *work = EventNode{event};
  return cudaSuccess;
}
// Reserves the memory, and stores its address in parameters->dptr.
cudaError_t AllocWork(Runtime& runtime, cudaMemAllocNodeParams* parameters, Work* work);
cudaError_t FreeWork(Runtime& runtime, const void* pointer, Work* work);
// Makes the work of any node but one that allocates or frees memory.
cudaError_t WorkOf(Runtime& runtime, const cudaGraphNodeParams& parameters, Work* work);

// Replaces the work of a node by other work of the same type, and keeps its attributes. Fails with
// cudaErrorInvalidValue for another type.
cudaError_t Replace(Node* node, Work work);

// These return the parameters. Those of a kernel point into `kernel`, which must live as long as
// they are used.
cudaError_t ParametersOf(Runtime& runtime, KernelNode& kernel, cudaKernelNodeParams* parameters);
cudaMemcpy3DParms ParametersOf(const CopyNode& copy);
cudaMemsetParams ParametersOf(const FillNode& fill);

}  // namespace warpcheck::cudart
