// Tests the result of a function that runs confined, and every way in which it can fail.
#include "sandbox/confine/confined_run.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "base/files.h"
#include "sandbox/confine/confine.h"

namespace warpcheck::sandbox {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string ErrorOf(const ConfinedRun& run, const std::function<std::string()>& work) {
  const auto result = RunConfined(run, work);
  return result ? "returned: " + *result : result.error().message;
}

TEST(ConfinedWork, ReturnsAnyBytes) {
  const std::string bytes = std::string("a\0b", 3) + std::string(300'000, 'x');
  const auto result = RunConfined({}, [&] { return std::string(bytes); });
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, bytes);
}

TEST(ConfinedWork, IsConfined) {
  const fs::path folder =
      fs::temp_directory_path() / ("confined_run_test." + std::to_string(::getpid()));
  fs::create_directories(folder / "given");
  ASSERT_TRUE(WriteFile(folder / "secret", "text"));
  ASSERT_TRUE(WriteFile(folder / "given/file", "text"));
  ConfinedRun run;
  run.confinement.readable = {folder / "given"};
  const auto read = [](const fs::path& path) {
    return [path] { return ReadFile(path) ? std::string("read") : std::string("refused"); };
  };
  EXPECT_EQ(RunConfined(run, read(folder / "given/file")).value(), "read");
  if (MissingConfinement().empty()) {
    EXPECT_EQ(RunConfined(run, read(folder / "secret")).value(), "refused");
  }
  EXPECT_TRUE(ReadFile(folder / "secret")) << "this process is confined, too";
  fs::remove_all(folder);
}

TEST(ConfinedWork, KeepsTheDescriptorsThatAreNamedAndNoOthers) {
  const int kept = ::dup(STDERR_FILENO), other = ::dup(STDERR_FILENO);
  ConfinedRun run;
  run.kept = {kept};
  EXPECT_EQ(RunConfined(run,
                        [&] {
                          const bool has = ::fcntl(kept, F_GETFD) >= 0;
                          const bool has_other = ::fcntl(other, F_GETFD) >= 0;
                          return std::string(has ? "kept" : "lost") + (has_other ? ", more" : "");
                        })
                .value(),
            "kept");
  ::close(kept);
  ::close(other);
}

TEST(ConfinedWork, SaysHowItFailed) {
  EXPECT_EQ(ErrorOf({}, []() -> std::string { throw std::runtime_error("is no archive"); }),
            "is no archive");
  EXPECT_EQ(ErrorOf({}, []() -> std::string { std::_Exit(1); }), "cannot be read");
  ConfinedRun run;
  run.max_result = 1000;
  EXPECT_EQ(ErrorOf(run, [] { return std::string(100'000, 'x'); }),
            "makes a result of more than 1000 bytes");
}

TEST(ConfinedWork, SaysThatItCrashed) {
  EXPECT_THAT(ErrorOf({},
                      []() -> std::string {
                        ::signal(SIGSEGV, SIG_DFL);
                        ::raise(SIGSEGV);
                        return {};
                      }),
              HasSubstr("crashes the program that reads it: signal 11 (segmentation fault)"));
}

TEST(ConfinedWork, IsLimitedInProcessorTime) {
  ConfinedRun run;
  run.cpu_limit = std::chrono::seconds(1);
  EXPECT_EQ(ErrorOf(run,
                    []() -> std::string {
                      for (volatile int forever = 0;;) forever = forever + 1;
                    }),
            "takes more than 1 s of processor time");
}

// The shadow memory of the address sanitizer is larger than any limit.
#if !defined(__SANITIZE_ADDRESS__)
TEST(ConfinedWork, IsLimitedInMemory) {
  ConfinedRun run;
  run.confinement.memory_bytes = std::uint64_t{256} << 20;
  EXPECT_EQ(ErrorOf(run,
                    []() -> std::string {
                      std::string all;
                      for (;;) all += std::string(16 << 20, 'x');
                    }),
            "needs more than 256 MiB of memory");
}
#endif

// A run that the machine ends is started again.
TEST(ConfinedWork, IsBegunAnewWhereOthersKillIt) {
  const fs::path mark =
      fs::temp_directory_path() / ("confined_run_mark." + std::to_string(::getpid()));
  fs::create_directories(mark);
  ConfinedRun run;
  run.confinement.writable = {mark};
  EXPECT_EQ(ErrorOf(run,
                    [&] {
                      if (!fs::exists(mark / "begun")) {
                        (void)WriteFile(mark / "begun", "");
                        ::raise(SIGKILL);
                      }
                      return std::string("done");
                    }),
            "returned: done");
  EXPECT_EQ(ErrorOf({},
                    []() -> std::string {
                      ::raise(SIGKILL);
                      return {};
                    }),
            "crashes the program that reads it: signal 9 (killed)");
  fs::remove_all(mark);
}

}  // namespace
}  // namespace warpcheck::sandbox
