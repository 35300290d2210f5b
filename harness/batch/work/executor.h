// Executor is the interface of everything that can grade the submissions of a batch: worker
// processes of this machine (batch/work/local_executor.h) or a cluster (batch/slurm/executor.h). An
// executor takes jobs and delivers grades. The batch decides which submission is next, and keeps
// the grades.
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
  bool anew = false;                 // true to compile again instead of using the cache
};

WARPCHECK_FIELDS(Job, id, shown, submission, digest, anew);

// The grader ended without a grade: it crashed, was killed, or was stuck. The submission may be the
// cause.
struct Died {
  std::string how;
};

// The submission could not be graded now, and is not the cause: another process killed the grader,
// or the machine was too busy.
struct HeldUp {
  std::string how;
};

// A fault of the machine. Grading must stop because of it.
struct MachineFault {
  Error error;
};

// The executor has ended the job to make room for others; the batch must begin it again.
struct Preempted {};

struct Delivery {
  std::string id;  // the digest of a job that was begun; may be empty for a MachineFault
  std::variant<Grade, Died, HeldUp, MachineFault, Preempted> what;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Returns how many more jobs it can begin now.
  virtual std::size_t Room() = 0;

  // Begins a job; Room() must be positive. Each job is delivered once, unless Stop is called first.
  virtual void Begin(Job job) = 0;

  // Returns the deliveries since the last call. If there are none yet, waits for the first one, up
  // to the limit.
  virtual std::vector<Delivery> Wait(std::chrono::milliseconds limit) = 0;

  // Kills all jobs with all their processes; no job is delivered after that.
  virtual void Stop() = 0;
};

}  // namespace warpcheck::batch
