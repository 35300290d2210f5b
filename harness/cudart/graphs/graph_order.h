// GraphOrder tells the order of streams what a launch of a graph promises: nodes are ordered by
// edges, and all of them come after earlier work of the stream and before later work.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cudart/graphs/schedule.h"
#include "cudart/order/host_side.h"

namespace warpcheck::cudart {

// Each executable graph has one. A launch comes after the earlier launches of the same executable
// graph, in any stream.
class GraphOrder {
 public:
  // A launch begins and ends in its stream. Each step begins with a node, in whose lane its work
  // runs, and ends there.
  void Begin(HostSide& host, cudaStream_t stream, const Schedule& schedule);
  LaunchedNode BeginStep(HostSide& host, cudaStream_t stream, const Schedule& schedule,
                         std::size_t step) const;
  void EndStep(HostSide& host, const Lane& lane, const Schedule& schedule, std::size_t step) const;
  void End(HostSide& host, cudaStream_t stream, const Schedule& schedule) const;
  // Call it when the executable graph is destroyed.
  void Forget(HostSide& host) const;

 private:
  // Numbers for the order, in which each chain is a stream. Events are numbered apart from streams,
  // from the same number on: the begin of a launch, its end, and then the end of each step.
  order::Handle Chain(std::size_t chain) const { return first_ + chain; }
  order::Handle Began() const { return first_; }
  order::Handle Ended() const { return first_ + 1; }
  order::Handle Finished(std::size_t step) const { return first_ + 2 + step; }

  order::Handle first_ = 0;
  std::size_t chains_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace warpcheck::cudart
