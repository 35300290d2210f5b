// Asynchronous copies to pinned host memory. CUDA promises their bytes to the host only once it has
// waited for them, and here they arrive no sooner: a program that reads too early sees the old
// bytes, each time. What uses that memory in the device's order gets the new ones before.
// And kernels in streams that the default stream does not wait for: who calls the program and then
// uses the default stream may find them unfinished.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/box.h"

namespace warpcheck::cudart {

// Pages of this process's own memory.

std::size_t PageBytes();

// Zeroed memory of whole pages, at `at` where that is not nullptr; nullptr where there is none, or
// where something else is there already.
std::byte* MapPages(std::size_t bytes, void* at = nullptr);
void UnmapPages(std::byte* start, std::size_t bytes);

// True where every page of the range is mapped in this process, so that reading it is no crash.
bool IsMapped(const void* start, std::uint64_t bytes);

class Runtime;

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
  void Clear() { copies_.clear(); }

 private:
  struct Copy {
    Target target{};
    std::string call;                   // or the kernel's name
    bool kernel = false;                // no copy
    std::vector<cudaStream_t> streams;  // whose end is after this copy
    std::vector<cudaEvent_t> events;
  };
  static bool IsBefore(const Copy& copy, cudaStream_t stream);
  static void Deliver(Copy& copy);
  template <class Covered>
  void Finish(Covered covered);

  std::vector<Copy> copies_;  // in the order of their calls
};

}  // namespace warpcheck::cudart
