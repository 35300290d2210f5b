// Finds the runtime call that is running and the function that made it. It walks the stack only
// when a message needs it, so that calls cost nothing otherwise.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck::cudart {

struct CallSite {
  std::string function;  // such as "cudaMemcpyAsync"; "a CUDA call" if unknown
  std::string caller;    // such as "transpose(float const*, float*, int, int)"; empty if unknown
  std::uint64_t address = 0;  // where the program goes on after the call; 0 if unknown

  std::string Text() const;  // Returns a text such as "cudaMemcpyAsync in transpose(...)".
};

// Returns the outermost entry point on this thread's stack. Its caller is the first named function
// of another object; the function at address `skip` does not count.
CallSite CurrentCall(const void* skip = nullptr);

}  // namespace warpcheck::cudart
