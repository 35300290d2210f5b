// The order of the work: whose grade is known already, who is graded next, and when to stop.
//
// How a class is graded. An export is read by its layout (layout.h) into a roster: who handed in
// what (roster.h), of each student what may count. What every grade depends on is the
// batch's identity (journal.h); they, the roster and each complete grade are lines of the journal
// (journal.h), checked and on the disk before anything else happens. Run compares the two and gives
// what is missing to an Executor (executor.h): worker processes of this machine (local_executor.h
// here, worker.h there) or a Slurm cluster (batch/slurm/executor.h). It delivers grades, deaths and
// faults of the machine; who is tried again, and when to stop, is decided here. Tables and files
// for platforms are made from the journal alone (outputs.h, table.h), whenever it has grown, so
// that a batch may end at any moment and go on where it was.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/executor.h"
#include "batch/journal.h"
#include "batch/outputs.h"
#include "grading/grade.h"

namespace warpcheck::batch {

// How far a batch is. Submissions with the same files count as one each.
struct Progress {
  std::size_t total = 0;
  std::size_t done = 0;       // with a grade
  std::size_t known = 0;      // of these: graded before this run, or refused
  std::size_t not_final = 0;  // of these: without a final score, for a person to look at
  std::size_t held_up = 0;    // not graded, by no doing of their own: for the next run
  std::size_t running = 0;
  std::size_t to_grade = 0;  // how many more the executor has to grade, running ones among them
  bool graded = false;       // the executor has just finished one
};

struct BatchEnd {
  enum class Cause { kDone, kMachineFault, kStopped };
  Cause cause = Cause::kDone;
  Error fault;                                 // of kMachineFault
  std::map<std::string, std::string> held_up;  // ids that have no grade for that, and how
  Progress progress;
};

// What a batch needs besides its journal.
struct BatchTools {
  Executor* executor = nullptr;
  Outputs* outputs = nullptr;
  // After each change, and a few times a second; may be empty.
  std::function<void(const Progress&)> show;
  std::function<bool()> stopped = [] { return false; };  // somebody wants it to end
  std::function<void()> before_finish;  // what else is made once all are graded; may be empty
};

class Batch {
 public:
  // `only`: a glob of the ids that are graded now. The journal has an identity and a roster.
  Batch(Journal& journal, const Rubric& rubric, std::string only, BatchTools tools)
      : journal_(journal), rubric_(rubric), only_(std::move(only)), tools_(std::move(tools)) {}

  // Grades what has no grade yet; all files are up to date when it returns, whatever the cause,
  // unless they cannot be written.
  BatchEnd Run();

 private:
  struct Task {
    Job job;
    std::vector<std::string> same;  // ids of others that handed in these files
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
  std::map<std::string, std::string> shown_;    // by id
  std::map<std::string, std::string> digests_;  // by id, of the files as they are now
  std::deque<std::string> waiting_;             // digests to be graded
  // Digests that were held up once: when there is nothing else to do, one at a time.
  std::deque<std::string> alone_;
  std::set<std::string> were_alone_;
  std::map<std::string, Task> tasks_;           // by digest: waiting and running
  std::map<std::string, std::string> running_;  // digests by id
  std::map<std::string, std::string> held_up_;  // BatchEnd::held_up
  Progress progress_;
  bool stopped_ = false;
};

// At a submission of this batch, before anything is known of it.
Attempt AttemptOf(const BatchIdentity& identity, const std::string& shown);

// Grades of submissions that no grader came to an end with.

// Nothing is known of it: harness fault everywhere, for a person to look at.
Grade FaultGrade(const Rubric& rubric, Attempt attempt, const std::string& reason);

// It cannot be compiled, and that is its own fault: no file, too large, an odd name.
Grade RefusalGrade(const Rubric& rubric, Attempt attempt, const Error& why);

// Once a person has looked at why: forgets the grades of ids that match the glob, whatever they
// are, and of all who handed in the same files, so that the next Batch grades them anew, past what
// was built before. Returns how many.
Result<std::size_t> Reopen(Journal& journal, const std::string& glob);

}  // namespace warpcheck::batch
