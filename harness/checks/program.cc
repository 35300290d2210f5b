#include "checks/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "checks/drawn.h"
#include "checks/experiment_run.h"
#include "checks/failures/case_listener.h"
#include "checks/failures/dump_log.h"
#include "checks/promises.h"
#include "checks/reason_run.h"
#include "checks/speed/call_timer.h"
#include "results/checks_order.h"
#include "results/reference_counts.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/confine/confine.h"
#include "sandbox/unconfined.h"
#include "trial/case_log.h"
#include "trial/devices/emulator_source.h"
#include "trial/devices/gpu_source.h"
#include "trial/runner.h"
#include "trial/session.h"
#include "trial/submission_hosts.h"

namespace warpcheck {
namespace {

constexpr int kWrongUsage = 2;
constexpr int kCannotRun = 3;

int Failed(const Error& error, int status) {
  std::fprintf(stderr, "%s\n", error.Text().c_str());
  return status;
}

constexpr std::string_view kOrderOption = "--order=";
constexpr std::string_view kSeedOption = "--seed=";

// Reads the order that the last argument names. Options of GoogleTest may come before that
// argument.
Result<ChecksOrder> OrderOf(int argc, char** argv) {
  if (argc >= 2 && std::string_view(argv[argc - 1]).starts_with(kOrderOption)) {
    return ReadOrder(argv[argc - 1] + kOrderOption.size());
  }
  return Fail("this program needs --order=FILE, a file that `warpcheck check` writes", {},
              "--gtest_list_tests lists its cases");
}

// Returns the seed that the last argument names, for a list of the cases; 0 if there is none.
std::uint64_t SeedOf(int argc, char** argv) {
  const std::string_view last = argc >= 2 ? argv[argc - 1] : "";
  std::uint64_t seed = 0;
  if (last.starts_with(kSeedOption)) {
    std::from_chars(last.data() + kSeedOption.size(), last.data() + last.size(), seed);
  }
  return seed;
}

std::unique_ptr<DeviceSource> DevicesOf(const ChecksOrder& order) {
  const GradingPlan& plan = order.plan;
  if (plan.device == "emulator") {
    // The seed draws the order of blocks and warps, so that no submission can depend on one order.
    // A GPU promises no order either.
    return std::make_unique<EmulatorSource>(
        EmulatorSource::Settings{.student_sources = order.sources,
                                 .order_seed = plan.seed,
                                 .target = plan.ptx_target,
                                 .modules = order.modules,
                                 .only_counts = plan.count_every_launch});
  }
  GpuSource::Settings settings;
  settings.gpu_host = order.gpu_host;
  settings.is_student_file = IsOneOfSources(order.sources);
  using Use = GpuSource::Settings::Use;
  settings.use = !order.reference.empty()  ? Use::kSpeed
                 : plan.count_every_launch ? Use::kLines
                 : order.without_counters  ? Use::kResults
                 : order.as_witness        ? Use::kWitness
                                           : Use::kJudge;
  return std::make_unique<GpuSource>(std::move(settings));
}

// Keeps the pages of freed memory for the next case, since each case has arrays of many megabytes.
void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the highest threshold that is allowed
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

// The most memory that the emulator and the checks may use for one submission.
constexpr std::uint64_t kMostMemory = std::uint64_t{3} << 30;

// Confines this process once the jail is made: it will start no further program, and from now on it
// reads only what comes from the submission. With a GPU this is left out, because the programs that
// use the GPU start later and need their memory and files.
Result<> ConfineChecks(const ChecksOrder& order) {
  if (!order.plan.sandboxed || order.plan.device != "emulator") return {};
  sandbox::Confinement confinement;
  confinement.memory_bytes = kMostMemory;
  confinement.readable = {order.shared_object};
  if (!order.plain_ptx.empty()) confinement.readable.push_back(order.plain_ptx);
  return sandbox::Confine(confinement);
}

// Makes the sandbox for the processes that load this shared object.
Result<std::unique_ptr<sandbox::Sandbox>> JailFor(const ChecksOrder& order,
                                                  const std::filesystem::path& shared_object) {
  if (!order.plan.sandboxed) return sandbox::MakeUnconfined();
  return SubmissionHosts::MakeJail(
      {.program = order.submission_host, .shared_object = shared_object});
}

}  // namespace

int RunChecksProgram(int argc, char** argv, const char* header, const char* reference_counts) {
  KeepFreedMemory();
  WatchMemory();
  const auto order = OrderOf(argc, argv);
  DrawParametersBy(order ? order->plan.seed : SeedOf(argc, argv));
  testing::InitGoogleMock(&argc, argv);
  // This only lists the cases, and needs no order.
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  if (!order) return Failed(order.error(), kWrongUsage);
  auto counts = ReferenceCounts::Parse(reference_counts);
  if (!counts) return Failed(counts.error(), kCannotRun);
  ReferenceCounts::Current() = *std::move(counts);
  if (!order->cases.empty()) {
    GTEST_FLAG_SET(filter, fmt::format("{}", fmt::join(order->cases, ":")));
  }
  const auto sandbox = JailFor(*order, order->shared_object);
  if (!sandbox) return Failed(sandbox.error(), kCannotRun);
  const std::unique_ptr<DeviceSource> devices = DevicesOf(*order);
  const auto device_name = devices->Name();
  if (!device_name) return Failed(device_name.error(), kCannotRun);
  const auto results = ResultsWriter::Open(order->results);
  if (!results) return Failed(results.error(), kCannotRun);

  if (!order->dump.empty()) {
    const auto opened = DumpLog::Current().Open(order->dump, order->dump_cases);
    if (!opened) return Failed(opened.error(), kCannotRun);
  }

  if (order->experiments) {
    if (const auto confined = ConfineChecks(*order); !confined) {
      return Failed(confined.error(), kCannotRun);
    }
    (*results)->Begin(order->plan.device, *device_name, order->plan.seed);
    (*results)->Experimented(MakeExperiments(*order, **sandbox, header));
    return 0;
  }

  if (order->reason) {
    if (const auto confined = ConfineChecks(*order); !confined) {
      return Failed(confined.error(), kCannotRun);
    }
    (*results)->Begin(order->plan.device, *device_name, order->plan.seed);
    if (const auto reason = FindReason(*order, **sandbox, header)) (*results)->Reasoned(*reason);
    return 0;
  }

  Runner runner({.shared_object = order->shared_object,
                 .submission_host = order->submission_host,
                 .student_sources = order->sources,
                 .header = header,
                 .shortage = order->plan.shortage},
                **sandbox, *devices);
  std::unique_ptr<sandbox::Sandbox> reference_sandbox;
  std::optional<Runner> reference;
  std::optional<DeviceTimer> timer;
  if (!order->reference.empty()) {
    auto jail = JailFor(*order, order->reference);
    if (!jail) return Failed(jail.error(), kCannotRun);
    reference_sandbox = *std::move(jail);
    reference.emplace(Runner::Settings{.shared_object = order->reference,
                                       .submission_host = order->submission_host,
                                       .student_sources = {},
                                       .header = header},
                      *reference_sandbox, *devices);
    timer.emplace(*reference, runner);
  }
  if (const auto confined = ConfineChecks(*order); !confined) {
    return Failed(confined.error(), kCannotRun);
  }
  const Session session(runner, **results, order->plan.seed,
                        {.count_every_launch = order->plan.count_every_launch});
  (*results)->Begin(order->plan.device, *device_name, order->plan.seed);
  testing::UnitTest::GetInstance()->listeners().Append(
      new CaseListener(**results, CaseLog::Current()));
  Promises::Current().Compare(order->plan.promises);
  [[maybe_unused]] const int verdict = RUN_ALL_TESTS();  // the results file says more
  if (order->plan.promises) {
    for (const PromiseResult& promise : Promises::Current().Results()) {
      (*results)->Promise(promise);
    }
  }
  return 0;
}

}  // namespace warpcheck
