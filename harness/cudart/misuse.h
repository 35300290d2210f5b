// What the runtime remembers to explain mistakes in its use: findings that the device's log gets
// (device/finding.h, IsMisuse). Guarded by the runtime's mutex, as everything in Runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "cudart/memory_table.h"
#include "device/device.h"

namespace warpcheck::cudart {

struct Runtime;

// Tells the device's log, once for each message.
void NoteMisuse(Runtime& runtime, FindingKind kind, const std::string& message);

class Misuse {
 public:
  // True the first time, up to a number of messages that a person may read.
  bool IsNew(const std::string& message);

  void Allocated(const void* pointer, std::uint64_t bytes);
  void Freed(const void* pointer);
  // The running call could not free `pointer`.
  void NoteInvalidFree(Runtime& runtime, const void* pointer) const;

  // A launch by <<<>>> was refused. Nobody else sees what it returned but those who ask.
  void LaunchRefused(std::string message);
  void ErrorAsked();  // by this thread

  // At the end of a program, or of one call of a judge: launches that nobody asked about, and
  // memory that was never freed. Each is told once.
  void NoteLeftovers(Runtime& runtime);
  void ForgetAllocations();  // all at once, as cudaDeviceReset does
  void Clear() { *this = {}; }

 private:
  struct Origin {
    std::uint64_t bytes = 0;
    std::string call;  // "cudaMalloc in f()"
  };
  std::set<std::string> told_;
  std::map<std::uintptr_t, Origin> live_;
  std::set<std::uintptr_t> freed_;  // and not allocated again
  std::map<std::thread::id, std::string> refused_;
};

// A call was given a stream or an event that is not known: `handle`.
void NoteUnknownHandle(Runtime& runtime, const void* handle);

}  // namespace warpcheck::cudart
