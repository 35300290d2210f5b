#include "cudart/order/thread_stream.h"

namespace warpcheck::cudart {

char warpcheck_default_stream_per_thread = 0;

bool IsOfThread(cudaStream_t stream) {
  return stream == cudaStreamPerThread ||
         (stream == nullptr && warpcheck_default_stream_per_thread != 0);
}

}  // namespace warpcheck::cudart
