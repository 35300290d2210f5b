// Misuse remembers what is needed to explain mistakes in the use of the API, and reports them to
// the device's log (device/finding.h, IsMisuse). The runtime's mutex guards it, like everything in
// Runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "cudart/tables/handle_kind.h"
#include "cudart/tables/host_thread.h"
#include "cudart/tables/memory_table.h"
#include "device/device.h"
#include "device/finding.h"
#include "hostwatch/host_faults.h"
#include "order/origin.h"

namespace warpcheck::cudart {

struct Runtime;

// Reports a finding to the device's log, if the quota of its kind admits it
// (FindingQuota).
void NoteMisuse(Runtime& runtime, const Finding& finding);
// Reports a mistake in the running call, with its line.
void NoteMisuse(Runtime& runtime, FindingKind kind, const std::string& message);

// A call of the program that returned an error. Calls that fail because of an earlier error, or
// because warpcheck does not offer them, are not among these.
struct RefusedCall {
  std::string call;   // such as "cudaMalloc in main"
  std::string error;  // such as "cudaErrorMemoryAllocation"
  std::string why{};  // what the call itself does not tell; may be empty
  SourceLocation where{};
};

class Misuse {
 public:
  // Returns true if the finding is to be reported.
  bool Admits(const Finding& finding) { return quota_.Admits(finding); }

  // The running call has made something that the program has to give back, or has given it back.
  void Made(HandleKind kind, std::uint64_t handle);
  void GaveBack(HandleKind kind, std::uint64_t handle) { handles_.erase({kind, handle}); }
  void Made(HandleKind kind, const void* handle) {
    Made(kind, reinterpret_cast<std::uint64_t>(handle));
  }
  void GaveBack(HandleKind kind, const void* handle) {
    GaveBack(kind, reinterpret_cast<std::uint64_t>(handle));
  }

  void Allocated(const void* pointer, std::uint64_t bytes);
  void Freed(const void* pointer);
  // Returns the memory that holds the byte at `address`; nothing if the program has not allocated
  // it.
  std::optional<Origin> OriginOf(std::uintptr_t address) const;
  // Reports that the running call could not free `pointer`, and why.
  void NoteInvalidFree(Runtime& runtime, const void* pointer) const;

  // Call this when a <<<>>> launch was refused: the program learns of that only by asking for the
  // last error. `place` is where the program goes on after the launch.
  void LaunchRefused(std::string message, std::uint64_t place);
  void ErrorAsked();  // call this when this thread asked for its last error

  // Call this at the end of a program, or of one call of a judge. It reports, once each, launches
  // whose error was not asked for, memory that was not freed, and handles that were not destroyed.
  void NoteLeftovers(Runtime& runtime);
  void ForgetAllocations();  // call this when cudaDeviceReset gives up everything
  void Clear() { *this = {}; }

 private:
  // The call that made a handle.
  struct Maker {
    std::string call;         // such as "cudaStreamCreate in main"
    std::uint64_t place = 0;  // where the program goes on after the call
  };

  void NoteHandles(Runtime& runtime) const;

  FindingQuota quota_;
  std::map<std::pair<HandleKind, std::uint64_t>, Maker> handles_;
  std::map<std::uintptr_t, Origin> live_;
  std::set<std::uintptr_t> freed_;  // addresses that were freed and not allocated again
  struct RefusedLaunch {
    std::string message;
    std::uint64_t place = 0;
  };
  std::map<HostThread, RefusedLaunch> refused_;
};

// Reports the array of the device that the program's own code used, if it did so.
void NoteHostFault(Runtime& runtime, const HostFault& fault);

// Reports that a call was given an unknown stream or event.
void NoteUnknownHandle(Runtime& runtime, const void* handle);

}  // namespace warpcheck::cudart
