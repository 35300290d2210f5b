#include "sandbox/supervisor/supervisor.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sandbox/supervisor/descriptor_message.h"
#include "sandbox/supervisor/supervisor_protocol.h"
#include "sandbox/supervisor/supervisor_tasks.h"

namespace warpcheck::sandbox {
namespace {

// This is the supervisor's part of the filter of system calls (call_filter.h). The filter is
// installed in the process that becomes the program, and the kernel notifies the supervisor of
// every forbidden call.

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
constexpr int kOtherAbi = 0x4000'0000;  // this bit marks calls of the x32 ABI
#else
#error "which AUDIT_ARCH_* is this architecture's?"
#endif

sock_filter g_filter[BPF_MAXINSNS];
unsigned short g_length = 0;

int Install(unsigned flags) {
  const sock_fprog program = {.len = g_length, .filter = g_filter};
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

void ReplaceNotifyByKill() {
  for (unsigned i = 0; i < g_length; ++i) {
    if (g_filter[i].code == (BPF_RET | BPF_K) && g_filter[i].k == SECCOMP_RET_USER_NOTIF) {
      g_filter[i].k = SECCOMP_RET_KILL_PROCESS;
    }
  }
}

// Call this in the supervisor. It reads the filter for FilterCalls(). Returns false if the file
// contains no filter.
bool ReadFilter(int file) {
  const ssize_t size = ::pread(file, g_filter, sizeof g_filter,
                               0);  // uses pread, because other processes share the file's position
  ::close(file);
  if (size <= 0 || static_cast<std::size_t>(size) % sizeof g_filter[0] != 0) return false;
  g_length = static_cast<unsigned short>(static_cast<std::size_t>(size) / sizeof g_filter[0]);
  return true;
}

// Call this in the child, before it executes the program. It installs the filter and sends its
// listener over `start`. If the kernel has no listeners, or a container's listener is already
// active, forbidden calls kill the process instead. Returns false and sets errno on failure.
bool FilterCalls(int start) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const int listener = Install(SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (listener >= 0) {
    const char nothing = 0;
    return Send(start, &nothing, 1, {.descriptors = {listener}, .count = 1}) &&
           ::close(listener) == 0;
  }
  if (errno != EBUSY && errno != EINVAL) return false;
  ReplaceNotifyByKill();
  return Install(0) == 0;
}

// Call this in the supervisor, at the other end of `start`. It receives the listener, if one is
// sent, and waits until the program runs. Returns 0, or errno if the program could not be started.
int AwaitStart(int start, int& listener) {
  for (;;) {
    int error = 0;
    DescriptorMessage taken;
    const ssize_t got = Receive(start, &error, sizeof error, taken);
    if (got == static_cast<ssize_t>(sizeof error)) return error;
    if (got != 1 || taken.count != 1) return 0;
    listener = taken.descriptors[0];
  }
}

// Sets `number` to the forbidden call that waits for an answer, or to -1 for a call of another
// architecture. Returns false if its process has died meanwhile.
bool NextForbiddenCall(int listener, int& number) {
  union {
    seccomp_notif call;
    char room[1024];  // a newer kernel may write more
  } told;
  std::memset(&told, 0, sizeof told);
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &told) != 0) return false;
  const int called = told.call.data.nr;
  const bool ours = told.call.data.arch == kArchitecture && (called & kOtherAbi) == 0;
  number = ours ? called : -1;
  return true;
}

std::uint64_t Number(const char* text) { return std::strtoull(text, nullptr, 10); }

bool Limit(int resource, std::uint64_t soft, std::uint64_t hard) {
  const rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
}

// Gives up root's user id, because root has no limit of processes. Without a namespace, the program
// then runs as a user of its own. It keeps the right to access any file, which is the only right of
// root that it could need.
bool LeaveRoot(std::uint64_t user) {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct rights[2] = {};
  const unsigned files = 1U << CAP_DAC_OVERRIDE;
  rights[0] = {.effective = files, .permitted = files, .inheritable = files};
  const auto id = static_cast<uid_t>(user);
  return ::prctl(PR_SET_KEEPCAPS, 1) == 0 && ::setresuid(id, id, id) == 0 &&
         ::syscall(SYS_capset, &header, rights) == 0 &&
         ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0) == 0;
}

// Allows one process more than the limit, so that CheckLimits() sees and names the excess. Without
// a namespace, the kernel counts all processes of the user, even if another program started them.
bool LimitProcesses(const Orders& orders) {
  std::uint64_t limit = orders.processes + 2;
  if (!orders.owns_namespace) {
    if (::getuid() != 0) {
      limit += SumTasks(-1, false).tasks;
    } else if (!LeaveRoot(0x6000'0000 + static_cast<std::uint64_t>(::getpid()))) {
      return false;
    }
  }
  return Limit(RLIMIT_NPROC, limit, limit);
}

// The address sanitizer maps terabytes for its shadow. CheckLimits() then limits the memory in use,
// not the memory that is mapped.
#ifdef WARPCHECK_SANITIZED
constexpr bool kShadowed = true;
#else
constexpr bool kShadowed = false;
#endif

// The usual limit of a stack. Where the machine has none, an endless recursion would take seconds
// to fill all memory, in each call. A compiler may raise it.
bool LimitStack() {
  constexpr rlim_t kStackBytes = rlim_t{8} << 20;
  rlimit stack = {};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0) return false;
  return stack.rlim_cur <= kStackBytes || Limit(RLIMIT_STACK, kStackBytes, stack.rlim_max);
}

bool ApplyLimits(const Orders& orders) {
  return LimitProcesses(orders) && Limit(RLIMIT_CORE, 0, 0) && LimitStack() &&
         Limit(RLIMIT_CPU, orders.cpu_seconds, orders.cpu_seconds + 1) &&
         Limit(RLIMIT_FSIZE, orders.file_bytes, orders.file_bytes) &&
         Limit(RLIMIT_NOFILE, orders.descriptors, orders.descriptors) &&
         (kShadowed || Limit(RLIMIT_AS, orders.memory_bytes, orders.memory_bytes));
}

// Does what execve would do, for a program that is already loaded. It closes the descriptors that
// close on exec, including the channel to the supervisor; sets the environment; and makes the
// process visible in /proc under its own name.
[[noreturn]] void CallProgram(const Orders& orders, const LoadedProgram& loaded) {
  ::close_range(orders.inherited < 0 ? 3 : 4, ~0U, 0);
  ::prctl(PR_SET_DUMPABLE, 1);
  ::environ = orders.environment;
  int count = 0;
  while (orders.arguments[count] != nullptr) ++count;
  std::exit(loaded.main(count, orders.arguments));
}

// `start` is a socket to the supervisor. The supervisor gets the filter's listener from it, and
// errno after a failure.
[[noreturn]] void BecomeProgram(const Orders& orders, const LoadedProgram& loaded, int start) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < 32; ++number) ::signal(number, SIG_DFL);
  // Moves `start` away from 3, and then marks all descriptors from 4 on to close on exec.
  start = ::fcntl(start, F_DUPFD_CLOEXEC, 4);
  const bool placed =
      orders.inherited < 0 ||
      (orders.inherited == 3 ? ::fcntl(3, F_SETFD, 0) == 0 : ::dup2(orders.inherited, 3) == 3);
  ::close_range(orders.inherited < 0 ? 3 : 4, ~0U, CLOSE_RANGE_CLOEXEC);
  if (placed && ::chdir(orders.directory) == 0 && ApplyLimits(orders)) {
    // Makes the program see the same addresses in every run, if the kernel allows it.
    ::personality(ADDR_NO_RANDOMIZE);
    if (orders.filter < 0 || FilterCalls(start)) {
      if (loaded.path != nullptr && std::strcmp(orders.arguments[0], loaded.path) == 0) {
        CallProgram(orders, loaded);
      }
      ::execve(orders.arguments[0], orders.arguments, orders.environment);
    }
  }
  const int error = errno;
  if (::send(start, &error, sizeof error, MSG_NOSIGNAL) < 0) ::_exit(126);
  ::_exit(127);
}

class Supervisor {
 public:
  Supervisor(const Orders& orders, const LoadedProgram& loaded)
      : orders_(orders), loaded_(loaded), self_(::getpid()) {}

  int Run() {
    if (!Start()) return 1;
    pollfd waits[] = {{.fd = orders_.control, .events = POLLIN, .revents = 0},
                      {.fd = children_, .events = POLLIN, .revents = 0},
                      {.fd = listener_, .events = POLLIN, .revents = 0}};
    for (;;) {
      ::poll(waits, 3, orders_.owns_namespace ? 10 : 20);
      if (waits[0].revents != 0 && !Answer()) break;  // the judge has closed its end
      if ((waits[2].revents & POLLIN) != 0 && SeesForbiddenCall()) break;
      if ((waits[2].revents & POLLHUP) != 0)
        waits[2].fd = -1;  // there is no process left that could make calls
      if (waits[1].revents != 0 && Reap()) break;
      if (CheckLimits()) break;
    }
    if (!orders_.owns_namespace) KillDescendants(self_);
    return 0;
  }

 private:
  void Report(SupervisorEvent event, int value = 0, std::uint64_t cpu_microseconds = 0) const {
    const SupervisorReport report = {.event = event,
                                     .value = value,
                                     .cpu_microseconds = cpu_microseconds,
                                     .peak_memory_bytes = peak_bytes_,
                                     .queued_microseconds = 0,
                                     .awake = 0};
    ::send(orders_.control, &report, sizeof report, MSG_NOSIGNAL);
  }

  // Returns false if the judge has closed its end.
  bool Answer() const {
    SupervisorQuestion question;
    const ssize_t got = ::recv(orders_.control, &question, sizeof question, MSG_DONTWAIT);
    if (got != sizeof question) return got < 0 && (errno == EAGAIN || errno == EINTR);
    const bool descendants_alone = !orders_.owns_namespace;
    const TaskTotals totals = SumTasks(self_, descendants_alone);
    const TaskActivity activity = LookAtThreads(self_, descendants_alone);
    const SupervisorReport report = {.event = SupervisorEvent::kActivity,
                                     .value = question.number,
                                     .cpu_microseconds = CpuMilliseconds(totals) * 1000,
                                     .peak_memory_bytes = peak_bytes_,
                                     .queued_microseconds = activity.queued_us,
                                     .awake = activity.awake ? 1U : 0U};
    ::send(orders_.control, &report, sizeof report, MSG_NOSIGNAL);
    return true;
  }

  // Returns the processor time of all processes, including those that have ended.
  static std::uint64_t CpuMilliseconds(const TaskTotals& totals) {
    rusage ended = {};
    ::getrusage(RUSAGE_CHILDREN, &ended);
    const auto milliseconds = [](const timeval& time) {
      return static_cast<std::uint64_t>(time.tv_sec) * 1000 +
             static_cast<std::uint64_t>(time.tv_usec) / 1000;
    };
    return totals.cpu_ms + milliseconds(ended.ru_utime) + milliseconds(ended.ru_stime);
  }

  // Returns the size of the program's /tmp, whose files lie in memory.
  std::uint64_t TmpInUse() const {
    struct statfs tmp = {};
    if (!orders_.owns_namespace || ::statfs("/tmp", &tmp) != 0 || tmp.f_type != TMPFS_MAGIC) {
      return 0;
    }
    return (tmp.f_blocks - tmp.f_bfree) * static_cast<std::uint64_t>(tmp.f_bsize);
  }

  bool Start() {
    ::prctl(PR_SET_DUMPABLE, 0);  // prevents the programs that it starts from tracing or reading it
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::close(orders_.image);
    if (orders_.filter >= 0 && !ReadFilter(orders_.filter)) return false;
    ::fcntl(orders_.control, F_SETFD, FD_CLOEXEC);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, nullptr);
    children_ = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    int start[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, start) != 0) return false;
    program_ = ::fork();
    if (program_ == 0) BecomeProgram(orders_, loaded_, start[1]);
    ::close(start[1]);
    if (orders_.inherited >= 0) ::close(orders_.inherited);
    const int error = program_ < 0 ? errno : AwaitStart(start[0], listener_);
    ::close(start[0]);
    Report(error == 0 ? SupervisorEvent::kStarted : SupervisorEvent::kNotStarted, error);
    return error == 0;
  }

  // If a forbidden call waits, reports it and returns true. Kills all processes while the listener
  // is open, because otherwise the call would return and its process would run for another moment.
  bool SeesForbiddenCall() const {
    int number = 0;
    if (!NextForbiddenCall(listener_, number)) return false;
    Report(SupervisorEvent::kForbiddenCall, number);
    if (orders_.owns_namespace) ::kill(-1, SIGKILL);
    return true;
  }

  // Reaps ended children, including orphans. Returns true when the program itself has ended.
  bool Reap() {
    signalfd_siginfo ignored;
    while (::read(children_, &ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    rusage usage = {};
    pid_t ended;
    while ((ended = ::wait4(-1, &status, WNOHANG, &usage)) > 0) {
      const auto peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
      if (peak > peak_bytes_) peak_bytes_ = peak;
      if (ended != program_) continue;
      const auto cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 +
                       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
      Report(SupervisorEvent::kEnded, status, static_cast<std::uint64_t>(cpu));
      return true;
    }
    return false;
  }

  // If a limit is exceeded, reports it and returns true.
  bool CheckLimits() {
    const TaskTotals totals = SumTasks(self_, !orders_.owns_namespace);
    const std::uint64_t held_bytes = totals.resident_bytes + TmpInUse();
    if (held_bytes > peak_bytes_) peak_bytes_ = held_bytes;
    if (totals.tasks > orders_.processes) {
      Report(SupervisorEvent::kProcesses);
    } else if (held_bytes > orders_.memory_bytes) {
      Report(SupervisorEvent::kMemory);
    } else if (CpuMilliseconds(totals) >= orders_.cpu_seconds * 1000) {
      Report(SupervisorEvent::kCpuTime);
    } else {
      return false;
    }
    return true;
  }

  const Orders& orders_;
  const LoadedProgram& loaded_;
  pid_t self_;
  pid_t program_ = -1;
  int children_ = -1;
  int listener_ = -1;  // the listener that notifies of forbidden calls
  std::uint64_t peak_bytes_ = 0;
};

}  // namespace

bool ReadOrders(int argc, char** argv, Orders& orders) {
  constexpr int kFixed = 13;
  if (argc <= kFixed) return false;
  const int entries = std::atoi(argv[12]);
  if (entries < 0 || kFixed + entries >= argc) return false;
  orders = {.control = std::atoi(argv[1]),
            .inherited = std::atoi(argv[2]),
            .image = std::atoi(argv[3]),
            .filter = std::atoi(argv[4]),
            .cpu_seconds = Number(argv[5]),
            .memory_bytes = Number(argv[6]),
            .processes = Number(argv[7]),
            .file_bytes = Number(argv[8]),
            .descriptors = Number(argv[9]),
            .owns_namespace = std::strcmp(argv[10], "namespace") == 0,
            .directory = argv[11],
            .environment = argv + kFixed - 1,
            .arguments = argv + kFixed + entries};
  for (int i = 0; i < entries; ++i) orders.environment[i] = argv[kFixed + i];
  orders.environment[entries] = nullptr;
  return true;
}

int RunSupervisor(const Orders& orders, const LoadedProgram& loaded) {
  return Supervisor(orders, loaded).Run();
}

}  // namespace warpcheck::sandbox
