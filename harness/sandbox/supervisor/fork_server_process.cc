#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sandbox/supervisor/descriptor_message.h"
#include "sandbox/supervisor/supervisor.h"
#include "sandbox/supervisor/supervisor_protocol.h"

namespace warpcheck::sandbox {
namespace {

bool Write(const char* path, const char* text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, text, std::strlen(text)) > 0;
  ::close(file);
  return written;
}

// Maps the user to itself: the user inside is the same as the user outside.
bool MapItself(unsigned user, unsigned group) {
  char users[64], groups[64];
  std::snprintf(users, sizeof users, "%u %u 1", user, user);
  std::snprintf(groups, sizeof groups, "%u %u 1", group, group);
  return Write("/proc/self/setgroups", "deny") && Write("/proc/self/uid_map", users) &&
         Write("/proc/self/gid_map", groups);
}

// Gives up all rights permanently. The first process of a user namespace has every right in it.
bool GiveUpRights() {
  int right = 0;
  while (::prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0) ++right;
  if (errno != EINVAL) return false;  // EINVAL says that there are no more rights
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[2] = {};
  return ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
         ::syscall(SYS_capset, &header, none) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

// Returns flags for clone: the namespaces that a program in a jail does not share with others (see
// MakeJail()). It has its own process ids, mounts, System V and POSIX objects, user limits and
// rights. It also has its own network, unless it is `filtered`. Then the filter of system calls
// prevents it from making a socket; making and removing a network takes the kernel longer than
// everything else.
unsigned long OwnNamespaces(bool filtered) {
  const unsigned long own = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
  return filtered ? own : own | CLONE_NEWNET;
}

// Sets up the new namespaces; a new process does this first. It gets its own session, /proc, and a
// /tmp of `tmp_bytes`, gives up its rights, and cannot make further user namespaces. `user` and
// `group` are its ids outside, which a new namespace does not know yet. Returns the step that
// failed, with errno set, or null.
const char* SetUpNamespace(unsigned user, unsigned group, std::uint64_t tmp_bytes) {
  // A process that cannot be traced cannot write its own user maps.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  const bool mapped = MapItself(user, group);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!mapped) return "map its user";
  // Without its own session, kill(0) would reach the process group across namespaces.
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

constexpr int kMostWords = 4096;

// The last order: a supervisor's arguments in the form in which main() gets them, and its
// descriptors.
struct Order {
  char bytes[kForkServerMessageBytes + 1];
  // With one more for the program's name and one for the null pointer at the end.
  char* words[kMostWords + 2];
  DescriptorMessage descriptors;
};

Order g_order;

// Returns false if the message is not an order.
bool ReadOrder(ssize_t size, Orders& orders) {
  if (size <= 0) return false;
  g_order.bytes[size] = '\0';
  int count = 0;
  g_order.words[count++] = g_order.bytes;
  for (char* at = g_order.bytes; at < g_order.bytes + size; at += std::strlen(at) + 1) {
    if (count > kMostWords) return false;
    g_order.words[count++] = at;
  }
  g_order.words[count] = nullptr;
  if (!ReadOrders(count, g_order.words, orders)) return false;
  const int expected = 3 + (orders.filter >= 0 ? 1 : 0) + (orders.inherited >= 0 ? 1 : 0);
  return g_order.descriptors.count == expected;
}

// Sets stdin, stdout and stderr. No other process shares stdin, which is newly opened.
bool PlaceStreams() {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  return null >= 0 && ::dup2(null, 0) == 0 && ::dup2(g_order.descriptors.descriptors[1], 1) == 1 &&
         ::dup2(g_order.descriptors.descriptors[2], 2) == 2;
}

// Runs in the new process, which has a copy of the fork server's memory and descriptors.
int RunOrder(Orders orders, const LoadedProgram& loaded, unsigned user, unsigned group) {
  ::signal(SIGCHLD, SIG_DFL);
  if (!PlaceStreams()) return 1;
  if (const char* const undone = SetUpNamespace(user, group, TmpBytes(orders.file_bytes))) {
    ::dprintf(2, "cannot %s: %s\n", undone, std::strerror(errno));
    return 1;
  }
  const int* next = g_order.descriptors.descriptors;
  orders.control = next[0];
  next += 3;
  if (orders.filter >= 0) orders.filter = *next++;
  if (orders.inherited >= 0) orders.inherited = *next;
  orders.image = -1;
  return RunSupervisor(orders, loaded);
}

// Returns errno. On success returns 0 and sets `supervisor` to its pidfd.
int Start(const Orders& orders, const LoadedProgram& loaded, int& supervisor) {
  const unsigned user = ::geteuid(), group = ::getegid();
  const unsigned long flags = OwnNamespaces(orders.filter >= 0) | CLONE_PIDFD | SIGCHLD;
  const long child = ::syscall(SYS_clone, flags, nullptr, &supervisor, nullptr, nullptr);
  if (child == 0) {
    ::close(kForkServerSocket);
    ::_exit(RunOrder(orders, loaded, user, group));
  }
  return child < 0 ? errno : 0;
}

int Obey(ssize_t size, const LoadedProgram& loaded, int& supervisor) {
  Orders orders;
  const int error = ReadOrder(size, orders) ? Start(orders, loaded, supervisor) : EINVAL;
  for (int i = 0; i < g_order.descriptors.count; ++i) ::close(g_order.descriptors.descriptors[i]);
  return error;
}

// Sends an answer. `process` is a pidfd, which is closed after it is sent, or -1 to send no pidfd.
bool Answer(int error, int process) {
  DescriptorMessage sent;
  if (process >= 0) sent.descriptors[sent.count++] = process;
  const bool answered = Send(kForkServerSocket, &error, sizeof error, sent);
  if (process >= 0) ::close(process);
  return answered;
}

}  // namespace

int RunForkServer(const LoadedProgram& loaded) {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  ::close_range(kForkServerSocket + 1, ~0U, 0);
  ::fcntl(kForkServerSocket, F_SETFD, FD_CLOEXEC);
  ::signal(SIGCHLD, SIG_IGN);  // the judge learns from the pidfd when a supervisor ends
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (!Answer(self < 0 ? errno : 0, self)) return 1;
  for (;;) {
    const ssize_t size =
        Receive(kForkServerSocket, g_order.bytes, kForkServerMessageBytes, g_order.descriptors);
    if (size == 0) return 0;  // the judge has closed its end
    if (size < 0) return 1;
    int supervisor = -1;
    const int error = Obey(size, loaded, supervisor);
    if (!Answer(error, supervisor)) return 1;
  }
}

}  // namespace warpcheck::sandbox
