#include "sandbox/confine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include "base/descriptor.h"
#include "base/signals.h"
#include "sandbox/child.h"

namespace warpcheck::sandbox {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRefused[] = {
    "execve",
    "execveat",
#define FORBIDDEN(name) #name,
#include "sandbox/system_calls.def"
};

constexpr const char* kSystemFolders[] = {"/usr", "/lib", "/lib64", "/proc", "/sys", "/dev"};

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
// Of the first version of Landlock, which all later ones have.
constexpr std::uint64_t kEverything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

tl::unexpected<Error> Failure(std::string_view action) {
  return Fail(fmt::format("cannot confine the checks: {}: {}", action, std::strerror(errno)));
}

bool HasLandlock() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

// A place that is not there need not be allowed.
Result<> Allow(const Descriptor& rules, const fs::path& place, std::uint64_t access) {
  const Descriptor opened(::open(place.c_str(), O_PATH | O_CLOEXEC));
  if (opened.get() < 0) return {};
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) {
    access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
  }
  const landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = opened.get()};
  if (::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    return Failure("allow " + place.string());
  }
  return {};
}

Result<> ConfineFiles(const Confinement& confinement) {
  if (!HasLandlock()) return {};
  landlock_ruleset_attr handled = {};
  handled.handled_access_fs = kEverything;
  const Descriptor rules(static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0)));
  if (rules.get() < 0) return Failure("make rules for files");
  Result<> allowed;
  const auto allow = [&](const fs::path& place, std::uint64_t access) {
    if (allowed) allowed = Allow(rules, place, access);
  };
  for (const char* const folder : kSystemFolders) allow(folder, kRead);
  for (const fs::path& place : confinement.readable) allow(place, kRead);
  for (const fs::path& folder : confinement.writable) {
    allow(folder, kEverything & ~std::uint64_t{LANDLOCK_ACCESS_FS_EXECUTE});
  }
  if (!allowed) return allowed;
  if (::syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0) return Failure("files");
  return {};
}

// CAP_KILL stays: what runs in the sandbox belongs to another user.
Result<> DropRights() {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> held = {};
  if (::syscall(SYS_capget, &header, held.data()) != 0) return Failure("ask for rights");
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t kept = i == CAP_TO_INDEX(CAP_KILL) ? CAP_TO_MASK(CAP_KILL) : 0;
    held[i].effective &= kept;
    held[i].permitted &= kept;
    held[i].inheritable = 0;
  }
  if (::syscall(SYS_capset, &header, held.data()) != 0) return Failure("give up rights");
  return {};
}

Result<> ConfineCalls() {
  const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                &seccomp_release);
  if (filter == nullptr) return Failure("make a filter of system calls");
  int failure = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1);
  const std::uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  for (const char* const name : kRefused) {
#if defined(__SANITIZE_ADDRESS__)
    if (std::strcmp(name, "ptrace") == 0) continue;  // by which it looks for leaks
#endif
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0 || failure != 0) continue;
    failure = seccomp_rule_add(filter.get(), refuse, number, 0);
  }
  if (failure == 0) {
    failure =
        seccomp_rule_add(filter.get(), refuse, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_NE, AF_UNIX));
  }
  if (failure == 0) failure = seccomp_load(filter.get());
  if (failure == 0) return {};
  errno = -failure;
  return Failure("filter system calls");
}

Result<> ConfineMemory(std::uint64_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  bytes = 0;  // its shadow is larger than any limit
#endif
  if (bytes == 0) return {};
  const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0) return Failure("limit memory");
  return {};
}

}  // namespace

Result<> Confine(const Confinement& confinement) {
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  if (::setrlimit(RLIMIT_CORE, &no_core) != 0) return Failure("forbid core files");
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Failure("forbid new rights");
  return ConfineMemory(confinement.memory_bytes)
      .and_then([&] { return ConfineFiles(confinement); })
      .and_then([] { return DropRights(); })
      .and_then([] { return ConfineCalls(); });
}

std::string MissingConfinement() {
  return HasLandlock() ? ""
                       : "the kernel has no Landlock (Linux 5.13, CONFIG_SECURITY_LANDLOCK, "
                         "\"landlock\" among lsm=): checks may open any file that you may";
}

namespace {

constexpr int kMaxTries = 3;

// How a child ends; what it has written then is the result, or why there is none.
enum Status : int { kDone = 0, kFailed = 1, kOutOfMemory = 2 };

struct Ended {
  int status = 0;  // of waitpid
  std::string written;
  bool too_much = false;
};

// Sorted, without those that are none.
std::vector<int> Numbers(std::vector<int> descriptors, int one_more) {
  descriptors.push_back(one_more);
  std::erase_if(descriptors, [](int fd) { return fd <= STDERR_FILENO; });
  std::ranges::sort(descriptors);
  return descriptors;
}

// Those of standard input, output and errors stay, too. A kernel before Linux 5.9 leaves all open.
void CloseAllBut(const std::vector<int>& kept) {
  unsigned from = STDERR_FILENO + 1;
  for (const int fd : kept) {
    const auto number = static_cast<unsigned>(fd);
    if (number > from) ::syscall(SYS_close_range, from, number - 1, 0);
    from = std::max(from, number + 1);
  }
  ::syscall(SYS_close_range, from, ~0U, 0);
}

int LimitCpu(std::chrono::seconds limit) {
  const auto seconds = static_cast<rlim_t>(limit.count());
  const rlimit cpu = {.rlim_cur = seconds, .rlim_max = seconds + 5};
  return ::setrlimit(RLIMIT_CPU, &cpu);
}

Status Work(const ConfinedRun& run, int output, const std::function<std::string()>& work) {
  try {
    if (LimitCpu(run.cpu_limit) != 0) return kFailed;
    if (const auto confined = Confine(run.confinement); !confined) {
      WriteAll(output, "cannot be read safely: " + confined.error().message);
      return kFailed;
    }
    return WriteAll(output, work()) ? kDone : kFailed;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const std::exception& exception) {
    WriteAll(output, exception.what());
    return kFailed;
  }
}

[[noreturn]] void RunChild(const ConfinedRun& run, int output, pid_t parent,
                           const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kFailed);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE}) ::signal(signal, SIG_DFL);
  CloseAllBut(Numbers(run.kept, output));
  ::_exit(Work(run, output, work));
}

void ReadAll(int fd, std::size_t most, Ended& ended) {
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    ended.written.append(block.data(), static_cast<std::size_t>(got));
    if (ended.written.size() > most) {
      ended.too_much = true;
      return;
    }
  }
}

Result<Ended> RunOnce(const ConfinedRun& run, const std::function<std::string()>& work) {
  auto pipe = MakePipe();
  if (!pipe) return SystemFailure("make a pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return SystemFailure("start a process");
  if (child == 0) RunChild(run, pipe->sink.get(), parent, work);
  pipe->sink.Close();
  Ended ended;
  ReadAll(pipe->source.get(), run.max_result, ended);
  if (ended.too_much) ::kill(child, SIGKILL);
  while (::waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
  }
  return ended;
}

bool KilledByOthers(const Ended& ended) {
  return !ended.too_much && WIFSIGNALED(ended.status) &&
         (WTERMSIG(ended.status) == SIGKILL || WTERMSIG(ended.status) == SIGTERM);
}

Result<std::string> ResultOf(Ended ended, const ConfinedRun& run) {
  if (ended.too_much) {
    return Fail(fmt::format("makes a result of more than {} bytes", run.max_result));
  }
  if (WIFSIGNALED(ended.status)) {
    const int signal = WTERMSIG(ended.status);
    if (signal == SIGXCPU) {
      return Fail(fmt::format("takes more than {} s of processor time", run.cpu_limit.count()));
    }
    return Fail(fmt::format("crashes what reads it: {}", SignalText(signal)));
  }
  switch (WEXITSTATUS(ended.status)) {
    case kDone:
      return std::move(ended.written);
    case kOutOfMemory:
      return Fail(
          fmt::format("needs more than {} MiB of memory", run.confinement.memory_bytes >> 20));
    default:
      return Fail(ended.written.empty() ? "cannot be read" : ended.written);
  }
}

}  // namespace

Result<std::string> RunConfined(const ConfinedRun& run, const std::function<std::string()>& work) {
  for (int tries = 1;; ++tries) {
    auto ended = WARPCHECK_TRY(RunOnce(run, work));
    if (tries == kMaxTries || !KilledByOthers(ended)) return ResultOf(std::move(ended), run);
  }
}

}  // namespace warpcheck::sandbox
