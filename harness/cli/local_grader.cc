#include "cli/local_grader.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <mutex>

#include "cli/command_line.h"
#include "cli/gpu_host.h"
#include "cli/places.h"
#include "compile/cache.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/unconfined.h"

namespace warpcheck {
namespace {

// Made when something has to be compiled: what comes from the cache needs none.
class BubblewrapWhenNeeded : public sandbox::Sandbox {
 public:
  Result<std::unique_ptr<sandbox::Process>> Start(const sandbox::Command& command) override {
    {
      const std::lock_guard lock(mutex_);
      if (!bubblewrap_) {
        bubblewrap_ = WARPCHECK_TRY(sandbox::MakeBubblewrap());
      }
    }
    return bubblewrap_->Start(command);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<sandbox::Sandbox> bubblewrap_;
};

// How long a GPU may make calls as a witness. Nobody's points depend on it.
constexpr std::chrono::seconds kWitnessTime{20};

// Calls `before` before each run.
class ChecksAfter : public ChecksProgram {
 public:
  ChecksAfter(std::function<void()> before, std::unique_ptr<ChecksProgram> checks)
      : before_(std::move(before)), checks_(std::move(checks)) {}

  Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) override {
    before_();
    return checks_->Run(command, progress);
  }
  Result<std::vector<std::string>> List(const std::filesystem::path& program) override {
    return checks_->List(program);
  }

 private:
  std::function<void()> before_;
  std::unique_ptr<ChecksProgram> checks_;
};

}  // namespace

std::unique_ptr<sandbox::Sandbox> SandboxWhenNeeded(bool sandboxed) {
  if (sandboxed) return std::make_unique<BubblewrapWhenNeeded>();
  fmt::print(
      stderr,
      "warpcheck: warning: --no-sandbox: the submission runs with all your rights. Use it for "
      "code you trust.\n");
  return sandbox::MakeUnconfined();
}

LocalGrader::LocalGrader(Settings settings, ScratchFolder scratch,
                         std::unique_ptr<EndsAtInterrupt> interrupt,
                         compile::Builder::Settings build)
    : settings_(std::move(settings)),
      scratch_(std::move(scratch)),
      interrupt_(std::move(interrupt)),
      sandbox_(SandboxWhenNeeded(settings_.plan.sandboxed)),
      builder_(*sandbox_, std::move(build)),
      checks_(MakeChecksProcess(scratch_.path())),
      witness_(MakeChecksProcess(scratch_.path() / "witness", {.wall_time = kWitnessTime})) {
  std::error_code error;  // a witness without its folder says so
  std::filesystem::create_directory(scratch_.path() / "witness", error);
  if (settings_.before_checks) {
    checks_ = std::make_unique<ChecksAfter>(settings_.before_checks, std::move(checks_));
  }
}

Result<std::unique_ptr<LocalGrader>> LocalGrader::Make(Settings settings) {
  const auto nvcc = WARPCHECK_TRY(Nvcc());
  const auto cache = WARPCHECK_TRY(CacheFolder());
  auto scratch = WARPCHECK_TRY(ScratchFolder::Make());
  auto interrupt = EndsAtInterrupt::Make(scratch.path(), [cache] {
    compile::RemoveScratch(cache);
    if (CanShowProgress()) ShowProgressLine("");
  });
  if (!interrupt) return Fail(interrupt.error());
  compile::Builder::Settings build;
  build.nvcc = nvcc;
  build.cache = cache;
  build.limits = settings.compile_limits;
  build.doubts_nvcc = settings.doubts_nvcc;
  return std::unique_ptr<LocalGrader>(new LocalGrader(std::move(settings), std::move(scratch),
                                                      *std::move(interrupt), std::move(build)));
}

tl::expected<Grade, compile::Failure> LocalGrader::GradeIt(const Assignment& assignment,
                                                           const std::filesystem::path& submission,
                                                           bool anew) {
  GradingTools tools;
  tools.build = [this](const compile::Request& request) { return builder_.Build(request); };
  tools.checks = checks_.get();
  tools.progress = settings_.progress;
  if (settings_.plan.witness && MayHaveGpu())
    tools.witness = {&PtxTargetForWitness, witness_.get(), &TakeTurnAtGpu};
  GradeRequest request;
  request.version = kVersion;
  request.assignment = assignment;
  request.submission = submission;
  request.submission_host = Programs() / "submission_host";
  request.gpu_host = GpuHost();
  request.plan = settings_.plan;
  request.anew = anew;
  return GradeSubmission(request, tools);
}

Result<std::uint64_t> RandomSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    return Fail("the system gives no random numbers", {}, "give a seed with --seed");
  }
  return seed >> 1;  // also fits a signed number, for readers of the JSON
}

}  // namespace warpcheck
