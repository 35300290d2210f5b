// A Sandbox runs one untrusted program under limits, and says how it ended. There is one ending:
// the first cause that is seen counts.
//
// The sandbox works as follows. bubblewrap makes namespaces without a network, with a read-only
// system, and with their own /tmp and process ids. Their first process is the supervisor
// (supervisor/supervisor.h), a small static program of ours. It starts the untrusted program under
// its limits and its filter of system calls (call_filter.h), counts what all its processes use, and
// reports over a socket. In the judge, a thread watches that socket and the program's output
// (monitor.h), and decides the Ending. When either side closes the socket, the supervisor ends, and
// the kernel ends everything in its namespaces: no process continues after a judge that was killed.
//
// Making namespaces takes longer than most calls of a submission. Therefore a jail (bubblewrap.h)
// is made once for many programs. Its first process, the fork server (fork_server.h), starts a copy
// of itself as the supervisor of each program, in namespaces of its own.
//
// A wait for a program ends by what the program does, not by how busy the machine is (watchdog.h).
// With --no-sandbox, programs run the same way without namespaces (unconfined.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"

namespace warpcheck::sandbox {

struct Limits {
  std::chrono::seconds cpu_time{10};            // processor time of all its processes together
  std::chrono::milliseconds idle_time{10'000};  // the time in which no process needs a processor
  // Prevents endless waits (watchdog.h). It is longer than `processes` need to use up their
  // processor time when they only wait for each other's turns, so that it can end only a program
  // that the machine held up.
  std::chrono::milliseconds wall_time{1'200'000};
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  // the address space of a process
  // The number of processes and threads together.
  std::uint32_t processes = 32;
  // The number of open descriptors of a process; it is limited because pipes take memory.
  std::uint32_t descriptors = 256;
  std::uint64_t file_bytes = std::uint64_t{64} << 20;    // the size of each file that it writes
  std::uint64_t output_bytes = std::uint64_t{64} << 10;  // bytes of stdout and stderr together
};

// A path that is visible in the sandbox, at `inside`. It is read-only unless `writable` is set.
struct Mount {
  std::filesystem::path outside;
  std::filesystem::path inside;
  bool writable = false;
};

// The set of system calls that a program may make (system_calls.def), in addition to what
// namespaces forbid.
enum class Calls : std::uint8_t {
  kAll,
  kSubmission,  // allows the calls on a list; others fail as unknown or are forbidden
  kCompiler,    // allows all calls except those on a list
};

struct Command {
  // Arguments; [0] is the program's absolute path, as seen inside.
  std::vector<std::string> arguments;
  // "NAME=value"; the judge's own environment is not inherited.
  std::vector<std::string> environment;
  std::filesystem::path directory = "/tmp";
  // Mounts in addition to the read-only system and a private, empty /tmp.
  std::vector<Mount> mounts;
  // Becomes the child's descriptor 3, unless it is -1; all others are closed.
  int inherited_fd = -1;
  Calls calls = Calls::kAll;  // without isolation this is ignored, and kAll is used
  Limits limits;
};

enum class Cause : std::uint8_t {
  kExited,    // the program ended by itself; see exit_code
  kSignaled,  // a signal of the program's own making ended it; see signal
  kCpuTime,
  kIdle,     // the program waited for an event that never came
  kTooBusy,  // the machine did not let the program run
  kKilled,   // the program was killed from outside: it cannot send itself this signal
  kMemory,
  kProcesses,
  kFileSize,
  kOutput,
  kForbiddenCall,  // the program made a call that Command::calls forbids; see forbidden_call
  kStopped,        // Process::Stop() ended the program
  kSandboxFault,   // the program never ran: a fault of warpcheck or the machine
};
WARPCHECK_NAMES(Cause, "exited", "signaled", "cpu_time", "idle", "too_busy", "killed", "memory",
                "processes", "file_size", "output", "forbidden_call", "stopped", "sandbox_fault");

struct Ending {
  Cause cause = Cause::kSandboxFault;
  int exit_code = 0;
  int signal = 0;
  std::string forbidden_call;  // such as "ptrace"; empty if the kernel cannot tell
  std::string stdout_text;     // at most limits.output_bytes, together with stderr_text
  std::string stderr_text;
  std::chrono::milliseconds wall_time{0};
  // The processor time of the program itself; 0 if it was killed.
  std::chrono::milliseconds cpu_time{0};
  std::uint64_t peak_memory_bytes = 0;

  // Returns a text like "exited with status 3", "killed by signal 11 (segmentation fault)", or
  // "used more than 10 s of CPU time".
  std::string Text(const Limits& limits) const;
};

// Returns true for causes that are the machine's fault and prove nothing about the program.
bool IsMachineFault(Cause cause);

// The activity of a program since its start, with all its processes and threads.
struct Activity {
  std::chrono::microseconds ran{0};
  std::chrono::microseconds queued{
      0};             // the time in which living threads were ready and had no processor
  bool awake = true;  // true if a thread runs, is ready, or waits for a disk

  friend bool operator==(const Activity&, const Activity&) = default;
};

// A running program. The destructor kills it and everything that it started.
class Process {
 public:
  virtual ~Process() = default;
  // Waits for the end, at most as long as the limits allow.
  virtual const Ending& Wait() = 0;
  // Waits up to `time` for the end; returns true if it has ended.
  virtual bool EndsWithin(std::chrono::milliseconds time) = 0;
  // Returns nothing if the program has ended, has not begun, or gives no answer within a second.
  virtual std::optional<Activity> Look() = 0;
  // Kills the program if it still runs, with this cause, and waits for the end.
  virtual const Ending& End(Cause cause) = 0;
  const Ending& Stop() { return End(Cause::kStopped); }
};

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual Result<std::unique_ptr<Process>> Start(const Command& command) = 0;

  // Returns true if the program sees only the mounts and nothing else of the machine.
  virtual bool isolates() const { return true; }

  // Starts the program and waits for its end.
  Result<Ending> Run(const Command& command);
};

}  // namespace warpcheck::sandbox
