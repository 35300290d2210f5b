// Tries each system call that changes a file, reaches a socket or reaches another process, first in
// a process that is not confined, where it must work, and then in a confined one, where it must
// fail.
#include "sandbox/confine/confined_calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>

#include "base/descriptor.h"
#include "base/files.h"
#include "sandbox/confine/confine.h"

namespace warpcheck::sandbox {
namespace {

namespace fs = std::filesystem;

// The numbers of calls that are newer than the system's headers. They are the same on all machines.
constexpr long kFchmodat2 = 452;
constexpr long kSetxattrat = 463;
constexpr long kRemovexattrat = 466;
constexpr long kFileSetattr = 469;

enum Exit : int { kWorks = 0, kFails = 1, kNotConfined = 2 };

// Returns how a call ends in a new process, which is confined if there is a confinement.
int ExitOf(const Confinement* confinement, const std::function<bool()>& works) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (confinement != nullptr) {
      const auto confined = Confine(*confinement);
      if (!confined) ::_exit(kNotConfined);
    }
    ::_exit(works() ? kWorks : kFails);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string Contents(const fs::path& path) { return ReadFile(path).value_or("unreadable"); }

// Returns all that stat and the text say of each file of the folder, in the order of their names.
std::string Snapshot(const fs::path& folder) {
  std::string all;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    struct stat facts = {};
    EXPECT_EQ(::lstat(path.c_str(), &facts), 0);
    all += path.filename().string() + " " + std::to_string(facts.st_mode) + " " +
           std::to_string(facts.st_uid) + " " + std::to_string(facts.st_nlink) + " " +
           std::to_string(facts.st_size) + " " + std::to_string(facts.st_mtim.tv_nsec) + " " +
           std::to_string(facts.st_ctim.tv_nsec) + "\n";
  }
  return all;
}

// An address of a local socket; a name that starts with '@' is an abstract one.
struct Address {
  explicit Address(const std::string& name) {
    local.sun_family = AF_UNIX;
    std::memcpy(local.sun_path, name.data(), std::min(name.size(), sizeof local.sun_path - 1));
    if (name.starts_with('@')) local.sun_path[0] = '\0';
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&local); }
  sockaddr_un local = {};
  socklen_t bytes = 0;
};

class ConfinedCallsTest : public testing::Test {
 protected:
  ConfinedCallsTest()
      : folder_(fs::temp_directory_path() / ("confined_calls." + std::to_string(::getpid()))) {
    fs::create_directories(folder_ / "writable");
    Renew();
  }
  ~ConfinedCallsTest() override { fs::remove_all(folder_); }
  ConfinedCallsTest(const ConfinedCallsTest&) = delete;
  ConfinedCallsTest& operator=(const ConfinedCallsTest&) = delete;

  // Makes the folder that a confined process must not change.
  void Renew() const {
    fs::remove_all(folder_ / "outside");
    fs::create_directories(folder_ / "outside/empty");
    ASSERT_TRUE(WriteFile(folder_ / "outside/secret", "text"));
  }

  // A process that may read all of the folder, and one that may also write to a part of it.
  std::vector<Confinement> Kinds() const {
    return {{.readable = {folder_}, .writable = {}},
            {.readable = {folder_}, .writable = {folder_ / "writable"}}};
  }

  // Expects that each call works here, fails when confined, and then has changed nothing.
  struct Attempt {
    const char* name;
    std::function<bool()> works;
  };
  void ExpectOnlyOutside(const std::vector<Attempt>& attempts) const {
    for (const Attempt& attempt : attempts) {
      Renew();
      EXPECT_EQ(ExitOf(nullptr, attempt.works), kWorks) << attempt.name << " without confinement";
    }
    ExpectRefused(attempts);
  }
  void ExpectRefused(const std::vector<Attempt>& attempts) const {
    Renew();
    const std::string before = Snapshot(folder_ / "outside");
    for (const Attempt& attempt : attempts) {
      for (const Confinement& kind : Kinds()) {
        EXPECT_EQ(ExitOf(&kind, attempt.works), kFails)
            << attempt.name << (kind.writable.empty() ? "" : ", with a writable folder");
      }
      ASSERT_EQ(Snapshot(folder_ / "outside"), before) << attempt.name;
      ASSERT_EQ(Contents(folder_ / "outside/secret"), "text") << attempt.name;
    }
  }

  fs::path folder_;
};

bool Open(const std::string& path, int flags, mode_t mode = 0600) {
  const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC, mode));
  return file.get() >= 0;
}

TEST_F(ConfinedCallsTest, ChangesNoContents) {
  const std::string file = folder_ / "outside/secret";
  const std::string made = folder_ / "outside/new";
  const char* const at = file.c_str();
  ExpectOnlyOutside({
      {"open to write", [&] { return Open(file, O_WRONLY); }},
      {"open to read and write", [&] { return Open(file, O_RDWR); }},
      {"open to append", [&] { return Open(file, O_WRONLY | O_APPEND); }},
      {"open to write and cut", [&] { return Open(file, O_WRONLY | O_TRUNC); }},
      {"open to read and cut", [&] { return Open(file, O_RDONLY | O_TRUNC); }},
      {"open to make", [&] { return Open(made, O_RDONLY | O_CREAT); }},
      {"open a nameless file", [&] { return Open(folder_ / "outside", O_RDWR | O_TMPFILE); }},
      {"creat", [&] { return ::creat(at, 0600) >= 0; }},
      {"openat2",
       [&] {
         const std::uint64_t how[3] = {O_RDWR, 0, 0};
         return ::syscall(SYS_openat2, AT_FDCWD, at, how, sizeof how) >= 0;
       }},
      {"truncate", [&] { return ::truncate(at, 0) == 0; }},
      {"open as root of this process", [&] { return Open("/proc/self/root" + file, O_WRONLY); }},
  });
  const Descriptor read(::open(at, O_RDONLY | O_CLOEXEC));
  ExpectRefused({
      {"ftruncate", [&] { return ::ftruncate(read.get(), 0) == 0; }},
      {"fallocate", [&] { return ::fallocate(read.get(), 0, 0, 100) == 0; }},
      {"write", [&] { return ::write(read.get(), "x", 1) == 1; }},
      {"open again to write",
       [&] { return Open("/proc/self/fd/" + std::to_string(read.get()), O_WRONLY); }},
  });
}

TEST_F(ConfinedCallsTest, ChangesNoFactsOfAFile) {
  const std::string file = folder_ / "outside/secret";
  const char* const at = file.c_str();
  const Descriptor read(::open(at, O_RDONLY | O_CLOEXEC));
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  // Renew() makes the file anew, so that a descriptor is opened for each attempt.
  const auto opened = [at] { return ::open(at, O_RDONLY | O_CLOEXEC); };
  ExpectOnlyOutside({
      {"chmod", [&] { return ::chmod(at, 0777) == 0; }},
      {"fchmod", [&] { return ::fchmod(opened(), 0777) == 0; }},
      {"fchmodat", [&] { return ::fchmodat(AT_FDCWD, at, 0777, 0) == 0; }},
      {"chown", [&] { return ::chown(at, user, group) == 0; }},
      {"lchown", [&] { return ::lchown(at, user, group) == 0; }},
      {"fchown", [&] { return ::fchown(opened(), user, group) == 0; }},
      {"fchownat", [&] { return ::fchownat(AT_FDCWD, at, user, group, 0) == 0; }},
      {"utime", [&] { return ::syscall(SYS_utime, at, nullptr) == 0; }},
      {"utimes", [&] { return ::syscall(SYS_utimes, at, nullptr) == 0; }},
      {"futimesat", [&] { return ::syscall(SYS_futimesat, AT_FDCWD, at, nullptr) == 0; }},
      {"utimensat", [&] { return ::utimensat(AT_FDCWD, at, nullptr, 0) == 0; }},
      {"futimens", [&] { return ::futimens(opened(), nullptr) == 0; }},
  });
  // Not every file system and kernel has these calls.
  long flags = 0;
  ExpectRefused({
      {"fchmodat2", [&] { return ::syscall(kFchmodat2, AT_FDCWD, at, 0777, 0) == 0; }},
      {"setxattr", [&] { return ::syscall(SYS_setxattr, at, "user.a", "b", 1, 0) == 0; }},
      {"lsetxattr", [&] { return ::syscall(SYS_lsetxattr, at, "user.a", "b", 1, 0) == 0; }},
      {"fsetxattr", [&] { return ::syscall(SYS_fsetxattr, opened(), "user.a", "b", 1, 0) == 0; }},
      {"setxattrat",
       [&] {
         const std::uint64_t value[2] = {reinterpret_cast<std::uintptr_t>("b"), 1};
         return ::syscall(kSetxattrat, AT_FDCWD, at, 0, "user.a", value, sizeof value) == 0;
       }},
      {"removexattr", [&] { return ::syscall(SYS_removexattr, at, "user.a") == 0; }},
      {"lremovexattr", [&] { return ::syscall(SYS_lremovexattr, at, "user.a") == 0; }},
      {"fremovexattr", [&] { return ::syscall(SYS_fremovexattr, opened(), "user.a") == 0; }},
      {"removexattrat", [&] { return ::syscall(kRemovexattrat, AT_FDCWD, at, 0, "user.a") == 0; }},
      {"flags of a file", [&] { return ::ioctl(opened(), FS_IOC_GETFLAGS, &flags) == 0; }},
      {"set flags of a file", [&] { return ::ioctl(opened(), FS_IOC_SETFLAGS, &flags) == 0; }},
      {"file_setattr",
       [&] {
         const std::uint64_t none[8] = {};
         return ::syscall(kFileSetattr, AT_FDCWD, at, none, 32, 0) == 0;
       }},
      {"the owner of its signals", [&] { return ::fcntl(opened(), F_SETOWN, ::getppid()) == 0; }},
      {"lease", [&] { return ::fcntl(opened(), F_SETLEASE, F_RDLCK) == 0; }},
  });
}

TEST_F(ConfinedCallsTest, ChangesNoNames) {
  const std::string file = folder_ / "outside/secret";
  const std::string made = folder_ / "outside/new";
  const std::string empty = folder_ / "outside/empty";
  const std::string mine = folder_ / "writable/mine";
  const char* const at = file.c_str();
  const char* const to = made.c_str();
  ASSERT_TRUE(WriteFile(mine, "mine"));
  ExpectOnlyOutside({
      {"rename", [&] { return ::rename(at, to) == 0; }},
      {"rename out of the writable folder",
       [&] {
         const bool renamed = ::rename(mine.c_str(), to) == 0;
         if (renamed) ::rename(to, mine.c_str());
         return renamed;
       }},
      {"renameat", [&] { return ::renameat(AT_FDCWD, at, AT_FDCWD, to) == 0; }},
      {"renameat2", [&] { return ::renameat2(AT_FDCWD, at, AT_FDCWD, to, 0) == 0; }},
      {"link", [&] { return ::link(at, to) == 0; }},
      {"link out of the writable folder", [&] { return ::link(mine.c_str(), to) == 0; }},
      {"linkat", [&] { return ::linkat(AT_FDCWD, at, AT_FDCWD, to, 0) == 0; }},
      {"symlink", [&] { return ::symlink(at, to) == 0; }},
      {"symlinkat", [&] { return ::symlinkat(at, AT_FDCWD, to) == 0; }},
      {"unlink", [&] { return ::unlink(at) == 0; }},
      {"unlinkat", [&] { return ::unlinkat(AT_FDCWD, at, 0) == 0; }},
      {"mkdir", [&] { return ::mkdir(to, 0700) == 0; }},
      {"mkdirat", [&] { return ::mkdirat(AT_FDCWD, to, 0700) == 0; }},
      {"rmdir", [&] { return ::rmdir(empty.c_str()) == 0; }},
      {"mknod", [&] { return ::mknod(to, S_IFREG | 0600, 0) == 0; }},
      {"mkfifo", [&] { return ::mkfifo(to, 0600) == 0; }},
      {"mknodat", [&] { return ::mknodat(AT_FDCWD, to, S_IFSOCK | 0600, 0) == 0; }},
  });
}

TEST_F(ConfinedCallsTest, ReachesNoSocketByAnAddress) {
  const std::string path = folder_ / "writable/socket";
  const std::string abstract = "@confined_calls." + std::to_string(::getpid());
  std::vector<Attempt> attempts;
  std::vector<Descriptor> listening;
  for (const std::string& name : {path, path + ".datagrams", abstract, abstract + ".datagrams"}) {
    const int type = name.ends_with(".datagrams") ? SOCK_DGRAM : SOCK_STREAM;
    const Address address(name);
    const Descriptor& server = listening.emplace_back(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::bind(server.get(), address.get(), address.bytes), 0) << name;
    if (type == SOCK_STREAM) {
      ASSERT_EQ(::listen(server.get(), 100), 0);
    }
    attempts.push_back({"connect", [type, address] {
                          const int mine = ::socket(AF_UNIX, type, 0);
                          return ::connect(mine, address.get(), address.bytes) == 0;
                        }});
  }
  // These sockets were made before the confinement.
  const Address streams(path);
  const Address datagrams(path + ".datagrams");
  const Address hidden(abstract + ".datagrams");
  const Descriptor stream(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Descriptor datagram(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), 0);
  const Descriptor one(pair[0]);
  const Descriptor other(pair[1]);
  const Descriptor untied(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  attempts.push_back({"connect an open socket", [&] {
                        // A process of this test that is not confined would connect the socket for
                        // all of them.
                        const int mine = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
                        return ::connect(mine < 0 ? stream.get() : mine, streams.get(),
                                         streams.bytes) == 0;
                      }});
  for (const int from : {datagram.get(), one.get()}) {
    for (const Address& to : {datagrams, hidden}) {
      attempts.push_back(
          {"sendto", [from, to] { return ::sendto(from, "x", 1, 0, to.get(), to.bytes) == 1; }});
      attempts.push_back({"sendmsg", [from, to] {
                            iovec part = {.iov_base = const_cast<char*>("x"), .iov_len = 1};
                            msghdr message = {};
                            message.msg_name = const_cast<sockaddr*>(to.get());
                            message.msg_namelen = to.bytes;
                            message.msg_iov = &part;
                            message.msg_iovlen = 1;
                            return ::sendmsg(from, &message, 0) == 1;
                          }});
      attempts.push_back({"sendmmsg", [from, to] {
                            iovec part = {.iov_base = const_cast<char*>("x"), .iov_len = 1};
                            mmsghdr message = {};
                            message.msg_hdr.msg_name = const_cast<sockaddr*>(to.get());
                            message.msg_hdr.msg_namelen = to.bytes;
                            message.msg_hdr.msg_iov = &part;
                            message.msg_hdr.msg_iovlen = 1;
                            return ::sendmmsg(from, &message, 1, 0) == 1;
                          }});
    }
  }
  const std::string name = abstract + ".bound";
  attempts.push_back({"bind", [&] {
                        const Address address(name);
                        const int mine = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
                        return ::bind(mine < 0 ? untied.get() : mine, address.get(),
                                      address.bytes) == 0;
                      }});
  attempts.push_back({"listen", [&] { return ::listen(listening.front().get(), 10) == 0; }});
  ExpectOnlyOutside(attempts);
  ExpectRefused({{"accept", [&] {
                    ::fcntl(listening.front().get(), F_SETFL, O_NONBLOCK);
                    return ::accept(listening.front().get(), nullptr, nullptr) >= 0 ||
                           errno == EAGAIN;
                  }}});
}

// Starts a process that waits until it is killed.
class Victim {
 public:
  Victim() : pid_(::fork()) {
    if (pid_ != 0) return;
    for (;;) ::pause();
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST_F(ConfinedCallsTest, ReachesNoProcess) {
  const Victim victim;
  const pid_t other = victim.pid();
  const Descriptor held(static_cast<int>(::syscall(SYS_pidfd_open, other, 0)));
  const std::string place = "/proc/" + std::to_string(other);
  rlimit limit = {};
  std::uint64_t mask[16] = {1};
  ExpectOnlyOutside({
      {"kill", [&] { return ::kill(other, SIGCONT) == 0; }},
      {"kill to ask", [&] { return ::kill(other, 0) == 0; }},
      {"kill of a group", [&] { return ::kill(0, SIGCONT) == 0; }},
      {"tkill", [&] { return ::syscall(SYS_tkill, other, SIGCONT) == 0; }},
      {"tgkill", [&] { return ::syscall(SYS_tgkill, other, other, SIGCONT) == 0; }},
      {"pidfd_open", [&] { return ::syscall(SYS_pidfd_open, other, 0) >= 0; }},
      {"pidfd_send_signal",
       [&] { return ::syscall(SYS_pidfd_send_signal, held.get(), SIGCONT, nullptr, 0) == 0; }},
      {"limits of another", [&] { return ::prlimit(other, RLIMIT_CORE, nullptr, &limit) == 0; }},
      {"setpriority", [&] { return ::setpriority(PRIO_PROCESS, 0, 1) == 0; }},
      {"sched_setaffinity",
       [&] { return ::syscall(SYS_sched_setaffinity, other, sizeof mask, mask) == 0; }},
      {"look at its files", [&] { return Open(place, O_RDONLY | O_DIRECTORY); }},
      {"read its command line", [&] { return Open(place + "/cmdline", O_RDONLY); }},
      {"fork", [] { return ::syscall(SYS_fork) >= 0; }},
      {"execve",
       [] {
         ::execl("/usr/bin/true", "true", nullptr);
         return false;
       }},
  });
}

// These calls need rights, or a kernel that allows them, and so may fail without confinement too.
// The filter refuses them before the kernel looks at their arguments.
TEST_F(ConfinedCallsTest, HasNoCallsThatReachFurther) {
  const struct {
    const char* name;
    long number;
  } calls[] = {
#define CALL(name) {#name, SYS_##name}
      CALL(ptrace),
      CALL(process_vm_readv),
      CALL(process_vm_writev),
      CALL(process_madvise),
      CALL(kcmp),
      CALL(pidfd_getfd),
      CALL(rt_sigqueueinfo),
      CALL(rt_tgsigqueueinfo),
      CALL(migrate_pages),
      CALL(move_pages),
      CALL(sched_setscheduler),
      CALL(ioprio_set),
      CALL(mount),
      CALL(umount2),
      CALL(pivot_root),
      CALL(chroot),
      CALL(setns),
      CALL(unshare),
      CALL(open_tree),
      CALL(move_mount),
      CALL(fsopen),
      CALL(fsconfig),
      CALL(fsmount),
      CALL(mount_setattr),
      CALL(name_to_handle_at),
      CALL(open_by_handle_at),
      CALL(io_uring_setup),
      CALL(io_uring_enter),
      CALL(io_uring_register),
      CALL(io_setup),
      CALL(bpf),
      CALL(perf_event_open),
      CALL(userfaultfd),
      CALL(keyctl),
      CALL(add_key),
      CALL(request_key),
      CALL(fanotify_init),
      CALL(inotify_init1),
      CALL(mq_open),
      CALL(mq_unlink),
      CALL(shmget),
      CALL(msgget),
      CALL(semget),
      CALL(swapon),
      CALL(quotactl),
      CALL(acct),
      CALL(reboot),
      CALL(setuid),
      CALL(setgid),
      CALL(setresuid),
      CALL(capset),
      CALL(init_module),
      CALL(kexec_load),
      CALL(sethostname),
      CALL(settimeofday),
      CALL(clone3),
      CALL(vhangup),
      CALL(seccomp),
      CALL(landlock_create_ruleset),
      CALL(execveat),
      CALL(chdir),
      CALL(sync)
#undef CALL
  };
  for (const auto& call : calls) {
    for (const Confinement& kind : Kinds()) {
      const long number = call.number;
      EXPECT_EQ(ExitOf(&kind,
                       [number] {
                         return ::syscall(number, -1, -1, -1, -1, -1, -1) == -1 && errno == ENOSYS;
                       }),
                kWorks)
          << call.name;
    }
  }
}

TEST_F(ConfinedCallsTest, DoesWhatAJudgeNeeds) {
  const auto works = [&] {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
    std::thread thread([&] { ::send(ends[0], "word", 4, MSG_NOSIGNAL); });
    char word[4];
    const bool received = ::recv(ends[1], word, sizeof word, 0) == sizeof word;
    thread.join();
    const Descriptor kept(static_cast<int>(::syscall(SYS_memfd_create, "kept", 0)));
    struct rlimit limit;
    return received && kept.get() >= 0 && WriteAll(kept.get(), "text") &&
           ::getrlimit(RLIMIT_DATA, &limit) == 0 && ReadFile("/proc/self/status").has_value() &&
           Contents(folder_ / "outside/secret") == "text";
  };
  for (const Confinement& kind : Kinds()) EXPECT_EQ(ExitOf(&kind, works), kWorks);
}

TEST_F(ConfinedCallsTest, AnAbortEndsTheProcess) {
  const Confinement kind = Kinds().front();
  EXPECT_EQ(ExitOf(&kind,
                   [] {
                     ::signal(SIGABRT, SIG_DFL);
                     std::abort();
                     return true;
                   }),
            128 + SIGABRT);
}

TEST_F(ConfinedCallsTest, WritesToItsFolder) {
  const fs::path folder = folder_ / "writable";
  const Confinement kind = Kinds().back();
  EXPECT_EQ(ExitOf(&kind,
                   [&] {
                     return WriteFile(folder / "made", "text") &&
                            WriteFile(folder / "made", "new") &&
                            ::mkdir((folder / "deep").c_str(), 0700) == 0 &&
                            ::rename((folder / "made").c_str(), (folder / "moved").c_str()) == 0;
                   }),
            kWorks);
  EXPECT_EQ(Contents(folder / "moved"), "new");
}

}  // namespace
}  // namespace warpcheck::sandbox
