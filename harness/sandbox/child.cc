#include "sandbox/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace warpcheck::sandbox {

namespace {

constexpr int kNotSetUp = 125;  // the exit status of a child that could not be set up
constexpr int kGraceMilliseconds = 3000;

// Changes the user between clone and exec, using only system calls. The child shares this process's
// memory, and the C library's setresuid would change the ids of this process's threads too.
bool LeaveRoot(unsigned user) {
  return user == 0 || (::syscall(SYS_setgroups, 0, nullptr) == 0 &&
                       ::syscall(SYS_setresgid, user, user, user) == 0 &&
                       ::syscall(SYS_setresuid, user, user, user) == 0);
}

bool Apply(const ChildSetup& setup) {
  if (!setup.stage.Enter() || !LeaveRoot(setup.unprivileged)) return false;
  if (::dup2(setup.input, 0) < 0 || ::dup2(setup.output, 1) < 0 || ::dup2(setup.errors, 2) < 0) {
    return false;
  }
  if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return false;
  if (setup.third >= 0 && ::dup2(setup.third, 3) < 0) return false;
  if (setup.same_addresses) ::personality(ADDR_NO_RANDOMIZE);
  for (const int kept : setup.kept) {
    if (kept >= 0 && ::fcntl(kept, F_SETFD, 0) != 0) return false;
  }
  return true;
}

// Blocks signals while a child shares this process's memory, because the handlers belong to this
// process.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // Resets signals; call this in the child. Ignored signals stay ignored, as across any exec.
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

struct ChildArguments {
  const ChildSetup& setup;
  const BlockedSignals& signals;
  char* const* line;
  int error = 0;  // errno if the program could not be executed
};

// Never returns. The address sanitizer is off here, because its marks around variables would stay
// on the stack, which is the parent's.
[[gnu::no_sanitize_address]] int ChildMain(void* argument) {
  ChildArguments& birth = *static_cast<ChildArguments*>(argument);
  if (!Apply(birth.setup)) ::_exit(kNotSetUp);
  birth.signals.ReleaseWithoutHandlers();
  ::execv(birth.line[0], birth.line);
  birth.error = errno;
  ::_exit(kNotSetUp);
}

}  // namespace

void AwaitEnd(int process) {
  pollfd exit = {.fd = process, .events = POLLIN, .revents = 0};
  if (::poll(&exit, 1, kGraceMilliseconds) == 1) return;
  // A confined judge may not send it. It waits: processes of a jail end when their socket closes.
  ::syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
  while (::poll(&exit, 1, -1) < 0 && errno == EINTR) {
  }
}

tl::unexpected<Error> SystemFailure(std::string_view action) {
  return Fail(fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

// Uses clone without copying page tables, unlike fork: a judge has hundreds of megabytes, and each
// page that it writes later would have to be copied. Waits until the child has executed the
// program.
Result<Child> StartChild(const ChildSetup& setup, std::vector<std::string> line) {
  std::vector<char*> words;
  for (std::string& word : line) words.push_back(word.data());
  words.push_back(nullptr);
  alignas(16) std::array<char, 64 << 10> stack;
  const BlockedSignals signals;
  ChildArguments birth{.setup = setup, .signals = signals, .line = words.data()};
  int process = -1;
  const pid_t child = ::clone(&ChildMain, stack.data() + stack.size(),
                              CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &birth, &process);
  if (child < 0) return SystemFailure("start a process");
  if (birth.error == 0) return Child{.pid = child, .process = Descriptor(process)};
  ::close(process);
  ::waitpid(child, nullptr, 0);
  return Fail(fmt::format("cannot start {}: {}", line[0], std::strerror(birth.error)));
}

}  // namespace warpcheck::sandbox
