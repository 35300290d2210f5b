// This file defines the messages between the judge and a supervisor (supervisor.h) or a fork server
// (fork_server_process.h).
//
// A supervisor sends SupervisorReports over a SOCK_SEQPACKET socket that no untrusted process has.
// The judge sends SupervisorQuestions; the supervisor answers each with one kActivity. When the
// judge closes its end, or dies, the supervisor ends, and everything that it started ends with it.
//
// A supervisor's arguments are: the control fd, the inherited fd (or -1), its own image's fd, the
// fd of the filter of system calls (or -1; call_filter.h), cpu seconds, memory bytes, processes,
// file bytes, descriptors of a process, "namespace" or "descendants" (the processes to watch and
// kill), the directory, the number of environment entries, the entries, the program and its
// arguments.
//
// A fork server has one argument, kForkServerWord, and its end of a SOCK_SEQPACKET socket is the
// descriptor kForkServerSocket. It starts the same way in every jail, so that its copies have the
// same addresses. It sends an answer when it is ready, and one for each order. An order is a
// supervisor's arguments in one message, each with a null byte at its end; an fd there says only
// whether there is one (-1 if not). The descriptors come with the order: the supervisor's end of
// its control socket, stdout, stderr, the filter, and the inherited one. An answer is an errno.
// With 0 comes a pidfd: first the fork server's, and then each supervisor's.
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
  kNotStarted,     // the program could not be executed; value: errno
  kEnded,          // the program ended; value: the wait status
  kCpuTime,        // a process used up its time; the other processes are now killed
  kMemory,         // all processes together are larger than the limit
  kProcesses,      // there are more tasks than allowed
  kForbiddenCall,  // a forbidden call; value: its number, or -1 for a call of another architecture
  kActivity,       // the activity of all processes; value: the question's number
};

struct SupervisorQuestion {
  std::int32_t number;
};

struct SupervisorReport {
  SupervisorEvent event;
  std::int32_t value;
  // Processor time: of the program with kEnded, of all processes with kActivity.
  std::uint64_t cpu_microseconds;
  std::uint64_t peak_memory_bytes;    // the largest memory so far
  std::uint64_t queued_microseconds;  // set with kActivity, as in Activity (sandbox.h)
  std::uint32_t awake;
};

}  // namespace warpcheck::sandbox
