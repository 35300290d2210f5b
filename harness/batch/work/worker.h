// A worker is a process that grades one submission after the other for a batch. If a grader dies,
// only the submission that it was grading is affected. This is the worker's own side; the batch's
// side is batch/work/worker_process.h.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "batch/journal/identity.h"
#include "batch/work/executor.h"
#include "compile/builder.h"
#include "grading/grade.h"

namespace warpcheck::batch {

class Grader {
 public:
  virtual ~Grader() = default;
  // Grades a submission. Everything about the submission is part of its grade. Fails only because
  // of the machine, or because of something that has just happened to it (Blame::kMoment).
  virtual tl::expected<Grade, compile::Failure> GradeIt(const Job& job) = 0;
};

// Returns when this process, and no other, may use a GPU; CUDA_VISIBLE_DEVICES then names the GPU.
using WaitForGpu = std::function<void()>;

using MakeGrader = std::function<Result<std::unique_ptr<Grader>>(const BatchIdentity& identity,
                                                                 const WaitForGpu& wait)>;

// Reads jobs from stdin until it is closed, and answers on what was stdout; all other output goes
// to stderr. Returns the exit status.
int ServeAsWorker(const MakeGrader& make);

}  // namespace warpcheck::batch
