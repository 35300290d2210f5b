#include "sandbox/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sandbox/call_filter.h"

extern "C" const char _binary_warpcheck_warden_start[];
extern "C" const char _binary_warpcheck_warden_end[];

namespace warpcheck::sandbox {
namespace {

constexpr int kNotSetUp = 125;  // exit status

tl::unexpected<Error> SystemFailure(std::string_view action) {
  return Fail(fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

// The warden's program as an unnamed file, made once a process.
Result<int> WardenImage() {
  static const int image = [] {
    Descriptor file(::memfd_create("warden", MFD_CLOEXEC));
    const char* at = _binary_warpcheck_warden_start;
    while (file.get() >= 0 && at < _binary_warpcheck_warden_end) {
      const ssize_t written =
          ::write(file.get(), at, static_cast<std::size_t>(_binary_warpcheck_warden_end - at));
      if (written <= 0) return -1;
      at += written;
    }
    return ::fcntl(file.get(), F_DUPFD_CLOEXEC, 10);
  }();
  if (image < 0) return SystemFailure("make the warden's program in memory");
  return image;
}

std::vector<std::string> WardenArguments(const LaunchPlan& plan, int control, int image,
                                         int filter) {
  const Limits& limits = plan.command.limits;
  const auto cpu_seconds = std::max<long long>(1, limits.cpu_time.count());
  std::vector<std::string> arguments = {
      std::to_string(control),
      std::to_string(plan.command.inherited_fd),
      std::to_string(image),
      std::to_string(filter),
      std::to_string(cpu_seconds),
      std::to_string(limits.memory_bytes),
      std::to_string(limits.processes),
      std::to_string(limits.file_bytes),
      plan.prefix.empty() ? "descendants" : "namespace",
      plan.command.directory.string(),
      std::to_string(plan.command.environment.size()),
  };
  const auto append = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  append(plan.command.environment);
  append(plan.command.arguments);
  return arguments;
}

// What happens between clone and exec: system calls only, in memory that is this process's too. The
// C library's setresuid and the like would set the ids of this process's threads as well.
struct Setup {
  const LaunchPlan& plan;
  int control, image, filter, output, errors, null;

  bool LeaveRoot() const {
    const unsigned user = plan.unprivileged;
    return user == 0 || (::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                         ::syscall(SYS_setresgid, user, user, user) == 0 &&
                         ::syscall(SYS_setresuid, user, user, user) == 0);
  }

  bool Apply() const {
    if (!plan.stage.Enter() || !LeaveRoot()) return false;
    if (::dup2(null, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(errors, 2) < 0) return false;
    if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return false;
    for (const int kept : {control, image, filter, plan.command.inherited_fd}) {
      if (kept >= 0 && ::fcntl(kept, F_SETFD, 0) != 0) return false;
    }
    return true;
  }
};

// Signals wait while a child has this process's memory: their handlers are not meant for it.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // In the child: what is ignored stays so, as over every exec.
  void ReleaseWithoutHandlers() const {
    for (int number = 1; number < NSIG; ++number) {
      struct sigaction action = {};
      if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN ||
          action.sa_handler == SIG_DFL) {
        continue;
      }
      ::signal(number, SIG_DFL);
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

struct Birth {
  const Setup& setup;
  const SignalsHeld& signals;
  char* const* line;
  int error = 0;  // why it did not become the program
};

// Never returns: marks that the address sanitizer puts around its variables would stay on the
// stack, which is its parent's.
[[gnu::no_sanitize_address]] int BeBorn(void* argument) {
  Birth& birth = *static_cast<Birth*>(argument);
  if (!birth.setup.Apply()) ::_exit(kNotSetUp);
  birth.signals.ReleaseWithoutHandlers();
  ::execv(birth.line[0], birth.line);
  birth.error = errno;
  ::_exit(kNotSetUp);
}

// Copies no page tables, as fork would: a judge has hundreds of megabytes, and would pay for each
// page again that it writes later. Waits until the child has become the program.
Result<pid_t> StartChild(const Setup& setup, std::vector<std::string>& line) {
  std::vector<char*> words;
  for (std::string& word : line) words.push_back(word.data());
  words.push_back(nullptr);
  alignas(16) std::array<char, 64 << 10> stack;
  const SignalsHeld signals;
  Birth birth{.setup = setup, .signals = signals, .line = words.data()};
  const pid_t child =
      ::clone(&BeBorn, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD, &birth);
  if (child < 0) return SystemFailure("start a process");
  if (birth.error == 0) return child;
  ::waitpid(child, nullptr, 0);
  return Fail(fmt::format("cannot start {}: {}", line[0], std::strerror(birth.error)));
}

}  // namespace

Result<Launched> Launch(const LaunchPlan& plan) {
  const auto image = WardenImage();
  if (!image) return Fail(image.error());
  const auto filter = CallFilterFile(plan.command.calls);
  if (!filter) return Fail(filter.error());
  int control[2], output[2], errors[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return SystemFailure("make a socket");
  }
  Descriptor ours(control[0]), theirs(control[1]);
  if (::pipe2(output, O_CLOEXEC) != 0) return SystemFailure("make a pipe");
  Descriptor read_output(output[0]), write_output(output[1]);
  if (::pipe2(errors, O_CLOEXEC) != 0) return SystemFailure("make a pipe");
  Descriptor read_errors(errors[0]), write_errors(errors[1]);
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (null.get() < 0) return SystemFailure("open /dev/null");
  // The warden must not sit on the child's descriptor 3.
  theirs = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  if (theirs.get() < 0) return SystemFailure("duplicate a descriptor");

  std::vector<std::string> line = plan.prefix;
  const std::string warden = fmt::format("/proc/self/fd/{}", *image);
  line.push_back(warden);
  for (std::string& argument : WardenArguments(plan, theirs.get(), *image, *filter)) {
    line.push_back(std::move(argument));
  }
  const Setup setup = {
      plan, theirs.get(), *image, *filter, write_output.get(), write_errors.get(), null.get()};
  const auto child = StartChild(setup, line);
  if (!child) return Fail(child.error());
  ::fcntl(read_output.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(read_errors.get(), F_SETFL, O_NONBLOCK);
  return Launched{*child, std::move(ours), std::move(read_output), std::move(read_errors)};
}

}  // namespace warpcheck::sandbox
