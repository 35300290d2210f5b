// Tests what the hostile program must not reach under bubblewrap, in its own sandbox and in a jail.
// If a harm is harmless without isolation, the test also does it there, so that it cannot pass
// because the harm does nothing.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sandbox/fixture.h"
#include "sandbox/unconfined.h"

namespace warpcheck::sandbox {
namespace {

using IsolationTest = SandboxTest;
INSTANTIATE_TEST_SUITE_P(Each, IsolationTest, Isolating(), KindName);

TEST_P(IsolationTest, ReadsNothingOfOurs) {
  for (const char* path : {"/etc/shadow", "/etc/passwd", "/root", "/home", HOSTILE, __FILE__,
                           "/usr/local/bin", "/proc/1/mem", "/proc/1/environ", "/sys", "/run"}) {
    EXPECT_EQ(Run({"read", path}).exit_code, 0) << path;
  }
  EXPECT_EQ(Run({"read", "/usr"}).exit_code, 1);
}

TEST_P(IsolationTest, WritesOnlyToTmp) {
  for (const char* folder : {"/", "/usr", "/etc", "/dev", "/dev/shm", "/proc", "/usr/local"}) {
    EXPECT_EQ(Run({"write", folder}).exit_code, 0) << folder;
  }
  EXPECT_EQ(Run({"write", "/tmp"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists("/tmp/warpcheck_planted"));
}

TEST_P(IsolationTest, HasNoNetwork) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  EXPECT_EQ(Run({"connect", port}).exit_code, 0);
  EXPECT_EQ(RunOrFail(*MakeUnconfined(), Hostile({"connect", port}, Kind::kUnconfined)).exit_code,
            1);
  ::close(listener);
}

TEST_P(IsolationTest, SeesNoOtherProcess) {
  EXPECT_EQ(Run({"see"}).exit_code, 0);
  EXPECT_EQ(RunOrFail(*MakeUnconfined(), Hostile({"see"}, Kind::kUnconfined)).exit_code, 1);
}

TEST_P(IsolationTest, CannotHarmTheSupervisor) {
  const Ending ending = Run({"supervisor"});
  EXPECT_EQ(ending.cause, Cause::kExited);
  EXPECT_EQ(ending.exit_code, 0);
}

TEST_P(IsolationTest, MakesNoNamespaces) { EXPECT_EQ(Run({"namespace"}).exit_code, 0); }

TEST_P(IsolationTest, FileSize) {
  const Ending ending = Run({"huge_file"});
  EXPECT_EQ(ending.Text(SmallLimits()), "wrote a file larger than 1 MiB");
}

TEST_P(IsolationTest, InheritsNoEnvironment) {
  ::setenv("WARPCHECK_SECRET", "1", 1);
  EXPECT_EQ(Run({"environment"}).stdout_text, "");
  Command command = Make({"environment"});
  command.environment = {"A=1", "B=two words"};
  EXPECT_EQ(RunOrFail(*sandbox_, command).stdout_text, "A=1\nB=two words\n");
}

TEST_P(IsolationTest, SeesTheSameAddressesInEveryRun) {
  const std::string first = Run({"addresses"}).stdout_text;
  EXPECT_NE(first, "");
  EXPECT_EQ(Run({"addresses"}).stdout_text, first);
  const int one_more_descriptor = ::dup(1);
  EXPECT_EQ(RunOrFail(**MakeSandbox(GetParam()), Make({"addresses"})).stdout_text, first);
  ::close(one_more_descriptor);
}

TEST_P(IsolationTest, InheritsNoDescriptors) {
  const int kept = ::dup(1);  // this copy stays open in executed programs
  EXPECT_EQ(Run({"descriptors"}).stdout_text, "0 1 2 ");
  EXPECT_EQ(RunOrFail(*MakeUnconfined(), Hostile({"descriptors"}, Kind::kUnconfined)).stdout_text,
            "0 1 2 ");
  ::close(kept);
}

TEST_P(IsolationTest, TalksOnDescriptor3) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  Command command = Make({"reply"});
  command.inherited_fd = ends[1];
  EXPECT_EQ(RunOrFail(*sandbox_, command).exit_code, 0);
  ::close(ends[1]);
  char text[8] = {};
  EXPECT_EQ(::read(ends[0], text, sizeof text), 5);
  EXPECT_STREQ(text, "hello");
  EXPECT_EQ(::read(ends[0], text, sizeof text), 0);  // no other process has the other end
  command = Make({"descriptors"});
  command.inherited_fd = ends[0];
  EXPECT_EQ(RunOrFail(*sandbox_, command).stdout_text, "0 1 2 3 ");
  ::close(ends[0]);
}

TEST_P(IsolationTest, MountsFromFoldersThatOthersMayNotEnter) {
  const std::filesystem::path folder = testing::TempDir() + "warpcheck_private";
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  std::ofstream(folder / "file") << "text";
  const auto ending = RunWith({.outside = folder / "file", .inside = "/given"}, {"read", "/given"});
  ASSERT_TRUE(ending) << ending.error().Text();
  EXPECT_EQ(ending->exit_code, 1);
  std::filesystem::remove_all(folder);
}

TEST_P(IsolationTest, MissingMountIsAnError) {
  const auto ending = RunWith({.outside = "/no/such/file", .inside = "/given"}, {"exit", "0"});
  ASSERT_FALSE(ending);
  EXPECT_EQ(ending.error().message,
            "cannot show /no/such/file to the sandbox: No such file or directory");
}

}  // namespace
}  // namespace warpcheck::sandbox
