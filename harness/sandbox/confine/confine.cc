#include "sandbox/confine/confine.h"

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
// All rights of the first version of Landlock. Every later version has them too.
constexpr std::uint64_t kEverything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

tl::unexpected<Error> Failure(std::string_view action) {
  return Fail(fmt::format("cannot confine the checks: {}: {}", action, std::strerror(errno)));
}

bool HasLandlock() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

// Ignores a place that does not exist.
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

// Keeps CAP_KILL, because programs in the sandbox belong to another user.
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
    if (std::strcmp(name, "ptrace") == 0) continue;  // the leak sanitizer needs it
#endif
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0 || failure != 0) continue;
    failure = seccomp_rule_add(filter.get(), refuse, number, 0);
  }
  if (failure == 0) {
    failure = seccomp_rule_add(filter.get(), refuse, SCMP_SYS(socket), 1,
                               SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0));
  }
  if (failure == 0) failure = seccomp_load(filter.get());
  if (failure == 0) return {};
  errno = -failure;
  return Failure("filter system calls");
}

Result<> ConfineMemory(std::uint64_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  bytes = 0;  // the shadow memory of the address sanitizer is larger than any limit
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

}  // namespace warpcheck::sandbox
