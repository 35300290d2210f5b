// Captures keeps which streams are being captured, and what their next nodes depend on (CUDA
// Programming Guide, "Stream Capture"; CUDA Runtime API, cudaStreamBeginCapture).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cudart/tables/host_thread.h"

namespace warpcheck::cudart {

// The name of a stream here. A default stream of a thread is a stream of its own.
using StreamKey = std::pair<cudaStream_t, HostThread>;
StreamKey KeyOf(cudaStream_t stream);
bool IsLegacy(cudaStream_t stream);

using NodeList = std::vector<cudaGraphNode_t>;

// A capture sequence, from cudaStreamBeginCapture to cudaStreamEndCapture.
struct Capture {
  std::uint64_t id = 0;
  cudaGraph_t graph = nullptr;
  bool own_graph = true;  // the capture has made the graph, and no one else knows it
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  HostThread thread = 0;  // the thread that began it
  StreamKey origin{};     // the stream in which it began
  bool invalid = false;
  bool blocking = false;    // one of its streams is a blocking one
  std::uint64_t place = 0;  // where the program went on after the call that began it
  // The streams that take part, with the nodes on which the next node of each depends.
  std::map<StreamKey, NodeList> streams{};
};

class Captures {
 public:
  bool empty() const { return captures_.empty(); }
  // Returns the capture that the stream takes part in, or nullptr.
  Capture* Of(cudaStream_t stream);
  Capture* Find(std::uint64_t id);
  Capture& Begin(Capture capture);
  void End(const Capture& capture);

  // Returns a valid capture to which the legacy default stream would be tied, or nullptr.
  Capture* TiedToLegacy();
  // Returns a valid capture that forbids this thread a call that may be unsafe, or nullptr
  // (cudaThreadExchangeStreamCaptureMode). With `always`, every capture forbids the call.
  Capture* ThatForbids(bool always);
  // Sets the mode of this thread, and returns the one before.
  cudaStreamCaptureMode ExchangeMode(cudaStreamCaptureMode mode);

  // An event whose last record was captured stands for these nodes.
  struct Recorded {
    std::uint64_t capture = 0;  // its id
    NodeList nodes{};
  };
  void Record(cudaEvent_t event, Recorded recorded) { events_[event] = std::move(recorded); }
  // Returns nullptr for an event that was not last recorded in a capture.
  const Recorded* Find(cudaEvent_t event) const;
  // Call it when an event is recorded outside of captures, or destroyed.
  void Forget(cudaEvent_t event) { events_.erase(event); }

  void Clear();

 private:
  std::list<Capture> captures_;
  std::uint64_t last_id_ = 0;
  std::map<cudaEvent_t, Recorded> events_;
  std::map<HostThread, cudaStreamCaptureMode> modes_;  // global if a thread is not listed
};

// Adds to `nodes` each node of `more` that it does not have.
void AddTo(NodeList& nodes, const NodeList& more);

}  // namespace warpcheck::cudart
