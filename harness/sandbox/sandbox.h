// Runs one untrusted program under limits and says how it ended. One ending, recorded once: the
// first cause wins.
//
// How it works. bubblewrap makes namespaces: without network, with a read-only system, a /tmp and
// process ids of their own. Their first process is the supervisor (supervisor.h), a small static
// program of ours: it starts the untrusted one under its limits and its filter of system calls
// (call_filter.h), counts what it and all its children use, and reports over a socket. Here a
// thread watches that socket and the program's output (monitor.h), and decides the Ending. When the
// socket closes, from either side, the supervisor ends, and the kernel ends everything in its
// namespaces: nothing survives a judge that is killed.
//
// To make namespaces takes longer than most calls of a submission. A jail (MakeJail) is
// one bubblewrap for many programs: its first process, the fork server (launch.h here,
// fork_server_process.cc inside), starts a supervisor in namespaces of its own for each, as a copy
// of itself.
//
// Whoever waits for a program is patient (patience.h): limits go by what it does, never by how busy
// the machine is. What cannot be sandboxed runs the same way without namespaces (MakeUnconfined).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::sandbox {

struct Limits {
  std::chrono::seconds cpu_time{10};            // of all its processes together
  std::chrono::milliseconds idle_time{10'000};  // in which none of them wants a processor
  // A guard against waiting for ever (patience.h). So long that `processes` which only get in each
  // other's way have used up their processor time before: what it ends, the machine has held up.
  std::chrono::milliseconds wall_time{1'200'000};
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;   // address space of a process
  std::uint32_t processes = 32;                          // and threads
  std::uint32_t descriptors = 256;                       // open ones of a process: pipes are memory
  std::uint64_t file_bytes = std::uint64_t{64} << 20;    // a written file
  std::uint64_t output_bytes = std::uint64_t{64} << 10;  // of stdout and stderr together
};

// A path made visible inside, at `inside`, read-only unless `writable`.
struct Mount {
  std::filesystem::path outside;
  std::filesystem::path inside;
  bool writable = false;
};

// The system calls that a program may make (system_calls.def), beside what the namespaces refuse.
enum class Calls : std::uint8_t {
  kAll,
  kSubmission,  // those in a list of allowed ones; others do not exist, or are forbidden
  kCompiler,    // all but those in a list of forbidden ones
};

struct Command {
  std::vector<std::string> arguments;    // [0]: the program's absolute path, as seen inside
  std::vector<std::string> environment;  // "NAME=value"; nothing is inherited
  std::filesystem::path directory = "/tmp";
  std::vector<Mount> mounts;  // beyond the read-only system and a private, empty /tmp
  int inherited_fd = -1;      // if not -1: the child's descriptor 3; all others are closed
  Calls calls = Calls::kAll;  // without isolation always all
  Limits limits;
};

enum class Cause : std::uint8_t {
  kExited,    // by itself, exit_code
  kSignaled,  // by a signal of its own making, signal
  kCpuTime,
  kIdle,     // it waited for what never came
  kTooBusy,  // the machine did not let it run
  kKilled,   // by a signal of somebody else: it can send no such signal itself
  kMemory,
  kProcesses,
  kFileSize,
  kOutput,
  kForbiddenCall,  // a system call that Command::calls forbids, forbidden_call
  kStopped,        // by Process::Stop
  kSandboxFault,   // it never ran: our fault, not its
};

struct Ending {
  Cause cause = Cause::kSandboxFault;
  int exit_code = 0;
  int signal = 0;
  std::string forbidden_call;  // "ptrace"; empty where the kernel cannot tell which
  std::string stdout_text;     // at most limits.output_bytes together
  std::string stderr_text;
  std::chrono::milliseconds wall_time{0};
  std::chrono::milliseconds cpu_time{0};  // of the program itself; 0 where it was ended
  std::uint64_t peak_memory_bytes = 0;

  // "exited with status 3", "killed by signal 11 (segmentation fault)", "ran longer than 10 s", ...
  std::string Text(const Limits& limits) const;
};

// True for the causes that say nothing about the program: the machine's.
bool IsOfMachine(Cause cause);

// What a program has done since its start, all its processes and threads together.
struct Activity {
  std::chrono::microseconds ran{0};
  std::chrono::microseconds queued{0};  // could run, and had no processor; of threads that live
  bool awake = true;                    // a thread runs, could run, or waits for a disk

  friend bool operator==(const Activity&, const Activity&) = default;
};

// A running program. Destroying it kills it and everything it started.
class Process {
 public:
  virtual ~Process() = default;
  // Waits for the end, as long as the limits allow.
  virtual const Ending& Wait() = 0;
  // Whether it has ended; waits for that so long.
  virtual bool EndsWithin(std::chrono::milliseconds time) = 0;
  // Nothing where it has ended, has not begun, or cannot be looked at within a second.
  virtual std::optional<Activity> Look() = 0;
  // Kills it if it still runs, for this cause, and waits.
  virtual const Ending& End(Cause cause) = 0;
  const Ending& Stop() { return End(Cause::kStopped); }
};

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual Result<std::unique_ptr<Process>> Start(const Command& command) = 0;

  // Whether mounts appear where they are said to, and nothing else does.
  virtual bool isolates() const { return true; }

  // Start and Wait.
  Result<Ending> Run(const Command& command);
};

// Whether a program runs in it on this machine; the error says what to do. For who is asked, and
// for who got Cause::kSandboxFault: to try first would take as long as a short program.
Result<void> Works(Sandbox& sandbox);

// bubblewrap: no network, a read-only system, a private /tmp, its own process ids, no new
// privileges, nothing of the home or the course. Fails where it is not installed.
Result<std::unique_ptr<Sandbox>> MakeBubblewrap();

// A jail: one bubblewrap for many programs that see the same files, since to make one takes
// longer than most calls. What they share is what none can change: `mounts`, read-only, not below
// /tmp or /proc. Each Start has its own processes, /tmp, /proc, user namespace and objects of the
// kernel, as in a sandbox of its own, and leaves nothing behind; its command brings no mounts. A
// jail that breaks fails what is in it (Cause::kSandboxFault), and the next Start makes it
// anew. `fork server`: the path inside of a program that is started often and calls BeForkServer
// (fork_server_process.cc); it is executed once, and each Start of it is a copy. Empty: every Start
// executes its program. Fails, with what to do, where no program runs in it here.
Result<std::unique_ptr<Sandbox>> MakeJail(std::vector<Mount> mounts, std::string fork_server = {});

// The limits alone, without isolation: for --no-sandbox.
std::unique_ptr<Sandbox> MakeUnconfined();

}  // namespace warpcheck::sandbox
