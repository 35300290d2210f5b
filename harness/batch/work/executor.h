// The interface of everything that can grade the submissions of a batch: worker processes of this
// machine (batch/work/local_executor.h) or a cluster (batch/slurm/executor.h). An executor takes
// jobs and delivers grades; the batch decides who is graded next, and keeps the grades.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "grading/grade.h"

namespace warpcheck::batch {

struct Job {
  std::string id;
  std::string shown;                 // the submission's name in reports
  std::filesystem::path submission;  // a .cu file, or a folder of them
  std::string digest;                // the digest of its files (DigestOf)
  bool anew = false;                 // past what was built before
};

WARPCHECK_FIELDS(Job, id, shown, submission, digest, anew);

// The grader ended without a grade: it crashed, was killed, or was stuck. The submission may be the
// cause.
struct Died {
  std::string how;
};

// The submission could not be graded now, and is not the cause: somebody else killed the grader, or
// the machine was too busy.
struct HeldUp {
  std::string how;
};

// Something is wrong with the machine, so that grading has to stop.
struct MachineFault {
  Error error;
};

// The executor has ended the job to make room for others; the batch has to begin it again.
struct Preempted {};

struct Delivery {
  std::string id;  // of a job that was begun; may be empty for a MachineFault
  std::variant<Grade, Died, HeldUp, MachineFault, Preempted> what;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Returns how many more jobs it can begin now.
  virtual std::size_t Room() = 0;

  // Begins a job; Room() has to be positive. Each job is delivered once, unless Stop is called
  // first.
  virtual void Begin(Job job) = 0;

  // Returns the deliveries since the last call, and waits for the first of them, up to the limit.
  virtual std::vector<Delivery> Wait(std::chrono::milliseconds limit) = 0;

  // Kills all jobs with all their processes; none of them is delivered.
  virtual void Stop() = 0;
};

}  // namespace warpcheck::batch
