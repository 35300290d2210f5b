#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/files.h"
#include "build/build.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/places.h"
#include "grading/grader.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

constexpr std::chrono::minutes kChecksLimit{10};

int Complain(const Error& error, int status) {
  fmt::print(stderr, "warpcheck: {}\n", error.Text());
  return status;
}

Result<std::uint64_t> RandomSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    return Fail("the system gives no random numbers", {}, "give a seed with --seed");
  }
  return seed >> 1;  // also fits a signed number, for readers of the JSON
}

// Everything that would only be found out after the work was done.
Result<> CheckUsage(const CheckOptions& options) {
  if (options.device == "gpu") {
    return Fail("no GPU device is available in this version", {},
                "use --device emulator: it counts by the same laws");
  }
  std::error_code error;
  if (!std::filesystem::exists(options.submission, error)) {
    return Fail(fmt::format("no such file or folder: {}", options.submission.string()));
  }
  for (const std::filesystem::path& path : {options.junit, options.json}) {
    if (path.empty()) continue;
    if (std::filesystem::is_directory(path, error)) {
      return Fail(fmt::format("cannot write {}: it is a folder", path.string()));
    }
    const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (::access(parent.c_str(), W_OK | X_OK) != 0) {
      return Fail(
          fmt::format("cannot write {}: its folder is missing or not writable", path.string()));
    }
  }
  return {};
}

TerminalStyle StyleOf(int fd) {
  TerminalStyle style;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colours = ::isatty(fd) == 1 && (no_colour == nullptr || *no_colour == '\0');
  struct winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.width = size.ws_col;
  }
  return style;
}

void ShowProgress(const Progress& progress) {
  if (progress.step == Progress::Step::kBuilding) {
    fmt::print(stderr, "\r\033[Kbuilding ...");
  } else {
    fmt::print(stderr, "\r\033[K{} cases done  {:.60}", progress.cases_done, progress.case_name);
  }
  std::fflush(stderr);
}

int ExitStatus(const Grade& grade, std::optional<double> fail_under) {
  if (!grade.score_is_final) return kExitFault;
  const double needed =
      fail_under.value_or(100) * static_cast<double>(grade.max_score.hundredths());
  return static_cast<double>(grade.score.hundredths()) * 100 >= needed ? kExitFull : kExitLost;
}

Result<> WriteReports(const Grade& grade, const CheckOptions& options) {
  if (!options.junit.empty()) {
    if (auto written = WriteFile(options.junit, JunitReport(grade)); !written) return written;
  }
  if (!options.json.empty()) {
    if (auto written = WriteFile(options.json, JsonReport(grade)); !written) return written;
  }
  return {};
}

// Made when something has to be compiled: what comes from the cache does not wait for it.
class BubblewrapWhenNeeded : public sandbox::Sandbox {
 public:
  Result<std::unique_ptr<sandbox::Process>> Start(const sandbox::Command& command) override {
    if (!bubblewrap_) {
      auto made = sandbox::MakeBubblewrap();
      if (!made) return Fail(made.error());
      bubblewrap_ = *std::move(made);
    }
    return bubblewrap_->Start(command);
  }

 private:
  std::unique_ptr<sandbox::Sandbox> bubblewrap_;
};

std::unique_ptr<sandbox::Sandbox> SandboxFor(const CheckOptions& options) {
  if (!options.no_sandbox) return std::make_unique<BubblewrapWhenNeeded>();
  fmt::print(
      stderr,
      "warpcheck: warning: --no-sandbox: the submission runs with all your rights. Use it for "
      "code you trust.\n");
  return sandbox::MakeUnconfined();
}

build::Failure MachineFault(Error error) {
  return build::Failure{std::move(error), build::Failure::Blame::kMachine};
}

tl::expected<Grade, build::Failure> GradeIt(const CheckOptions& options,
                                            const Assignment& assignment, std::uint64_t seed) {
  const auto sandbox = SandboxFor(options);
  const auto nvcc = Nvcc();
  if (!nvcc) {
    const auto missing = Fail("nvcc is not found in CUDA_HOME or on PATH", {},
                              "install the CUDA Toolkit; `warpcheck doctor` shows the rest");
    return tl::unexpected(MachineFault(missing.value()));
  }
  const auto cache = CacheFolder();
  if (!cache) return tl::unexpected(MachineFault(cache.error()));
  const auto scratch = ScratchFolder::Make([&] {
    build::RemoveScratch(*cache);
    if (::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\033[K");
  });
  if (!scratch) return tl::unexpected(MachineFault(scratch.error()));

  build::Builder::Settings settings;
  settings.nvcc = *nvcc;
  settings.cache = *cache;
  build::Builder builder(*sandbox, settings);
  const auto checks = MakeChecksProcess(scratch->path(), kChecksLimit);
  GradingTools tools;
  tools.build = [&](const build::Request& request) { return builder.Build(request); };
  tools.checks = checks.get();
  const bool show_progress = ::isatty(STDERR_FILENO) == 1;
  if (show_progress) tools.progress = ShowProgress;

  GradeRequest request;
  request.assignment = assignment;
  request.submission = options.submission;
  request.submission_host = Programs() / "submission_host";
  request.seed = seed;
  request.sandboxed = !options.no_sandbox;
  auto grade = GradeSubmission(request, tools);
  if (show_progress) fmt::print(stderr, "\r\033[K");
  return grade;
}

}  // namespace

int CheckCommand(const CheckOptions& options) {
  if (const auto usage = CheckUsage(options); !usage) return Complain(usage.error(), kExitUsage);
  const auto assignment = FindAssignment(Home(), Programs(), options.assignment);
  if (!assignment) return Complain(assignment.error(), kExitUsage);
  const Result<std::uint64_t> seed = options.seed ? *options.seed : RandomSeed();
  if (!seed) return Complain(seed.error(), kExitFault);
  const auto grade = GradeIt(options, *assignment, *seed);
  if (!grade) {
    const bool theirs = grade.error().blame == build::Failure::Blame::kSubmission;
    return Complain(grade.error(), theirs ? kExitUsage : kExitFault);
  }
  fmt::print("{}", TerminalReport(*grade, StyleOf(STDOUT_FILENO)));
  if (const auto written = WriteReports(*grade, options); !written) {
    return Complain(written.error(), kExitFault);
  }
  return ExitStatus(*grade, options.fail_under);
}

}  // namespace warpcheck
