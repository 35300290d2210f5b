// What grades the submissions of a batch: this machine's processes (local_executor.h), or a
// cluster. It delivers grades; what is kept of them, and who is graded next, is the batch's.
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
  std::string shown;                 // what reports call the submission
  std::filesystem::path submission;  // a .cu file, or a folder of them
  std::string digest;                // of its files (batch/collect.h)
  bool anew = false;                 // past what was built before
};

WARPCHECK_FIELDS(Job, id, shown, submission, digest, anew);

// The grader ended without a grade: killed, crashed, stuck. Which may be the submission's doing.
struct Died {
  std::string how;
};

// It could not be graded just now, by no doing of its own: its grader was killed by somebody else,
// or the machine was too busy.
struct HeldUp {
  std::string how;
};

// Something is wrong with the machine, not with the submission: grading must not go on.
struct MachineFault {
  Error error;
};

// Ended by the executor itself, to have room for others: to be begun again.
struct Returned {};

struct Delivery {
  std::string id;  // of a job that was begun; may be empty in a MachineFault
  std::variant<Grade, Died, HeldUp, MachineFault, Returned> what;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // How many more jobs it would begin right now.
  virtual std::size_t Room() = 0;

  // Begins a job; there has to be room. Each is delivered once, unless Stop comes first.
  virtual void Begin(Job job) = 0;

  // What has happened since the last call; waits for the first of it, at most so long.
  virtual std::vector<Delivery> Wait(std::chrono::milliseconds limit) = 0;

  // Ends all jobs at once, with all their processes: none of them is delivered.
  virtual void Stop() = 0;
};

}  // namespace warpcheck::batch
