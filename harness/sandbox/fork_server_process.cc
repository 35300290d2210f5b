#include "sandbox/fork_server_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sandbox/descriptor_message.h"
#include "sandbox/supervisor.h"
#include "sandbox/supervisor_namespaces.h"
#include "sandbox/supervisor_protocol.h"

namespace warpcheck::sandbox {
namespace {

constexpr int kMostWords = 4096;

// The last order: a supervisor's arguments as main would get them, and its descriptors.
struct Order {
  char bytes[kForkServerMessageBytes + 1];
  char* words[kMostWords + 2];  // one for the program's name, one for the end
  DescriptorMessage descriptors;
};

Order g_order;

// False where it is not one.
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

// stdin, stdout and stderr; nobody else has the same open file as stdin.
bool PlaceStreams() {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  return null >= 0 && ::dup2(null, 0) == 0 && ::dup2(g_order.descriptors.descriptors[1], 1) == 1 &&
         ::dup2(g_order.descriptors.descriptors[2], 2) == 2;
}

// In the new process, which has the fork server's memory and descriptors until it ends.
int RunOrder(Orders orders, const LoadedProgram& loaded, unsigned user, unsigned group) {
  ::signal(SIGCHLD, SIG_DFL);
  if (!PlaceStreams()) return 1;
  if (const char* const undone = SettleIn(user, group, TmpBytes(orders.file_bytes))) {
    ::dprintf(2, "cannot %s: %s\n", undone, std::strerror(errno));
    return 1;
  }
  const int* next = g_order.descriptors.descriptors;
  orders.control = next[0];
  next += 3;
  if (orders.filter >= 0) orders.filter = *next++;
  if (orders.inherited >= 0) orders.inherited = *next;
  orders.image = -1;
  return BeSupervisor(orders, loaded);
}

// errno, or 0 and a pidfd.
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

// `process` is a pidfd, closed after it is sent; -1: none.
bool Answer(int error, int process) {
  DescriptorMessage sent;
  if (process >= 0) sent.descriptors[sent.count++] = process;
  const bool answered = Send(kForkServerSocket, &error, sizeof error, sent);
  if (process >= 0) ::close(process);
  return answered;
}

}  // namespace

int BeForkServer(const LoadedProgram& loaded) {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  ::close_range(kForkServerSocket + 1, ~0U, 0);
  ::fcntl(kForkServerSocket, F_SETFD, FD_CLOEXEC);
  ::signal(SIGCHLD, SIG_IGN);  // the judge learns from the pidfd that a supervisor has ended
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (!Answer(self < 0 ? errno : 0, self)) return 1;
  for (;;) {
    const ssize_t size =
        Receive(kForkServerSocket, g_order.bytes, kForkServerMessageBytes, g_order.descriptors);
    if (size == 0) return 0;  // the judge has let go
    if (size < 0) return 1;
    int supervisor = -1;
    const int error = Obey(size, loaded, supervisor);
    if (!Answer(error, supervisor)) return 1;
  }
}

}  // namespace warpcheck::sandbox
