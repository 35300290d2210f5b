// What the warden (warden_main.cc), the first process of a sandbox, tells the judge, over a
// SOCK_SEQPACKET socket that no untrusted process holds. The socket is its lifeline as well: when
// the judge closes its end, or dies, the warden ends and everything it started ends with it.
//
// The warden's arguments: control fd, inherited fd (-1: none), its own image's fd, the fd of the
// filter of system calls (-1: none; call_filter.h), cpu seconds, memory bytes, processes, file
// bytes, "namespace" or "descendants" (what it has to watch and kill), directory, number of
// environment entries, the entries, the program and its arguments.
#pragma once

#include <cstdint>

namespace warpcheck::sandbox {

enum class WardenEvent : std::uint32_t {
  kStarted,        // the program was executed
  kNotStarted,     // value: errno
  kEnded,          // value: the wait status
  kCpuTime,        // a process used up its time; the rest die now
  kMemory,         // all processes together are larger than the limit
  kProcesses,      // there are more tasks than allowed
  kForbiddenCall,  // value: the system call's number, -1 for one of another architecture
};

struct WardenReport {
  WardenEvent event;
  std::int32_t value;
  std::uint64_t cpu_microseconds;   // of the program itself; with kEnded
  std::uint64_t peak_memory_bytes;  // the largest seen so far
};

}  // namespace warpcheck::sandbox
