// StreamTable has the streams and events of the program. The device does work when a call hands it
// over, so that a stream is empty whenever a call returns; CUDA allows that schedule.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "cudart/tables/handle_kind.h"

namespace warpcheck::cudart {

// A stream or event that is no more.
struct DestroyedHandle {
  HandleKind kind = HandleKind::kStream;
  std::uint64_t place = 0;  // where the program went on after it destroyed the handle
};

struct Stream {
  std::uint64_t id = 0;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
};

struct Event {
  unsigned flags = cudaEventDefault;
  std::optional<std::chrono::steady_clock::time_point> recorded{};
};

// The range of priorities, as on all GPUs so far. A lower number has priority.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

class StreamTable {
 public:
  StreamTable();

  cudaStream_t CreateStream(unsigned flags, int priority);
  cudaEvent_t CreateEvent(unsigned flags);
  // Destroys a handle in the call that returns to `place`. Returns false if there is no such stream
  // or event. The default streams cannot be destroyed.
  bool Destroy(cudaStream_t stream, std::uint64_t place);
  bool Destroy(cudaEvent_t event, std::uint64_t place);

  // Returns nullptr for a handle that was destroyed or never existed. Also knows the default
  // streams: 0, cudaStreamLegacy and cudaStreamPerThread.
  const Stream* Find(cudaStream_t stream) const;
  Event* Find(cudaEvent_t event);
  bool Knows(cudaStream_t stream) const { return Find(stream) != nullptr; }

  // Returns false for a non-blocking stream, and for an unknown stream.
  bool DefaultWaitsFor(cudaStream_t stream) const;

  // Returns the last handle that was not found since the previous call, or nullptr if there is no
  // such handle.
  const void* TakeUnknown() { return std::exchange(unknown_, nullptr); }
  // Returns nothing for a handle that never existed.
  std::optional<DestroyedHandle> Destroyed(const void* handle) const;

  // Calls body(stream) for each stream that the program has created.
  template <class Body>
  void EachStream(Body body) const {
    for (const auto& [handle, stream] : streams_) {
      if (!IsDefault(handle)) body(handle);
    }
  }

  void Clear();

 private:
  static bool IsDefault(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  }
  // Handles are numbers that are never reused and never dereferenced.
  std::uint64_t NextHandle() { return next_ += 16; }

  std::uint64_t next_ = 0x10000;
  std::map<cudaStream_t, Stream> streams_;
  std::map<cudaEvent_t, Event> events_;
  std::map<const void*, DestroyedHandle> destroyed_;
  mutable const void* unknown_ = nullptr;
};

}  // namespace warpcheck::cudart
