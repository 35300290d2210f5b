// A Lane says where a piece of work stands: in a stream, or in a node of a graph that was launched
// in a stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

#include "order/clocks.h"

namespace warpcheck::cudart {

// A node of a graph in a launch. The nodes of a chain run one after the other.
struct LaunchedNode {
  order::Handle chain = 0;
  std::string call{};       // the call of the program that made the node
  std::uint64_t place = 0;  // the place of that call
};

struct Lane {
  cudaStream_t stream = nullptr;
  const LaunchedNode* node = nullptr;  // null for work that is in the stream itself

  Lane(cudaStream_t of_work) : stream(of_work) {}  // NOLINT: a stream is a lane
  Lane(cudaStream_t of_launch, const LaunchedNode* launched) : stream(of_launch), node(launched) {}
};

}  // namespace warpcheck::cudart
