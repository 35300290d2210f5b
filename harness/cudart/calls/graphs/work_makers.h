// Each of these returns a function make_work(runtime, &work) that makes the work of a node. The
// calls that add nodes and those that change them share these functions. What the given pointers
// point to must exist until make_work() is called.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/calls/graphs/node_work.h"

namespace warpcheck::cudart {

template <class Parameters>
auto MakeOf(const Parameters* parameters) {
  return [=](Runtime& runtime, Work* work) { return WorkOf(runtime, parameters, work); };
}

inline auto MakeOf(const cudaGraphNodeParams* parameters) {
  return [=](Runtime& runtime, Work* work) {
    return parameters == nullptr ? cudaErrorInvalidValue : WorkOf(runtime, *parameters, work);
  };
}

inline auto MakeCopy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](Runtime&, Work* work) { return CopyWork(to, from, bytes, kind, work); };
}

inline auto MakeSymbolCopy(bool to_symbol, const void* symbol, const void* memory,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return [=](Runtime& runtime, Work* work) {
    return SymbolWork(runtime, to_symbol, symbol, memory, bytes, offset, kind, work);
  };
}

template <class EventNode>
auto MakeEvent(cudaEvent_t event) {
  return [=](Runtime& runtime, Work* work) { return EventWork<EventNode>(runtime, event, work); };
}

}  // namespace warpcheck::cudart
