// Schedule says what could overlap: when each task of several streams would run if nothing but
// streams and engines made it wait.
#pragma once

#include <cstdint>
#include <vector>

namespace warpcheck::lab {

// A GPU has an engine for copies from the host, one for kernels and one for copies to the host.
// Each runs one task after another here; a kernel that fills the GPU leaves no room for another.
enum class Engine : std::uint8_t { kCopyIn, kKernel, kCopyOut };

struct Task {
  std::uint32_t stream = 0;
  Engine engine = Engine::kKernel;
  double length = 1;
  bool host_waits = false;  // true if the host starts later tasks only after this one
};

struct Span {
  double begin = 0, end = 0;
};

// Returns when each task runs, in the order in which the host starts them. A task begins as soon as
// the tasks before it in its stream, those before it of its engine, and those for which the host
// waits, have ended.
std::vector<Span> Schedule(const std::vector<Task>& tasks);

}  // namespace warpcheck::lab
