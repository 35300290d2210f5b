#include "sandbox/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace warpcheck::sandbox {

namespace {

// What lies there is hidden from bubblewrap, which itself may lie in /tmp (a test's, say).
std::string StageFolder() {
  std::error_code ignored;
  return std::filesystem::is_directory("/mnt", ignored) ? "/mnt" : "/tmp";
}

}  // namespace

Result<MountStage> MountStage::Make(const std::vector<Mount>& mounts, bool needed) {
  MountStage stage;
  stage.needed_ = needed && !mounts.empty();
  stage.folder_ = StageFolder();
  for (const Mount& mount : mounts) {
    Descriptor opened(::open(mount.outside.c_str(), O_PATH | O_CLOEXEC));
    struct stat status = {};
    if (opened.get() < 0 || ::fstat(opened.get(), &status) != 0) {
      return Fail(fmt::format("cannot show {} to the sandbox: {}", mount.outside.string(),
                              std::strerror(errno)));
    }
    Item item;
    item.outside = mount.outside.string();
    item.path = needed ? fmt::format("{}/{}", stage.folder_, stage.items_.size()) : item.outside;
    item.source = fmt::format("/proc/self/fd/{}", opened.get());
    item.folder = S_ISDIR(status.st_mode);
    item.opened = std::move(opened);
    stage.items_.push_back(std::move(item));
  }
  return stage;
}

bool MountStage::Enter() const {
  if (!needed_) return true;
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return false;
  }
  // Opened again: only what belongs to this namespace can be bound in it.
  for (const Item& item : items_) {
    const int again = ::open(item.outside.c_str(), O_PATH | O_CLOEXEC);
    if (again < 0 || ::dup3(again, item.opened.get(), O_CLOEXEC) < 0) return false;
    ::close(again);
  }
  if (::mount("tmpfs", folder_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0) {
    return false;
  }
  for (const Item& item : items_) {
    if (item.folder) {
      if (::mkdir(item.path.c_str(), 0755) != 0) return false;
    } else {
      const int file = ::open(item.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
      if (file < 0) return false;
      ::close(file);
    }
    if (::mount(item.source.c_str(), item.path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
      return false;
    }
  }
  return true;
}

namespace {

constexpr int kNotSetUp = 125;  // exit status
constexpr int kGraceMilliseconds = 3000;

// What happens between clone and exec: system calls only, in memory that is this process's too. The
// C library's setresuid and the like would set the ids of this process's threads as well.
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
  const ChildSetup& setup;
  const SignalsHeld& signals;
  char* const* line;
  int error = 0;  // why it did not become the program
};

// Never returns: marks that the address sanitizer puts around its variables would stay on the
// stack, which is its parent's.
[[gnu::no_sanitize_address]] int BeBorn(void* argument) {
  Birth& birth = *static_cast<Birth*>(argument);
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
  ::syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
  while (::poll(&exit, 1, -1) < 0 && errno == EINTR) {
  }
}

tl::unexpected<Error> SystemFailure(std::string_view action) {
  return Fail(fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

// Copies no page tables, as fork would: a judge has hundreds of megabytes, and would pay for each
// page again that it writes later. Waits until the child has become the program.
Result<Child> StartChild(const ChildSetup& setup, std::vector<std::string> line) {
  std::vector<char*> words;
  for (std::string& word : line) words.push_back(word.data());
  words.push_back(nullptr);
  alignas(16) std::array<char, 64 << 10> stack;
  const SignalsHeld signals;
  Birth birth{.setup = setup, .signals = signals, .line = words.data()};
  int process = -1;
  const pid_t child = ::clone(&BeBorn, stack.data() + stack.size(),
                              CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &birth, &process);
  if (child < 0) return SystemFailure("start a process");
  if (birth.error == 0) return Child{.pid = child, .process = Descriptor(process)};
  ::close(process);
  ::waitpid(child, nullptr, 0);
  return Fail(fmt::format("cannot start {}: {}", line[0], std::strerror(birth.error)));
}

namespace {

bool MakePipeForReading(Descriptor& ours, Descriptor& theirs) {
  auto pipe = MakePipe();
  if (!pipe) return false;
  ours = std::move(pipe->source);
  theirs = std::move(pipe->sink);
  return ::fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
}

}  // namespace

Result<Channels> Channels::Make() {
  Channels channels;
  int control[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return SystemFailure("make a socket");
  }
  channels.control = Descriptor(control[0]);
  const Descriptor theirs(control[1]);
  // The supervisor must not sit on its program's descriptor 3.
  channels.their_control = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  if (channels.their_control.get() < 0) return SystemFailure("duplicate a descriptor");
  if (!MakePipeForReading(channels.output, channels.their_output) ||
      !MakePipeForReading(channels.errors, channels.their_errors)) {
    return SystemFailure("make a pipe");
  }
  channels.null = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (channels.null.get() < 0) return SystemFailure("open /dev/null");
  return channels;
}

}  // namespace warpcheck::sandbox
