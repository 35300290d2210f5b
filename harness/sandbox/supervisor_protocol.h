// What the supervisor (supervisor.h), the first process of a sandbox, tells the judge, over a
// SOCK_SEQPACKET socket that no untrusted process holds. The socket is its lifeline as well: when
// the judge closes its end, or dies, the supervisor ends and everything it started ends with it.
// What the judge sends is a SupervisorQuestion; each is answered by one kActivity.
//
// The supervisor's arguments: control fd, inherited fd (-1: none), its own image's fd, the fd of
// the filter of system calls (-1: none; call_filter.h), cpu seconds, memory bytes, processes, file
// bytes, descriptors of a process, "namespace" or "descendants" (what it has to watch and kill),
// directory, number of environment entries, the entries, the program and its arguments.
//
// A fork server's (fork_server_process.cc) argument is kForkServerWord, its end of a SOCK_SEQPACKET
// socket is descriptor kForkServerSocket: it starts the same way in every jail, so that what
// is copied from it has the same addresses. It sends an answer when it is ready, and one for each
// order. An order is a supervisor's arguments as one message, each ended by a null byte, where an
// fd says no more than whether there is one (-1: none); the descriptors come with it: the
// supervisor's end of its control socket, stdout, stderr, the filter, the inherited one. An answer
// is an errno; 0 comes with a pidfd, of the fork server first, then of the supervisor that was
// started.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::sandbox {

constexpr char kForkServerWord[] = "--fork-server";
constexpr int kForkServerSocket = 3;
constexpr std::size_t kForkServerMessageBytes = std::size_t{64} << 10;  // an order's

// The size of the /tmp of a program that may write files of `file_bytes` each.
constexpr std::uint64_t TmpBytes(std::uint64_t file_bytes) { return file_bytes * 2 + 65'536; }

enum class SupervisorEvent : std::uint32_t {
  kStarted,        // the program was executed
  kNotStarted,     // value: errno
  kEnded,          // value: the wait status
  kCpuTime,        // a process used up its time; the rest die now
  kMemory,         // all processes together are larger than the limit
  kProcesses,      // there are more tasks than allowed
  kForbiddenCall,  // value: the system call's number, -1 for one of another architecture
  kActivity,       // of all that it watches, now; value: the question's number
};

struct SupervisorQuestion {
  std::int32_t number;
};

struct SupervisorReport {
  SupervisorEvent event;
  std::int32_t value;
  std::uint64_t cpu_microseconds;     // of the program itself with kEnded, of all with kActivity
  std::uint64_t peak_memory_bytes;    // the largest seen so far
  std::uint64_t queued_microseconds;  // with kActivity, like `awake` (sandbox.h)
  std::uint32_t awake;
};

}  // namespace warpcheck::sandbox
