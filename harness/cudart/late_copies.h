// LateCopies delays what the host sees of asynchronous copies to pinned memory. CUDA promises their
// bytes only after the program has waited for them, so a program that reads too early always sees
// the old bytes here. Work that uses the memory in the device's order gets the new bytes.
//
// It also remembers kernels in streams for which the default stream does not wait. If the program
// does not wait for these kernels either, later work in the default stream may find them
// unfinished.
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
  // A Target is a box of host memory. The memory keeps its old bytes until the program waits.
  // `bytes` are the new bytes, whose rows have no gaps.
  struct Target {
    std::byte* host = nullptr;
    Strides strides{};
    Extent3 extent{};
    std::vector<std::byte> bytes{};  // empty after delivery
  };
  void Add(cudaStream_t stream, Target target, std::string call);

  // Records that `kernel` was launched in `stream`, for which the default stream does not wait.
  void AddKernel(cudaStream_t stream, std::string kernel);

  // Call this before later work on the device. It writes the new bytes, but does not count as a
  // wait of the program.
  void Deliver();

  // These are called when the program waits for everything, for a stream, or for an event. They
  // write the new bytes and forget what is finished.
  void WaitForAll();
  void WaitFor(cudaStream_t stream);
  void WaitFor(cudaEvent_t event);

  // Recorded() means that `event` comes after everything in `stream`. StreamWaits() means that
  // `stream` continues only after `event`, and so does the default stream if `default_waits`.
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
    std::vector<cudaStream_t> streams{};  // waiting for one of these streams covers this copy
    std::vector<cudaEvent_t> events{};
  };
  static bool IsBefore(const Copy& copy, cudaStream_t stream);
  static void Deliver(Copy& copy);
  template <class Covered>
  void Finish(Covered covered);
  template <class Which>
  void Erase(Which which);
  // Keeps only one of the delivered copies that would give the same report, because a loop of many
  // steps may wait once, at its end.
  void JoinAlike();

  std::vector<Copy> copies_;   // copies in the order of their calls
  std::size_t delivered_ = 0;  // this many of the first copies are delivered
  // If there are more copies than this, those that are alike are joined.
  std::size_t most_ = kFewCopies;
  static constexpr std::size_t kFewCopies = 64;
};

}  // namespace warpcheck::cudart
