// Streams and events. Work runs when it is handed over, so that a stream is always empty when a
// call returns: one of the schedules that CUDA allows.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace warpcheck::cudart {

enum class HandleKind { kStream, kEvent };

struct Stream {
  std::uint64_t id = 0;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
};

struct Event {
  unsigned flags = cudaEventDefault;
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

// The range of priorities, as on every GPU so far; a lower number is served first.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

class StreamTable {
 public:
  StreamTable();

  cudaStream_t CreateStream(unsigned flags, int priority);
  cudaEvent_t CreateEvent(unsigned flags);
  // False where there is no such stream or event. The default streams cannot be destroyed.
  bool Destroy(cudaStream_t stream);
  bool Destroy(cudaEvent_t event);

  // nullptr for a handle that was destroyed or never given out. The default streams are known:
  // 0, cudaStreamLegacy and cudaStreamPerThread.
  const Stream* Find(cudaStream_t stream) const;
  Event* Find(cudaEvent_t event);
  bool Knows(cudaStream_t stream) const { return Find(stream) != nullptr; }

  // False for a non-blocking stream, and for one that is not known.
  bool DefaultWaitsFor(cudaStream_t stream) const;

  // What was looked for last and not found, since this was last asked; nullptr for nothing.
  const void* TakeUnknown() { return std::exchange(unknown_, nullptr); }
  // What a handle was until it was destroyed; nullopt for one that never was.
  std::optional<HandleKind> Destroyed(const void* handle) const;

  void Clear();

 private:
  // Handles are numbers of their own, never reused, never dereferenced.
  std::uint64_t NextHandle() { return next_ += 16; }

  std::uint64_t next_ = 0x10000;
  std::map<cudaStream_t, Stream> streams_;
  std::map<cudaEvent_t, Event> events_;
  std::map<const void*, HandleKind> destroyed_;
  mutable const void* unknown_ = nullptr;
};

}  // namespace warpcheck::cudart
