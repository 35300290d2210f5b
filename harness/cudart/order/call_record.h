// A CallRecord records the program's calls of the runtime, as HostCalls (order/host_call.h). It is
// bounded, and finds the source lines of its calls only when it is taken.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cudart/order/lane.h"
#include "cudart/tables/host_thread.h"
#include "debuginfo/host_lines.h"
#include "order/host_call.h"
#include "order/timelines.h"

namespace warpcheck::cudart {

class CallRecord {
 public:
  // These give a stream or an event the next number.
  void StreamCreated(cudaStream_t stream, bool non_blocking);
  void StreamDestroyed(cudaStream_t stream) { streams_.erase(stream); }
  // An event is the program's, or the begin, the end or an edge of a graph.
  void Recorded(order::Handle event, Lane lane);
  // The event stands for nothing if it was never recorded.
  void Waits(Lane lane, order::Handle event);

  // Adds a call in a lane, whose number it fills in. `place` is the address to which the
  // program's call returns; if it is 0, the place and the function are looked for.
  void Add(Lane lane, HostCall call, std::uint64_t place = 0);
  // The host waits for the device, a stream or an event. A wait for an event that was never
  // recorded is no wait.
  void HostWaitsForDevice();
  void HostWaitsForStream(cudaStream_t stream);
  void HostWaitsForEvent(cudaEvent_t event);
  void EventDestroyed(cudaEvent_t event) { events_.erase(reinterpret_cast<order::Handle>(event)); }

  // Returns the record, and begins a new one. Streams keep their numbers. `lines` finds the lines
  // of the calls.
  HostCalls Take(HostLines& lines);
  void Clear() { *this = {}; }

 private:
  // Returns the index of the stream, or kMostStreams if there are too many.
  std::uint32_t IndexOf(Lane lane);
  std::uint32_t AddStream(HostStream stream);
  void Append(HostCall call, std::uint64_t place, const LaunchedNode* node = nullptr);

  static HostCalls Empty() {
    return {.streams = {{.name = "the default stream", .is_default = true}}};
  }

  // Finding out where a call was made takes some microseconds, so it is done this often; later
  // calls are left out.
  static constexpr std::size_t kMostLookedFor = 16'384;

  HostCalls calls_ = Empty();
  std::vector<std::uint64_t> places_;  // of calls_.calls
  std::map<cudaStream_t, std::uint32_t> streams_;
  std::map<HostThread, std::uint32_t> threads_;    // default streams of threads
  std::map<order::Handle, std::uint32_t> chains_;  // of graphs
  std::map<order::Handle, std::uint32_t> events_;  // those that were recorded
  std::uint32_t last_event_ = 0;
  std::size_t looked_for_ = 0;  // calls whose place was looked for
  int created_ = 0;             // streams that the program has created
};

}  // namespace warpcheck::cudart
