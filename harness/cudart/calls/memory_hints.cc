// Implements hints about managed memory. The calls check and accept hints; the place of managed
// memory is not modelled. The symbols of these functions are written by hand, because the functions
// have other trailing parameters in CUDA 12.
#include "cudart/call.h"

namespace warpcheck::cudart {
namespace {

cudaError_t AcceptHint(const void* pointer, std::size_t bytes) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Allocation* allocation = runtime.memory.Find(pointer);
    const bool managed =
        allocation != nullptr && allocation->managed() && allocation->Holds(pointer, bytes);
    return bytes != 0 && managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // namespace

#define HINT(symbol)                                                               \
  extern "C" cudaError_t Hint_##symbol(const void*, std::size_t) __asm__(#symbol); \
  extern "C" cudaError_t Hint_##symbol(const void* pointer, std::size_t bytes) {   \
    return AcceptHint(pointer, bytes);                                             \
  }

HINT(cudaMemPrefetchAsync)
HINT(cudaMemPrefetchAsync_ptsz)
HINT(cudaMemPrefetchAsync_v2)
HINT(cudaMemPrefetchAsync_v2_ptsz)
HINT(cudaMemAdvise)
HINT(cudaMemAdvise_v2)

}  // namespace warpcheck::cudart
