// The main of every assignment's checks program. Ends with 0 when all cases ran to their end,
// whatever their verdicts; 2 for wrong usage; 3 where the checks cannot run here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/files.h"
#include "base/find_program.h"
#include "checks/emulator_source.h"
#include "checks/gpu_source.h"
#include "checks/listener.h"
#include "checks/options.h"
#include "checks/runner.h"
#include "checks/session.h"
#include "checks/submission_hosts.h"
#include "sandbox/confine.h"

// The text of the assignment's header (cmake/Assignment.cmake).
extern const char* const kAssignmentHeader;

namespace warpcheck {
namespace {

constexpr int kWrongUsage = 2;
constexpr int kCannotRun = 3;

int Failed(const Error& error, int status) {
  std::fprintf(stderr, "%s\n", error.Text().c_str());
  return status;
}

Result<std::unique_ptr<DeviceSource>> EmulatorsOf(const ChecksOptions& options) {
  EmulatorSource::Settings settings{.student_sources = options.student_sources,
                                    .order_seed = options.order_seed,
                                    .only_counts = options.count_every_launch};
  if (options.kernel_resources) {
    const auto json = ReadFile(*options.kernel_resources);
    if (!json) return Fail(json.error());
    auto modules = ModuleResourcesFrom(*json);
    if (!modules) return Fail(modules.error());
    settings.modules = *std::move(modules);
  }
  return std::make_unique<EmulatorSource>(std::move(settings));
}

Result<std::unique_ptr<DeviceSource>> DevicesOf(const ChecksOptions& options) {
  if (options.device == "emulator") return EmulatorsOf(options);
  GpuSource::Settings settings;
  settings.gpu_host = options.gpu_host;
  settings.compute_sanitizer =
      options.compute_sanitizer ? options.compute_sanitizer : FindCudaTool("compute-sanitizer");
  if (options.no_memcheck) settings.compute_sanitizer.reset();
  settings.no_memcheck.message =
      options.no_memcheck ? "--no-memcheck was given" : "compute-sanitizer is not installed";
  settings.no_memcheck.hint =
      options.no_memcheck
          ? "grade without --no-memcheck, or with --device emulator"
          : "install it (it comes with the CUDA Toolkit), or grade with --device emulator";
  if (!options.student_sources.empty()) {
    settings.is_student_file = [sources = options.student_sources](std::string_view path) {
      return std::find(sources.begin(), sources.end(), path) != sources.end();
    };
  }
  settings.lines_alone = options.count_every_launch;
  return std::make_unique<GpuSource>(std::move(settings));
}

// Arrays of many megabytes come and go with every case: their pages are kept for the next one.
void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that is allowed
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

// What the emulator and the checks hold of a submission, beside memory that nobody has touched.
constexpr std::uint64_t kMostMemory = std::uint64_t{8} << 30;

// The room stands: from here on nothing is started, and what is read comes from strangers. A GPU is
// used by programs that have yet to start, with all of the memory and of the files that they need.
Result<> ConfineChecks(const ChecksOptions& options) {
  if (options.no_sandbox || options.device != "emulator") return {};
  sandbox::Confinement confinement;
  confinement.memory_bytes = kMostMemory;
  confinement.readable = {options.shared_object};
  if (options.references) confinement.writable = {*options.references};
  return sandbox::Confine(confinement);
}

int Main(int argc, char** argv) {
  KeepFreedMemory();
  testing::InitGoogleMock(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();  // runs none, and needs no options
  const auto options = ParseChecksOptions(argc, argv);
  if (!options) return Failed(options.error(), kWrongUsage);
  const SubmissionHosts::Settings hosts = {.program = options->submission_host,
                                           .shared_object = options->shared_object};
  auto sandbox = options->no_sandbox
                     ? Result<std::unique_ptr<sandbox::Sandbox>>(sandbox::MakeUnconfined())
                     : SubmissionHosts::MakeRoom(hosts);
  if (!sandbox) return Failed(sandbox.error(), kCannotRun);
  const auto made = DevicesOf(*options);
  if (!made) return Failed(made.error(), kCannotRun);
  DeviceSource& devices = **made;
  const auto device_name = devices.Name();
  if (!device_name) return Failed(device_name.error(), kCannotRun);
  const auto results = ResultsWriter::Open(options->results);
  if (!results) return Failed(results.error(), kCannotRun);

  Runner runner({.shared_object = options->shared_object,
                 .submission_host = options->submission_host,
                 .student_sources = options->student_sources,
                 .header = kAssignmentHeader},
                **sandbox, devices);
  std::optional<ReferenceStore> references;
  if (options->references) references.emplace(*options->references, ThisProgram() + *device_name);
  if (const auto confined = ConfineChecks(*options); !confined) {
    return Failed(confined.error(), kCannotRun);
  }
  const Session session(runner, **results, options->seed,
                        {.count_every_launch = options->count_every_launch,
                         .references = references ? &*references : nullptr});
  (*results)->Begin(options->device, *device_name, options->seed);
  testing::UnitTest::GetInstance()->listeners().Append(
      new CaseListener(**results, Docket::Current()));
  [[maybe_unused]] const int verdict = RUN_ALL_TESTS();  // the results file says more
  return 0;
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) { return warpcheck::Main(argc, argv); }
