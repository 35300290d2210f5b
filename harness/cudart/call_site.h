// Which call of the runtime API is running, and from where: by walking the stack, so that it costs
// nothing until somebody asks.
#pragma once

#include <string>

namespace warpcheck::cudart {

struct CallSite {
  std::string function;  // "cudaMemcpyAsync"; "a CUDA call" where it is not known
  std::string caller;    // "transpose(float const*, float*, int, int)"; empty where not known

  std::string Text() const;  // "cudaMemcpyAsync in transpose(...)"
};

// The outermost entry point of the API on this thread's stack. Its caller is the first function in
// another object that has a name there; `skip` is the address of one that does not count.
CallSite CurrentCall(const void* skip = nullptr);

}  // namespace warpcheck::cudart
