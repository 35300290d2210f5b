#include "sandbox/supervisor_namespaces.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace warpcheck::sandbox {
namespace {

bool Write(const char* path, const char* text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, text, std::strlen(text)) > 0;
  ::close(file);
  return written;
}

// It is the same user inside as outside.
bool MapItself(unsigned user, unsigned group) {
  char users[64], groups[64];
  std::snprintf(users, sizeof users, "%u %u 1", user, user);
  std::snprintf(groups, sizeof groups, "%u %u 1", group, group);
  return Write("/proc/self/setgroups", "deny") && Write("/proc/self/uid_map", users) &&
         Write("/proc/self/gid_map", groups);
}

// As the first process of its user namespace it has every right in it, to be given up for good.
bool GiveUpRights() {
  int right = 0;
  while (::prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0) ++right;
  if (errno != EINVAL) return false;  // which says that there are no more
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[2] = {};
  return ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
         ::syscall(SYS_capset, &header, none) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

}  // namespace

unsigned long OwnNamespaces(bool filtered) {
  const unsigned long own = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
  return filtered ? own : own | CLONE_NEWNET;
}

const char* SettleIn(unsigned user, unsigned group, std::uint64_t tmp_bytes) {
  // A process that cannot be traced cannot write its own maps.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  const bool mapped = MapItself(user, group);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!mapped) return "map its user";
  // kill(0) reaches a group of processes across all namespaces.
  if (::setsid() < 0) return "make a session";
  if (!Write("/proc/sys/user/max_user_namespaces", "0")) return "forbid user namespaces";
  char options[64];
  std::snprintf(options, sizeof options, "mode=0755,size=%llu",
                static_cast<unsigned long long>(tmp_bytes));
  if (::mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) != 0) return "mount /tmp";
  if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    return "mount /proc";
  }
  if (!GiveUpRights()) return "give up its rights";
  return nullptr;
}

}  // namespace warpcheck::sandbox
