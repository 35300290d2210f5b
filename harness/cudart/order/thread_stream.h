// Tells which handles mean the default stream of a thread.
#pragma once

#include <cuda_runtime_api.h>

namespace warpcheck::cudart {

// Is set by entry points for programs that are compiled with --default-stream per-thread
// (calls/per_thread.cc).
extern "C" [[gnu::visibility("hidden")]] char warpcheck_default_stream_per_thread;

// Returns true if the handle means the default stream of the calling thread.
bool IsOfThread(cudaStream_t stream);

}  // namespace warpcheck::cudart
