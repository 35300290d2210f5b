#include "process/run_program.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace warpcheck {
namespace {

ProgramRun Shell(std::string script) {
  ProgramRun run;
  run.program = "/bin/sh";
  run.arguments = {"-c", std::move(script)};
  run.limit = std::chrono::seconds(60);
  run.max_output = 1000;
  return run;
}

TEST(RunProgramTest, AddsToTheEnvironmentAndKeepsGoogleTestsFromIt) {
  ::setenv("RUN_PROGRAM_TEST_INHERITED", "old", 1);
  ::setenv("RUN_PROGRAM_TEST_CHANGED", "old", 1);
  ::setenv("GTEST_FILTER_OF_THIS_TEST", "*", 1);
  ProgramRun run = Shell(
      "echo $RUN_PROGRAM_TEST_INHERITED $RUN_PROGRAM_TEST_CHANGED $RUN_PROGRAM_TEST_NEW; echo "
      "[$GTEST_FILTER_OF_THIS_TEST]");
  run.environment = {"RUN_PROGRAM_TEST_CHANGED=new", "RUN_PROGRAM_TEST_NEW=a=b"};
  const auto end = RunProgram(run);
  ASSERT_TRUE(end) << end.error().Text();
  EXPECT_EQ(end->output, "old new a=b\n[]\n");
}

TEST(RunProgramTest, SaysHowItEnded) {
  const ProgramRun run = Shell("echo last words; exit 3");
  const auto end = RunProgram(run);
  ASSERT_TRUE(end) << end.error().Text();
  EXPECT_EQ(end->Text(run.limit), "exited with status 3");
  EXPECT_EQ(end->output, "last words\n");
}

}  // namespace
}  // namespace warpcheck
