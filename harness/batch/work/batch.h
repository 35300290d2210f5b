// Batch grades a class: it decides which submission is graded next, which one is tried again, and
// when to stop.
//
// A layout (batch/intake/layout.h) reads an export into a roster, which says who handed in what.
// The batch's identity (batch/journal/identity.h), the roster and each complete grade are lines of
// the journal (batch/journal/journal.h). The journal is written to the disk before anything else
// happens. Run compares the roster with the grades, and gives what is missing to an Executor:
// worker processes of this machine (batch/work/local_executor.h) or a Slurm cluster
// (batch/slurm/executor.h). All files that people read are made from the journal
// (batch/marks/outputs.h), so that a batch may end at any moment and continue later.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/journal/journal.h"
#include "batch/marks/outputs.h"
#include "batch/work/executor.h"
#include "batch/work/progress.h"
#include "grading/grade.h"

namespace warpcheck::batch {

struct BatchEnd {
  enum class Cause { kDone, kMachineFault, kStopped };
  Cause cause = Cause::kDone;
  Error fault;  // the fault, if the cause is kMachineFault
  // Ids of submissions that were held up, each with the reason.
  std::map<std::string, std::string> held_up;
  Progress progress;
};

// BatchTools has the objects and functions that a batch uses; they must outlive it.
struct BatchTools {
  Executor* executor = nullptr;
  Outputs* outputs = nullptr;
  // Called after each change, and a few times each second; may be empty.
  std::function<void(const Progress&)> show;
  std::function<bool()> stopped = [] { return false; };  // returns true once the batch must end
  // Called when all submissions are graded; may be empty.
  std::function<void()> before_finish;
};

class Batch {
 public:
  // The journal must have an identity and a roster. Only ids that match the glob `only` are graded.
  Batch(Journal& journal, const Rubric& rubric, std::string only, BatchTools tools)
      : journal_(journal), rubric_(rubric), only_(std::move(only)), tools_(std::move(tools)) {}

  // Grades the submissions without a grade. Unless they cannot be written, all files are up to date
  // when it returns, whatever the cause of its end.
  BatchEnd Run();

 private:
  struct Task {
    Job job;
    std::vector<std::string> same;  // ids of other submissions that have the same files
  };

  Result<> Plan();
  Result<> PlanOne(const Entry& entry);
  Result<> Grade();
  Result<> FillRoom();
  Result<> TakeAll(std::vector<Delivery> deliveries);
  Result<> BeginNext();
  Result<> Take(Delivery delivery);
  Result<> TakeDeath(const std::string& id, const std::string& how);
  void TakeHeldUp(const std::string& id, const std::string& how);
  Result<> Keep(const std::string& id, const std::string& digest, warpcheck::Grade grade);
  Result<> KeepForAll(const Task& task, const warpcheck::Grade& grade);
  void Show(bool graded = false);

  Journal& journal_;
  const Rubric& rubric_;
  std::string only_;
  BatchTools tools_;
  std::map<std::string, std::string> shown_;    // the name of each submission in reports, by id
  std::map<std::string, std::string> digests_;  // the digests of submissions as they are now, by id
  std::deque<std::string> waiting_;             // digests of the files to grade
  // Digests that were held up once. They are graded again at the end, one at a time.
  std::deque<std::string> retries_;
  std::set<std::string> retried_;
  std::map<std::string, Task> tasks_;           // tasks that wait or run, by digest
  std::map<std::string, std::string> running_;  // digests by id
  std::map<std::string, std::string> held_up_;  // becomes BatchEnd::held_up
  Progress progress_;
  bool stopped_ = false;
};

// Forgets the grades of the ids that match the glob, whatever they are, and of all students who
// handed in the same files. The next Batch compiles and grades these submissions again. Returns how
// many grades were forgotten.
Result<std::size_t> Reopen(Journal& journal, const std::string& glob);

}  // namespace warpcheck::batch
