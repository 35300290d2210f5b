// Runs the hostile program in either sandbox.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

inline Limits SmallLimits() {
  Limits limits;
  limits.wall_time = std::chrono::seconds(5);
  limits.cpu_time = std::chrono::seconds(3);
  limits.memory_bytes = std::uint64_t{192} << 20;
  limits.processes = 16;
  limits.file_bytes = std::uint64_t{1} << 20;
  limits.output_bytes = std::uint64_t{32} << 10;
  return limits;
}

inline Command Hostile(std::vector<std::string> arguments, bool isolated) {
  Command command;
  command.arguments = {isolated ? "/program" : HOSTILE};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  if (isolated) command.mounts = {{.outside = HOSTILE, .inside = "/program"}};
  command.limits = SmallLimits();
  return command;
}

inline Ending RunOrFail(Sandbox& sandbox, const Command& command) {
  auto ending = sandbox.Run(command);
  if (!ending) {
    ADD_FAILURE() << ending.error().Text();
    return {};
  }
  return *ending;
}

// Skips, with the reason, where bubblewrap cannot work.
class BubblewrapTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = MakeBubblewrap();
    if (!made) GTEST_SKIP() << made.error().Text();
    sandbox_ = std::move(*made);
  }
  Ending Run(std::vector<std::string> arguments) {
    return RunOrFail(*sandbox_, Hostile(std::move(arguments), true));
  }

  std::unique_ptr<Sandbox> sandbox_;
};

}  // namespace warpcheck::sandbox
