// The messages between the judge and a supervisor (supervisor.h) or a fork server
// (fork_server_process.h).
//
// A supervisor sends SupervisorReports over a SOCK_SEQPACKET socket that no untrusted process
// holds. The judge sends SupervisorQuestions; the supervisor answers each with one kActivity. When
// the judge closes its end, or dies, the supervisor ends, and everything it started ends with it.
//
// A supervisor's arguments are: control fd, inherited fd (-1: none), its own image's fd, the fd of
// the filter of system calls (-1: none; call_filter.h), cpu seconds, memory bytes, processes, file
// bytes, descriptors of a process, "namespace" or "descendants" (the processes to watch and kill),
// directory, number of environment entries, the entries, the program and its arguments.
//
// A fork server has one argument, kForkServerWord, and its end of a SOCK_SEQPACKET socket is
// descriptor kForkServerSocket. It starts the same way in every jail, so that its copies have the
// same addresses. It sends an answer when it is ready, and one for each order. An order is a
// supervisor's arguments in one message, each ended by a null byte; an fd says only whether there
// is one (-1: none). The descriptors come with the order: the supervisor's end of its control
// socket, stdout, stderr, the filter, the inherited one. An answer is an errno. With 0 comes a
// pidfd: first that of the fork server, then that of each supervisor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::sandbox {

constexpr char kForkServerWord[] = "--fork-server";
constexpr int kForkServerSocket = 3;
constexpr std::size_t kForkServerMessageBytes = std::size_t{64} << 10;  // the longest order

// Returns the size of the /tmp of a program that may write files of `file_bytes` each.
constexpr std::uint64_t TmpBytes(std::uint64_t file_bytes) { return file_bytes * 2 + 65'536; }

enum class SupervisorEvent : std::uint32_t {
  kStarted,        // the program was executed
  kNotStarted,     // value: errno
  kEnded,          // value: the wait status
  kCpuTime,        // a process used up its time; the rest die now
  kMemory,         // all processes together are larger than the limit
  kProcesses,      // there are more tasks than allowed
  kForbiddenCall,  // value: the system call's number, -1 for one of another architecture
  kActivity,       // the activity of all processes; value: the question's number
};

struct SupervisorQuestion {
  std::int32_t number;
};

struct SupervisorReport {
  SupervisorEvent event;
  std::int32_t value;
  std::uint64_t cpu_microseconds;     // of the program with kEnded, of all processes with kActivity
  std::uint64_t peak_memory_bytes;    // the largest seen so far
  std::uint64_t queued_microseconds;  // with kActivity, as in Activity (sandbox.h)
  std::uint32_t awake;
};

}  // namespace warpcheck::sandbox
