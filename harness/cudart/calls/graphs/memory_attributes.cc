// Implements what a program asks and sets of the memory of graphs (CUDA Runtime API, "Graph
// Management").
#include "cudart/call.h"
#include "cudart/calls/graphs/graph_memory.h"

namespace warpcheck::cudart {
namespace {

// Returns nullptr if the program cannot set the attribute.
std::uint64_t* PeakOf(Runtime& runtime, cudaGraphMemAttributeType attribute) {
  GraphTable::MemoryUsed& most = runtime.graphs.most_used();
  if (attribute == cudaGraphMemAttrUsedMemHigh) return &most.live;
  return attribute == cudaGraphMemAttrReservedMemHigh ? &most.reserved : nullptr;
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (value == nullptr) return cudaErrorInvalidValue;
    auto& number = *static_cast<std::uint64_t*>(value);
    if (const std::uint64_t* const peak = PeakOf(runtime, attribute)) {
      number = *peak;
    } else if (attribute == cudaGraphMemAttrUsedMemCurrent) {
      number = runtime.graphs.Used().live;
    } else if (attribute == cudaGraphMemAttrReservedMemCurrent) {
      number = runtime.graphs.Used().reserved;
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

// The peaks can only be set to zero, which resets them to the current values.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    std::uint64_t* const peak = PeakOf(runtime, attribute);
    if (value == nullptr || peak == nullptr || *static_cast<const std::uint64_t*>(value) != 0) {
      return cudaErrorInvalidValue;
    }
    *peak = 0;
    runtime.graphs.NoteUsed();
    return cudaSuccess;
  });
}

// A GPU would give back memory that no node needs any more. This runtime keeps no such memory.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return Call(Timing::kHost,
              [&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
