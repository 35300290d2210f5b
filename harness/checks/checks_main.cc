// The main of every assignment's checks program. Ends with 0 when all cases ran to their end,
// whatever their verdicts; 2 for wrong usage; 3 where the checks cannot run here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdio>
#include <memory>

#include "checks/listener.h"
#include "checks/options.h"
#include "checks/runner.h"
#include "checks/session.h"
#include "emulator/emulator.h"

namespace warpcheck {
namespace {

constexpr int kWrongUsage = 2;
constexpr int kCannotRun = 3;

int Failed(const Error& error, int status) {
  std::fprintf(stderr, "%s\n", error.Text().c_str());
  return status;
}

std::string EmulatorName() {
  struct Silent : DeviceLog {
    void OnLaunch(const LaunchRecord&) override {}
    void OnFinding(const Finding&) override {}
    void OnPrint(std::string_view) override {}
  } log;
  return emulator::MakeEmulator(log)->Properties().name;
}

// Arrays of many megabytes come and go with every case: their pages are kept for the next one.
void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that is allowed
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

int Main(int argc, char** argv) {
  KeepFreedMemory();
  testing::InitGoogleMock(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();  // runs none, and needs no options
  const auto options = ParseChecksOptions(argc, argv);
  if (!options) return Failed(options.error(), kWrongUsage);
  if (options->device != "emulator") {
    std::fprintf(stderr, "this build has no %s device: use --device=emulator\n",
                 options->device.c_str());
    return kCannotRun;
  }
  std::unique_ptr<sandbox::Sandbox> sandbox;
  if (options->no_sandbox) {
    sandbox = sandbox::MakeUnconfined();
  } else {
    auto made = sandbox::MakeBubblewrap();
    if (!made) return Failed(made.error(), kCannotRun);
    sandbox = std::move(*made);
  }
  const auto results = ResultsWriter::Open(options->results);
  if (!results) return Failed(results.error(), kCannotRun);

  Runner runner({.shared_object = options->shared_object,
                 .submission_host = options->submission_host,
                 .student_sources = options->student_sources,
                 .order_seed = options->order_seed},
                *sandbox);
  const Session session(runner, **results, options->seed);
  (*results)->Begin(options->device, EmulatorName(), options->seed);
  testing::UnitTest::GetInstance()->listeners().Append(
      new CaseListener(**results, Docket::Current()));
  [[maybe_unused]] const int verdict = RUN_ALL_TESTS();  // the results file says more
  return 0;
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) { return warpcheck::Main(argc, argv); }
