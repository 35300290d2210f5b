#include "sandbox/confine/confine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
#include "sandbox/confine/confined_calls.h"

namespace warpcheck::sandbox {

namespace {

namespace fs = std::filesystem;

// The C and C++ libraries read these places.
constexpr const char* kSystemPlaces[] = {"/usr",
                                         "/lib",
                                         "/lib64",
                                         "/proc/self",
                                         "/proc/cpuinfo",
                                         "/proc/meminfo",
                                         "/proc/stat",
                                         "/proc/sys/vm",
                                         "/sys/devices/system",
                                         "/sys/kernel/mm/transparent_hugepage",
                                         "/dev/null",
                                         "/dev/zero",
                                         "/dev/random",
                                         "/dev/urandom"};

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
// A process that unpacks files does this in its folder.
constexpr std::uint64_t kMake = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                LANDLOCK_ACCESS_FS_MAKE_REG;
// The rights of later versions, which the headers of an older system do not have.
constexpr std::uint64_t kRefer = 1U << 13;
constexpr std::uint64_t kTruncate = 1U << 14;
constexpr std::uint64_t kIoctlOfDevices = 1U << 15;

// The rules of the latest version that this file knows. An older kernel takes the first members.
struct LandlockRules {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

struct Handled {
  LandlockRules rules;
  std::size_t bytes = 0;  // how many bytes of the rules the version takes
};

// Returns all rights that this version of Landlock knows. A right that is handled, and that no rule
// allows, is refused.
Handled HandledBy(int version) {
  Handled handled = {.rules = {.files = kRefer - 1}, .bytes = sizeof handled.rules.files};
  if (version >= 2) handled.rules.files |= kRefer;
  if (version >= 3) handled.rules.files |= kTruncate;
  if (version >= 4) {
    constexpr std::uint64_t kBindAndConnectByTcp = 3;
    handled.rules.network = kBindAndConnectByTcp;
    handled.bytes = 2 * sizeof(std::uint64_t);
  }
  if (version >= 5) handled.rules.files |= kIoctlOfDevices;
  if (version >= 6) {
    // The scope of signals is not handled: the end of this process must end its jail's processes.
    // The filter of system calls refuses to send a signal.
    constexpr std::uint64_t kAbstractSockets = 1;
    handled.rules.scopes = kAbstractSockets;
    handled.bytes = sizeof(LandlockRules);
  }
  return handled;
}

tl::unexpected<Error> Failure(std::string_view action) {
  return Fail(fmt::format("cannot confine the checks: {}: {}", action, std::strerror(errno)));
}

// Returns 0 or less if the kernel has no Landlock, or has it switched off.
int VersionOfLandlock() {
  return static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

// Ignores a place that does not exist.
Result<> Allow(const Descriptor& rules, const fs::path& place, std::uint64_t access) {
  const Descriptor opened(::open(place.c_str(), O_PATH | O_CLOEXEC));
  if (opened.get() < 0) return {};
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) {
    access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  }
  const landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = opened.get()};
  if (::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    return Failure("allow " + place.string());
  }
  return {};
}

Result<> ConfineFiles(const Confinement& confinement) {
  const int version = VersionOfLandlock();
  if (version <= 0) return {};
  const Handled handled = HandledBy(version);
  const Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled.rules, handled.bytes, 0)));
  if (rules.get() < 0) return Failure("make rules for files");
  Result<> allowed;
  const auto allow = [&](const fs::path& place, std::uint64_t access) {
    if (allowed) allowed = Allow(rules, place, access);
  };
  for (const char* const place : kSystemPlaces) allow(place, kRead);
  for (const fs::path& place : confinement.readable) allow(place, kRead);
  for (const fs::path& folder : confinement.writable) {
    allow(folder, (kRead | kMake | kTruncate) & handled.rules.files);
  }
  if (!allowed) return allowed;
  if (::syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0) return Failure("files");
  return {};
}

// Keeps CAP_KILL: programs in the sandbox belong to another user, and the kernel ends them with
// this process only if this process had the right to end them.
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
      .and_then([&] {
        if (confinement.writable.empty()) return ConfineCalls(Writes::kNothing);
        ::umask(S_IWGRP | S_IWOTH);  // new files are readable by all; their mode cannot be changed
        return ConfineCalls(Writes::kFolders);
      });
}

std::string MissingConfinement() {
  return VersionOfLandlock() > 0 ? ""
                                 : "the kernel has no Landlock (Linux 5.13, "
                                   "CONFIG_SECURITY_LANDLOCK, \"landlock\" among "
                                   "lsm=): checks may read any file that you may, and the reader "
                                   "of archives may write to "
                                   "it";
}

}  // namespace warpcheck::sandbox
