#include "sandbox/supervisor_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sandbox/descriptor_message.h"

namespace warpcheck::sandbox {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
constexpr int kOtherAbi = 0x4000'0000;  // x32 calls
#else
#error "which AUDIT_ARCH_* is this architecture's?"
#endif

sock_filter g_filter[BPF_MAXINSNS];
unsigned short g_length = 0;

int Install(unsigned flags) {
  const sock_fprog program = {.len = g_length, .filter = g_filter};
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

void KillInsteadOfTelling() {
  for (unsigned i = 0; i < g_length; ++i) {
    if (g_filter[i].code == (BPF_RET | BPF_K) && g_filter[i].k == SECCOMP_RET_USER_NOTIF) {
      g_filter[i].k = SECCOMP_RET_KILL_PROCESS;
    }
  }
}

}  // namespace

bool ReadFilter(int file) {
  const ssize_t size = ::pread(file, g_filter, sizeof g_filter, 0);  // others share its position
  ::close(file);
  if (size <= 0 || static_cast<std::size_t>(size) % sizeof g_filter[0] != 0) return false;
  g_length = static_cast<unsigned short>(static_cast<std::size_t>(size) / sizeof g_filter[0]);
  return true;
}

bool FilterCalls(int start) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const int listener = Install(SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (listener >= 0) {
    const char nothing = 0;
    return Send(start, &nothing, 1, {.descriptors = {listener}, .count = 1}) &&
           ::close(listener) == 0;
  }
  if (errno != EBUSY && errno != EINVAL) return false;
  KillInsteadOfTelling();
  return Install(0) == 0;
}

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

}  // namespace warpcheck::sandbox
