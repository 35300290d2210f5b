#include "cli/class/grade_worker_command.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/programs.h"
#include "base/scratch_folder.h"
#include "batch/intake/submission_files.h"
#include "batch/slurm/task.h"
#include "batch/work/local_executor.h"
#include "batch/work/ungraded.h"
#include "batch/work/worker.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "cli/stop_signal.h"
#include "host/courses.h"
#include "host/gpu_host.h"
#include "host/gpu_list.h"
#include "host/local_grader.h"
#include "host/places.h"

namespace warpcheck {

namespace {

class BatchGrader : public batch::Grader {
 public:
  BatchGrader(batch::BatchIdentity identity, Assignment assignment, Rubric rubric,
              std::unique_ptr<LocalGrader> grader)
      : identity_(std::move(identity)),
        assignment_(std::move(assignment)),
        rubric_(std::move(rubric)),
        grader_(std::move(grader)) {}

  tl::expected<Grade, compile::Failure> GradeIt(const batch::Job& job) override {
    const auto sources = batch::ReadSubmission(job.submission, identity_.assignment);
    if (!sources || batch::DigestOf(*sources) != job.digest) {
      return Fault(
          {.message = fmt::format("the submission of {} was changed while the batch ran", job.id)});
    }
    const auto staged = batch::Stage(*sources, grader_->scratch() / "submission");
    if (!staged) return Fault(staged.error());
    auto grade = grader_->GradeIt(assignment_, *staged, job.anew);
    if (grade && grade->score_is_final) return *std::move(grade);
    // The machine may have caused the failure. Checks this before the submission gets the blame.
    if (const auto sound = CheckMachine(); !sound) return Fault(sound.error());
    if (grade || grade.error().blame != compile::Failure::Blame::kSubmission) return grade;
    return batch::RefusalGrade(rubric_, batch::AttemptOf(identity_, job.shown), grade.error());
  }

 private:
  static tl::unexpected<compile::Failure> Fault(Error error) {
    return tl::unexpected(compile::Failure{std::move(error), compile::Failure::Blame::kMachine});
  }

  // Checks for faults that would stop every grading: a full disk, or a GPU that is gone.
  Result<> CheckMachine() const {
    const std::filesystem::path probe = grader_->scratch() / "probe";
    const std::string bytes(std::size_t{1} << 20, 'x');
    auto written = WriteFile(probe, bytes);
    std::error_code error;
    std::filesystem::remove(probe, error);
    if (!written || identity_.plan.device != "gpu") return written;
    const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kCounters));
    return survey.no_gpu ? Fail(*survey.no_gpu) : Result<>();
  }

  batch::BatchIdentity identity_;
  Assignment assignment_;
  Rubric rubric_;
  std::unique_ptr<LocalGrader> grader_;
};

Result<std::unique_ptr<batch::Grader>> MakeBatchGrader(const batch::BatchIdentity& identity,
                                                       const batch::WaitForGpu& wait) {
  auto assignment = WARPCHECK_TRY(AssignmentNamed(identity.assignment));
  auto rubric = WARPCHECK_TRY(RubricOf(assignment));
  LocalGrader::Settings settings;
  settings.plan = identity.plan;
  WarnIfUnsandboxed(identity.plan.sandboxed);
  settings.doubts_nvcc = true;
  if (identity.plan.device == "gpu") settings.before_checks = wait;
  auto grader = WARPCHECK_TRY(LocalGrader::Make(std::move(settings)));
  return std::make_unique<BatchGrader>(identity, std::move(assignment), std::move(rubric),
                                       std::move(grader));
}

}  // namespace

batch::LocalExecutorSettings GradersHere(const batch::BatchIdentity& identity,
                                         const std::filesystem::path& scratch) {
  batch::LocalExecutorSettings settings;
  settings.worker = GradeWorker();
  settings.worker_arguments = {"grade-worker"};
  settings.scratch = scratch;
  settings.identity = identity;
  if (identity.plan.device == "gpu") settings.gpus = ListGpus(Environment("CUDA_VISIBLE_DEVICES"));
  return settings;
}

int GradeWorkerCommand() { return batch::ServeAsWorker(&MakeBatchGrader); }

int GradeChunkCommand(const GradeChunkOptions& options) {
  WatchForStop();
  const auto scratch = ScratchFolder::Make();  // lies on the node's own disk
  if (!scratch) return Complain(scratch.error(), kExitFault);
  batch::SlurmTaskTools tools;
  tools.stopped = [] { return StopSignal() != 0; };
  tools.executor =
      [&](const batch::BatchIdentity& identity) -> Result<std::unique_ptr<batch::Executor>> {
    return batch::MakeLocalExecutor(GradersHere(identity, scratch->path()));
  };
  const auto end = batch::RunSlurmTask(options.array, options.task, tools);
  if (!end) return Complain(end.error(), kExitFault);
  if (*end == batch::SlurmTaskEnd::kStopped) return 128 + StopSignal();
  return *end == batch::SlurmTaskEnd::kDone ? kExitFull : kExitFault;
}

}  // namespace warpcheck
