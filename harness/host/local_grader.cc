#include "host/local_grader.h"

#include <system_error>
#include <utility>

#include "compile/cache.h"
#include "host/deferred_sandbox.h"
#include "host/gpu_list.h"
#include "host/gpu_turn.h"
#include "host/nvcc.h"
#include "host/places.h"
#include "host/plan.h"
#include "host/version.h"

namespace warpcheck {
namespace {

// The time in which a GPU may make calls as a witness; no points depend on it.
constexpr std::chrono::seconds kWitnessTime{20};

// The time after which a measurement of speed is given up. Its number of calls is fixed, so this
// time only ends one that hangs.
constexpr std::chrono::minutes kSpeedTime{10};

constexpr const char* kArrays = "arrays";  // the file with the arrays of cases

// A ChecksProgram that calls `before` before each run.
class ChecksAfter : public ChecksProgram {
 public:
  ChecksAfter(std::function<void()> before, std::unique_ptr<ChecksProgram> checks)
      : before_(std::move(before)), checks_(std::move(checks)) {}

  Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) override {
    before_();
    return checks_->Run(command, progress);
  }
  Result<std::vector<std::string>> List(const std::filesystem::path& program,
                                        std::uint64_t seed) override {
    return checks_->List(program, seed);
  }

 private:
  std::function<void()> before_;
  std::unique_ptr<ChecksProgram> checks_;
};

}  // namespace

LocalGrader::LocalGrader(Settings settings, ScratchFolder scratch,
                         std::unique_ptr<EndsAtInterrupt> interrupt,
                         compile::Builder::Settings build)
    : settings_(std::move(settings)),
      scratch_(std::move(scratch)),
      interrupt_(std::move(interrupt)),
      sandbox_(MakeDeferredSandbox(settings_.plan.sandboxed)),
      builder_(*sandbox_, std::move(build)),
      checks_(MakeChecksProcess(scratch_.path())),
      witness_(MakeChecksProcess(scratch_.path() / "witness", {.wall_time = kWitnessTime})),
      speed_(MakeChecksProcess(scratch_.path() / "speed", {.wall_time = kSpeedTime})) {
  std::error_code error;  // if the folder is missing, the witness reports that
  std::filesystem::create_directory(scratch_.path() / "witness", error);
  std::filesystem::create_directory(scratch_.path() / "speed", error);
  if (settings_.before_checks) {
    checks_ = std::make_unique<ChecksAfter>(settings_.before_checks, std::move(checks_));
  }
}

Result<std::unique_ptr<LocalGrader>> LocalGrader::Make(Settings settings) {
  const auto nvcc = WARPCHECK_TRY(Nvcc());
  const auto cache = WARPCHECK_TRY(CacheFolder());
  auto scratch = WARPCHECK_TRY(ScratchFolder::Make());
  std::unique_ptr<EndsAtInterrupt> interrupt;
  if (settings.handles_signals) {
    interrupt =
        WARPCHECK_TRY(EndsAtInterrupt::Make(scratch.path(), [cache, last = settings.at_interrupt] {
          compile::RemoveScratch(cache);
          if (last) last();
        }));
  }
  compile::Builder::Settings build;
  build.nvcc = nvcc;
  build.cache = cache;
  build.limits = settings.compile_limits;
  build.doubts_nvcc = settings.doubts_nvcc;
  return std::unique_ptr<LocalGrader>(new LocalGrader(std::move(settings), std::move(scratch),
                                                      std::move(interrupt), std::move(build)));
}

tl::expected<Grade, compile::Failure> LocalGrader::GradeIt(const Assignment& assignment,
                                                           const std::filesystem::path& submission,
                                                           bool anew) {
  GradingTools tools;
  tools.build = [this](const compile::Request& request) { return builder_.Build(request); };
  tools.checks = checks_.get();
  tools.progress = settings_.progress;
  const auto take_turn = [this] { return TakeTurnAtGpu(settings_.gpu_patience); };
  if (settings_.plan.witness && MayHaveGpu()) {
    tools.witness = {&PtxTargetForWitness, witness_.get(), take_turn};
  }
  if (settings_.plan.speed && MayHaveGpu()) {
    tools.speed = {&PtxTargetForWitness, speed_.get(), take_turn};
  }
  GradeRequest request;
  request.version = kVersion;
  request.assignment = assignment;
  request.submission = submission;
  request.submission_host = Programs() / "submission_host";
  request.gpu_host = GpuHost();
  request.plan = settings_.plan;
  request.anew = anew;
  if (kept_cases_) {
    std::error_code error;  // without the file there are no arrays
    std::filesystem::remove(scratch_.path() / kArrays, error);
    request.dump = scratch_.path() / kArrays;
    request.dump_cases = *kept_cases_;
  }
  return GradeSubmission(request, tools);
}

tl::expected<Grade, compile::Failure> LocalGrader::GradeInShortage(
    const Assignment& assignment, const std::filesystem::path& submission, Shortage shortage) {
  const GradingPlan enough = settings_.plan;
  settings_.plan.shortage = shortage;
  settings_.plan.witness = false;
  settings_.plan.speed = false;
  auto grade = GradeIt(assignment, submission);
  settings_.plan = enough;
  return grade;
}

Result<std::vector<std::string>> LocalGrader::Cases(const Assignment& assignment) {
  return checks_->List(assignment.checks, settings_.plan.seed);
}

Result<std::vector<ArrayDump>> LocalGrader::ArraysOfCases() const {
  return ReadArrayDumps(scratch_.path() / kArrays);
}

}  // namespace warpcheck
