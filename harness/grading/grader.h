// Grades one submission: build, check, apply the rubric. A checks program that crashes costs the
// case in which it did; the cases after it are run again. One that the submission made too large or
// too slow is the submission's end; one that somebody else ended gives no grade.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "compile/outcome.h"
#include "compile/source/request.h"
#include "grading/assignments.h"
#include "grading/checks_program.h"
#include "grading/grade.h"

namespace warpcheck {

struct GradeRequest {
  std::string version;  // of who grades, for reports
  Assignment assignment;
  std::filesystem::path submission;  // a .cu file, or a folder of them
  std::filesystem::path submission_host;
  std::filesystem::path gpu_host;  // for device "gpu", and for a witness
  GradingPlan plan;
  bool anew = false;  // as compile::Request has it
};

struct Progress {
  enum class Step { kBuilding, kChecking };
  Step step = Step::kBuilding;
  std::string case_name;  // that runs, while checking
  int cases_done = 0;
};

// What a GPU as the witness of a grade needs of the outside world (grading/witness.h). Both are
// used in a thread of their own.
struct WitnessTools {
  // The compute capability, times 10, that its GPU takes PTX for; none where this machine has no
  // GPU. The error says why one that is there cannot be used.
  std::function<Result<std::optional<int>>()> ptx_target;
  ChecksProgram* checks = nullptr;
  // Waits until no other grading uses the GPU, and keeps it until the descriptor is gone.
  std::function<Result<Descriptor>()> take_turn;
};

// What grading needs of the outside world.
struct GradingTools {
  std::function<tl::expected<compile::Outcome, compile::Failure>(const compile::Request&)> build;
  ChecksProgram* checks = nullptr;
  std::function<void(const Progress&)> progress;  // may be empty
  std::optional<WitnessTools> witness{};          // for a plan that wants one
};

// Fails on a submission that is none, on faults of this machine, and on what has just happened to
// it; everything about the student's code, and checks programs that crash, is part of the grade.
tl::expected<Grade, compile::Failure> GradeSubmission(const GradeRequest& request,
                                                      const GradingTools& tools);

}  // namespace warpcheck
