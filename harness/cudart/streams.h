// Streams and events. Work runs when it is handed over, so that a stream is always empty when a
// call returns: one of the schedules that CUDA allows.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/box.h"

namespace warpcheck::cudart {

struct Runtime;

enum class HandleKind { kStream, kEvent };

struct Stream {
  std::uint64_t id = 0;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
};

struct Event {
  unsigned flags = cudaEventDefault;
  std::optional<std::chrono::steady_clock::time_point> recorded{};
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

// Asynchronous copies to pinned host memory. CUDA promises their bytes to the host only once it has
// waited for them, and here they arrive no sooner: a program that reads too early sees the old
// bytes, each time. What uses that memory in the device's order gets the new ones before.
// And kernels in streams that the default stream does not wait for: who calls the program and then
// uses the default stream may find them unfinished.

class LateCopies {
 public:
  // A box of the host, which holds what was there before the copy again until the program waits
  // for `bytes`, its rows without gaps.
  struct Target {
    std::byte* host = nullptr;
    Strides strides{};
    Extent3 extent{};
    std::vector<std::byte> bytes{};  // empty once delivered
  };
  void Add(cudaStream_t stream, Target target, std::string call);

  // `kernel` was launched in `stream`, for which the default stream does not wait.
  void AddKernel(cudaStream_t stream, std::string kernel);

  // For work that follows on the device: the bytes are there, but the host may not know it.
  void Deliver();

  // The program waits for everything, for a stream, or for an event: that is over.
  void WaitForAll();
  void WaitFor(cudaStream_t stream);
  void WaitFor(cudaEvent_t event);

  // `event` comes after what is in `stream` now; `stream` goes on after `event`, and the default
  // stream after `stream` where it waits for that.
  void Recorded(cudaEvent_t event, cudaStream_t stream);
  void StreamWaits(cudaStream_t stream, cudaEvent_t event, bool default_waits);

  // Tells of the copies and kernels that nobody waited for, and forgets them.
  void NoteLeftovers(Runtime& runtime);
  void Clear() { *this = {}; }

 private:
  struct Copy {
    Target target{};
    std::string call{};                   // or the kernel's name
    bool kernel = false;                  // no copy
    std::vector<cudaStream_t> streams{};  // whose end is after this copy
    std::vector<cudaEvent_t> events{};
  };
  static bool IsBefore(const Copy& copy, cudaStream_t stream);
  static void Deliver(Copy& copy);
  template <class Covered>
  void Finish(Covered covered);
  template <class Which>
  void Erase(Which which);
  // Of copies that are delivered, and of which the same is to be told, one is kept: a loop of many
  // steps may wait once, at its end.
  void JoinAlike();

  std::vector<Copy> copies_;       // in the order of their calls
  std::size_t delivered_ = 0;      // so many of the first are
  std::size_t most_ = kFewCopies;  // beyond it, those that are alike are joined
  static constexpr std::size_t kFewCopies = 64;
};

}  // namespace warpcheck::cudart
