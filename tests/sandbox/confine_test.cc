// Tests what a process can no longer do once it has confined itself, and what it still can do.
#include "sandbox/confine/confine.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <new>

#include "base/files.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/fixture.h"

namespace warpcheck::sandbox {
namespace {

namespace fs = std::filesystem;

// Returns 0 if `works` returns true in a confined process, 1 if it returns false, and 2 if the
// process cannot be confined.
int Confined(const Confinement& confinement, const std::function<bool()>& works) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto confined = Confine(confinement);
    if (!confined) std::fprintf(stderr, "%s\n", confined.error().Text().c_str());
    ::_exit(!confined ? 2 : works() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class ConfineTest : public testing::Test {
 protected:
  ConfineTest()
      : folder_(fs::temp_directory_path() / ("confine_test." + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "readable");
    fs::create_directories(folder_ / "writable");
    for (const char* name : {"secret", "readable/file", "writable/file"}) {
      EXPECT_TRUE(WriteFile(folder_ / name, "text"));
    }
    confinement_.readable = {folder_ / "readable"};
    confinement_.writable = {folder_ / "writable"};
  }
  ~ConfineTest() override { fs::remove_all(folder_); }
  ConfineTest(const ConfineTest&) = delete;
  ConfineTest& operator=(const ConfineTest&) = delete;

  void ExpectWorks(const std::function<bool()>& works) const {
    EXPECT_EQ(Confined(confinement_, works), 0);
  }
  void ExpectFails(const std::function<bool()>& works) const {
    EXPECT_EQ(Confined(confinement_, works), 1);
  }

  fs::path folder_;
  Confinement confinement_;
};

TEST_F(ConfineTest, OpensTheFilesThatAreNamed) {
  ExpectWorks([&] { return ReadFile(folder_ / "readable/file").has_value(); });
  ExpectWorks([&] { return ReadFile("/proc/self/status").has_value(); });
  ExpectWorks([&] { return WriteFile(folder_ / "writable/new", "text").has_value(); });
}

TEST_F(ConfineTest, OpensNoOtherWhereTheKernelHasLandlock) {
  const auto read = [&] { return ReadFile(folder_ / "secret").has_value(); };
  const auto write = [&] { return WriteFile(folder_ / "new", "text").has_value(); };
  if (!MissingConfinement().empty()) {
    EXPECT_THAT(MissingConfinement(), testing::HasSubstr("Landlock"));
    ExpectWorks(read);
    return;
  }
  ExpectFails(read);
  ExpectFails(write);
  ExpectFails([&] { return WriteFile(folder_ / "readable/file", "other").has_value(); });
  ExpectFails([&] {
    std::error_code refused;
    return fs::remove(folder_ / "secret", refused);
  });
  ExpectFails([] { return ReadFile("/etc/passwd").has_value(); });
}

TEST_F(ConfineTest, StartsNoProgram) {
  ExpectFails([] { return ::execl("/usr/bin/true", "true", nullptr) == 0; });
}

TEST_F(ConfineTest, HasNoSocketsButConnectedPairs) {
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
      ExpectFails([&] { return ::socket(family, type, 0) >= 0; });
    }
  }
  int ends[2];
  ExpectFails([&] { return ::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0; });
  ExpectWorks([&] { return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0; });
}

TEST_F(ConfineTest, TracesAndMountsNothing) {
  ExpectFails([] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; });
  ExpectFails([&] { return ::mount("none", folder_.c_str(), "tmpfs", 0, "") == 0; });
  ExpectFails([] { return ::unshare(CLONE_NEWUSER) == 0; });
}

TEST_F(ConfineTest, HasNoRightsOfRoots) {
  ExpectFails([&] { return ::chown((folder_ / "writable/file").c_str(), 12345, 12345) == 0; });
  ExpectFails([] { return ::setuid(12345) == 0; });
}

TEST_F(ConfineTest, HoldsNoMoreMemoryThanItMay) {
  confinement_.memory_bytes = std::uint64_t{256} << 20;
  const auto take = [](std::size_t bytes) {
    return [bytes] {
      void* const memory = ::operator new(bytes, std::nothrow);
      const bool taken = memory != nullptr;
      ::operator delete(memory);
      return taken;
    };
  };
  ExpectWorks(take(std::size_t{64} << 20));
#if !defined(__SANITIZE_ADDRESS__)
  ExpectFails(take(std::size_t{512} << 20));
#endif
}

// A checks program makes its jail, then confines itself, then runs the programs that it judges.
TEST_F(ConfineTest, RunsProgramsInAJailThatStands) {
  auto jail = MakeJail(Programs(), "/program");
  if (!jail) GTEST_SKIP() << jail.error().Text();
  ExpectWorks([&] {
    const auto exits = (*jail)->Run(Hostile({"exit", "3"}, Kind::kJailOfCopies));
    Command endless = Hostile({"loop"}, Kind::kJailOfCopies);
    endless.limits.wall_time = std::chrono::seconds(1);
    const auto ended = (*jail)->Run(endless);
    return exits && exits->exit_code == 3 && ended && ended->cause != Cause::kSandboxFault;
  });
}

}  // namespace
}  // namespace warpcheck::sandbox
