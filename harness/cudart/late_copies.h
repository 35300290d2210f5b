// Delays what the host sees of asynchronous copies to pinned memory. CUDA promises their bytes only
// after the program has waited for them, so a program that reads too early sees the old bytes here,
// every time. Work that uses the memory in the device's order gets the new bytes before.
//
// Also remembers kernels in streams for which the default stream does not wait: if the program does
// not wait for them either, whoever uses the default stream next may find them unfinished.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "device/box.h"

namespace warpcheck::cudart {

struct Runtime;

class LateCopies {
 public:
  // A box of host memory. It holds the old bytes until the program waits for `bytes`, the new ones,
  // whose rows have no gaps.
  struct Target {
    std::byte* host = nullptr;
    Strides strides{};
    Extent3 extent{};
    std::vector<std::byte> bytes{};  // empty once delivered
  };
  void Add(cudaStream_t stream, Target target, std::string call);

  // Records that `kernel` was launched in `stream`, for which the default stream does not wait.
  void AddKernel(cudaStream_t stream, std::string kernel);

  // Call it before later work on the device. Writes the new bytes; the program may still not have
  // waited for them.
  void Deliver();

  // The program waits for everything, for a stream, or for an event. Writes the new bytes and
  // forgets what is finished.
  void WaitForAll();
  void WaitFor(cudaStream_t stream);
  void WaitFor(cudaEvent_t event);

  // Recorded(): `event` comes after everything in `stream`. StreamWaits(): `stream` goes on after
  // `event`, and so does the default stream if `default_waits`.
  void Recorded(cudaEvent_t event, cudaStream_t stream);
  void StreamWaits(cudaStream_t stream, cudaEvent_t event, bool default_waits);

  // Reports the copies and kernels that the program did not wait for, and forgets them.
  void NoteLeftovers(Runtime& runtime);
  void Clear() { *this = {}; }

 private:
  struct Copy {
    Target target{};
    std::string call{};                   // the call that copies, or the kernel's name
    bool kernel = false;                  // true for a kernel
    std::vector<cudaStream_t> streams{};  // streams whose end comes after this copy
    std::vector<cudaEvent_t> events{};
  };
  static bool IsBefore(const Copy& copy, cudaStream_t stream);
  static void Deliver(Copy& copy);
  template <class Covered>
  void Finish(Covered covered);
  template <class Which>
  void Erase(Which which);
  // Keeps one of the delivered copies that would be reported alike, since a loop of many steps may
  // wait once, at its end.
  void JoinAlike();

  std::vector<Copy> copies_;       // in the order of their calls
  std::size_t delivered_ = 0;      // this many of the first copies are delivered
  std::size_t most_ = kFewCopies;  // with more copies, those that are alike are joined
  static constexpr std::size_t kFewCopies = 64;
};

}  // namespace warpcheck::cudart
