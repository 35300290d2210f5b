// Runs the hostile program in each kind of sandbox.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/bubblewrap.h"
#include "sandbox/sandbox.h"
#include "sandbox/unconfined.h"

namespace warpcheck::sandbox {

enum class Kind : std::uint8_t {
  kUnconfined,
  kBubblewrap,
  kJail,
  kJailOfCopies,  // a jail whose fork server is the hostile program
};

inline std::string KindName(const testing::TestParamInfo<Kind>& info) {
  return std::vector<std::string>{"Unconfined", "Bubblewrap", "Jail", "JailOfCopies"}.at(
      static_cast<std::size_t>(info.param));
}

inline Limits SmallLimits() {
  Limits limits;
  limits.cpu_time = std::chrono::seconds(3);
  limits.idle_time = std::chrono::milliseconds(300);
  limits.memory_bytes = std::uint64_t{192} << 20;
  limits.processes = 16;
  limits.file_bytes = std::uint64_t{1} << 20;
  limits.output_bytes = std::uint64_t{32} << 10;
  return limits;
}

// The mounts inside, in addition to the system.
inline std::vector<Mount> Programs() {
  return {{.outside = HOSTILE, .inside = "/program"}, {.outside = HONEST, .inside = "/honest"}};
}

inline Command Hostile(std::vector<std::string> arguments, Kind kind) {
  Command command;
  command.arguments = {kind == Kind::kUnconfined ? HOSTILE : "/program"};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  if (kind == Kind::kBubblewrap) command.mounts = Programs();
  command.limits = SmallLimits();
  return command;
}

inline Result<std::unique_ptr<Sandbox>> MakeSandbox(Kind kind) {
  if (kind == Kind::kUnconfined) return MakeUnconfined();
  if (kind == Kind::kBubblewrap) return MakeBubblewrap();
  return MakeJail(Programs(), kind == Kind::kJailOfCopies ? "/program" : "");
}

inline Ending RunOrFail(Sandbox& sandbox, const Command& command) {
  auto ending = sandbox.Run(command);
  if (!ending) {
    ADD_FAILURE() << ending.error().Text();
    return {};
  }
  return *ending;
}

inline std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;) children.push_back(child);
  }
  return children;
}

// Skips the test, and says why, if bubblewrap cannot run here.
class SandboxTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    auto made = MakeSandbox(GetParam());
    if (!made) GTEST_SKIP() << made.error().Text();
    sandbox_ = std::move(*made);
  }
  static Command Make(std::vector<std::string> arguments) {
    return Hostile(std::move(arguments), GetParam());
  }
  Ending Run(std::vector<std::string> arguments) {
    return RunOrFail(*sandbox_, Make(std::move(arguments)));
  }
  // Runs the program with one more mount.
  Result<Ending> RunWith(const Mount& mount, std::vector<std::string> arguments) {
    Command command = Make(std::move(arguments));
    if (GetParam() == Kind::kBubblewrap) {
      command.mounts.push_back(mount);
      return sandbox_->Run(command);
    }
    std::vector<Mount> mounts = Programs();
    mounts.push_back(mount);
    const auto jail = MakeJail(std::move(mounts));
    if (!jail) return Fail(jail.error());
    return (*jail)->Run(command);
  }

  std::unique_ptr<Sandbox> sandbox_;
};

inline auto Jails() { return testing::Values(Kind::kJail, Kind::kJailOfCopies); }
inline auto Isolating() {
  return testing::Values(Kind::kBubblewrap, Kind::kJail, Kind::kJailOfCopies);
}

}  // namespace warpcheck::sandbox
