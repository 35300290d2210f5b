#include "cli/measure/parity_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <variant>

#include "base/files.h"
#include "base/in_parallel.h"
#include "base/scratch_folder.h"
#include "base/text.h"
#include "base/text/glob.h"
#include "cli/exit_status.h"
#include "compile/builder.h"
#include "grading/rubric.h"
#include "host/courses.h"
#include "host/gpu_host.h"
#include "host/interrupt.h"
#include "host/nvcc.h"
#include "host/places.h"
#include "lab/run/measure.h"
#include "proof/parity/compare.h"
#include "proof/parity/plain_launches.h"
#include "proof/parity/submissions.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/sandbox.h"
#include "sandbox/unconfined.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using parity::MeasuredLaunch;
using parity::Measurements;

// A launch or a submission to measure.
using Subject = std::variant<parity::PlainLaunch, parity::Subject>;

std::string NameOf(const Subject& subject) {
  const auto* plain = std::get_if<parity::PlainLaunch>(&subject);
  return plain != nullptr ? "launches/" + plain->name : std::get<parity::Subject>(subject).name;
}

// Returns the subjects that match `only`, a filter as in --gtest_filter.
Result<std::vector<Subject>> SubjectsOf(const parity::Set& set, const std::string& only) {
  std::vector<Subject> subjects;
  for (const parity::PlainLaunch& launch : set.launches) {
    if (FilterMatches(only, NameOf(launch))) subjects.emplace_back(launch);
  }
  for (const parity::CheckedAssignment& checked : set.assignments) {
    auto found = WARPCHECK_TRY(parity::SubjectsOf(checked, Home()));
    std::erase_if(found, [&](const auto& subject) { return !FilterMatches(only, subject.name); });
    if (found.empty()) continue;
    const auto assignment = WARPCHECK_TRY(AssignmentNamed(checked.name));
    for (parity::Subject& subject : found) {
      subject.assignment = assignment;
      subjects.emplace_back(std::move(subject));
    }
  }
  if (subjects.empty()) return Fail(fmt::format("nothing in the set matches --only \"{}\"", only));
  return subjects;
}

// The device, in a separate process, that measures single launches.
parity::UseDevice ParityDevice(const std::string& device) {
  const lab::BenchProcess process =
      device == "emulator" ? lab::EmulatorBench().processes.front() : lab::LineCounting();
  return [process](DeviceLog& log, const std::function<Result<>(Device&)>& use) {
    return UseGpuHost(process.arguments, log, use);
  };
}

// Returns the name of the device, such as "NVIDIA H200". Fails if this machine has no such device.
Result<std::string> ParityDeviceName(const std::string& device) {
  if (device == "emulator") return std::string("warpcheck emulator");
  const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kCounters));
  if (survey.no_gpu) return Fail(*survey.no_gpu);
  if (survey.no_counters) return Fail(*survey.no_counters);
  return survey.name + ", " + survey.driver;
}

// The tools of one measuring thread.
class Worker {
 public:
  static Result<std::unique_ptr<Worker>> Make(const ParityOptions& options, const fs::path& scratch,
                                              const parity::Set& set, const std::string& ptx) {
    std::unique_ptr<Worker> worker(new Worker(options, set, ptx));
    if (!options.no_sandbox) {
      worker->sandbox_ = WARPCHECK_TRY(sandbox::MakeBubblewrap());
    } else {
      worker->sandbox_ = sandbox::MakeUnconfined();
    }
    const auto nvcc = WARPCHECK_TRY(Nvcc());
    const auto cache = WARPCHECK_TRY(CacheFolder());
    std::error_code error;
    if (fs::create_directory(scratch, error); error) {
      return Fail(fmt::format("cannot make {}: {}", scratch.string(), error.message()));
    }
    compile::Builder::Settings settings;
    settings.nvcc = nvcc;
    settings.cache = cache;
    worker->builder_.emplace(*worker->sandbox_, settings);
    worker->checks_ = MakeChecksProcess(scratch);
    return worker;
  }

  Result<std::vector<MeasuredLaunch>> Measure(const Subject& subject) {
    if (const auto* plain = std::get_if<parity::PlainLaunch>(&subject)) {
      auto launch = WARPCHECK_TRY(
          parity::Measure(*plain, ptx_, set_.buffer_bytes, ParityDevice(options_.device)));
      return std::vector{std::move(launch)};
    }
    parity::SubmissionTools tools;
    tools.build = [this](const compile::Request& request) { return builder_->Build(request); };
    tools.checks = checks_.get();
    tools.submission_host = Programs() / "submission_host";
    tools.gpu_host = Programs() / "gpu_host";
    tools.device = options_.device;
    tools.sandboxed = !options_.no_sandbox;
    return parity::Measure(std::get<parity::Subject>(subject), tools);
  }

 private:
  Worker(const ParityOptions& options, const parity::Set& set, const std::string& ptx)
      : options_(options), set_(set), ptx_(ptx) {}

  const ParityOptions& options_;
  const parity::Set& set_;
  const std::string& ptx_;
  std::unique_ptr<sandbox::Sandbox> sandbox_;
  std::optional<compile::Builder> builder_;
  std::unique_ptr<ChecksProgram> checks_;
};

// Measures every subject, several at once, and returns the launches in the order of the subjects.
Result<Measurements> MeasureAll(const std::vector<Subject>& subjects,
                                const std::vector<std::unique_ptr<Worker>>& workers) {
  std::vector<Result<std::vector<MeasuredLaunch>>> results(subjects.size());
  std::atomic<std::size_t> done = 0;
  const bool show_progress = ::isatty(STDERR_FILENO) == 1;
  InParallel(subjects.size(), workers.size(), [&](std::size_t i, std::size_t worker) {
    results[i] = workers[worker]->Measure(subjects[i]);
    if (show_progress) fmt::print(stderr, "\r\033[K{} of {} measured", ++done, subjects.size());
  });
  if (show_progress) fmt::print(stderr, "\r\033[K");
  Measurements measurements;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (!results[i]) {
      return Fail(fmt::format("{}: {}", NameOf(subjects[i]), results[i].error().Text()));
    }
    measurements.launches.insert(measurements.launches.end(), results[i]->begin(),
                                 results[i]->end());
  }
  return measurements;
}

Result<Measurements> Measure(const ParityOptions& options) {
  const fs::path path = options.set.empty() ? Home() / "tests/parity/set.toml" : options.set;
  const auto set = WARPCHECK_TRY(parity::ReadSet(path));
  const auto ptx = WARPCHECK_TRY(ReadFile(set.module));
  const auto subjects = WARPCHECK_TRY(SubjectsOf(set, options.only));
  auto device = WARPCHECK_TRY(ParityDeviceName(options.device));
  const auto scratch = WARPCHECK_TRY(ScratchFolder::Make());
  const auto interrupt = WARPCHECK_TRY(EndsAtInterrupt::Make(scratch.path()));
  std::vector<std::unique_ptr<Worker>> workers;
  const std::size_t jobs = std::min<std::size_t>(subjects.size(), WorkersFor(options.jobs));
  while (workers.size() < std::max<std::size_t>(jobs, 1)) {
    workers.push_back(WARPCHECK_TRY(
        Worker::Make(options, scratch.path() / std::to_string(workers.size()), set, ptx)));
  }
  auto measurements = MeasureAll(subjects, workers);
  if (measurements) measurements->device = std::move(device);
  return measurements;
}

Result<Measurements> Read(const fs::path& path) {
  const auto text = WARPCHECK_TRY(ReadFile(path));
  return parity::ParseMeasurements(text, path.string());
}

// Returns the launches that --only selects.
void Narrow(Measurements& measurements, const std::string& only) {
  std::erase_if(measurements.launches, [&](const MeasuredLaunch& launch) {
    const bool plain = launch.subject == "launches";
    return !FilterMatches(only, plain ? "launches/" + launch.case_name : launch.subject);
  });
}

Result<int> RunParity(const ParityOptions& options) {
  auto measured =
      WARPCHECK_TRY(options.measured.empty() ? Measure(options) : Read(options.measured));
  if (!options.write.empty()) {
    WARPCHECK_TRY(WriteFile(options.write, parity::ToText(measured)));
    fmt::print("{} measured on {}: {}\n", Counted(measured.launches.size(), "launch"),
               measured.device, options.write.string());
  }
  if (options.against.empty()) {
    if (options.write.empty()) fmt::print("{}", parity::ToText(measured));
    return kExitFull;
  }
  auto against = WARPCHECK_TRY(Read(options.against));
  std::vector<parity::KnownDifference> known;
  if (!options.known.empty()) {
    const auto text = WARPCHECK_TRY(ReadFile(options.known));
    known = WARPCHECK_TRY(parity::ParseKnown(text, options.known.string()));
  }
  Narrow(measured, options.only);
  Narrow(against, options.only);
  auto comparison = parity::Compare(measured, against, known);
  // The other entries of the list were not checked.
  if (options.only != "*") comparison.stale.clear();
  fmt::print("{}",
             options.rows ? parity::RowsFor(comparison) : parity::ToText(comparison, options.all));
  return comparison.AsExpected() ? kExitFull : kExitLost;
}

}  // namespace

int ParityCommand(const ParityOptions& options) {
  const auto status = RunParity(options);
  if (status) return *status;
  fmt::print(stderr, "warpcheck: {}\n", status.error().Text());
  return kExitFault;
}

}  // namespace warpcheck
