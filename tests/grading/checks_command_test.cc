#include <gmock/gmock.h>

#include "grading/checks_program.h"

namespace warpcheck {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

TEST(ChecksCommand, SaysOnlyWhatDiffersFromTheUsual) {
  ChecksCommand command;
  command.device = "emulator";
  const auto usual = command.Arguments("r.jsonl");
  EXPECT_THAT(usual, Contains("--results=r.jsonl"));
  for (const char* option :
       {"--gpu-host", "--no-memcheck", "--count-every-launch", "--no-sandbox"}) {
    EXPECT_THAT(usual, Not(Contains(StartsWith(option))));
  }
  command.device = "gpu";
  command.gpu_host = "/bin/gpu_host";
  command.memcheck = false;
  command.count_every_launch = true;
  command.sandboxed = false;
  const auto arguments = command.Arguments("r.jsonl");
  for (const char* option : {"--device=gpu", "--gpu-host=/bin/gpu_host", "--no-memcheck",
                             "--count-every-launch", "--no-sandbox"}) {
    EXPECT_THAT(arguments, Contains(option));
  }
}

}  // namespace
}  // namespace warpcheck
