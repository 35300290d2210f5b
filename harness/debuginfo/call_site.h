// Finds the runtime call that is running and the function that made it. It walks the stack only
// when a message needs it, so that calls cost nothing otherwise.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck {

struct CallSite {
  std::string function;  // such as "cudaMemcpyAsync"; "a CUDA call" if unknown
  std::string caller;    // such as "transpose(float const*, float*, int, int)"; empty if unknown
  // The program goes on at this address after the call; 0 if unknown. If a header of a library
  // made the call, such as one of Thrust or CUB, the program goes on here after it called the
  // library.
  std::uint64_t address = 0;

  std::string Text() const;  // Returns a text such as "cudaMemcpyAsync in transpose(...)".
};

// Returns the outermost entry point on this thread's stack. Its caller is the first named function
// of another object that has a line of the author's, or the first named one if none has; the
// function at address `skip` does not count.
CallSite CurrentCall(const void* skip = nullptr);

// While it exists, the calls of this thread have the given address. The program makes a <<<>>> by a
// function that has no lines, so the address on the stack says nothing. 0 changes nothing.
class CallsAt {
 public:
  explicit CallsAt(std::uint64_t address);
  ~CallsAt();
  CallsAt(const CallsAt&) = delete;
  CallsAt& operator=(const CallsAt&) = delete;

 private:
  std::uint64_t outer_;
};

}  // namespace warpcheck
