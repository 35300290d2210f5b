// Provides a class, a rubric and an executor whose behaviour a test chooses, for tests of batches.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "batch/work/batch.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {

Rubric TestRubric();
BatchIdentity TestTerms();

// Gives all points to a submission whose file says "right", and no points to others.
Grade TestGrade(const Job& job);

// This executor grades in the test's own process, in the order in which jobs began, and remembers
// the calls.
class FakeExecutor : public Executor {
 public:
  using Act = std::function<decltype(Delivery::what)(const Job& job)>;
  explicit FakeExecutor(Act act = TestGrade, std::size_t jobs = 2)
      : act_(std::move(act)), jobs_(jobs) {}

  std::size_t Room() override { return jobs_ - running_.size(); }
  void Begin(Job job) override;
  std::vector<Delivery> Wait(std::chrono::milliseconds limit) override;
  void Stop() override { running_.clear(); }

  // Makes every Wait deliver all running jobs instead of one.
  void DeliverAllAtOnce() { all_at_once_ = true; }

  const std::vector<std::string>& begun() const { return begun_; }  // ids of the jobs
  const std::vector<std::size_t>& beside() const {
    return beside_;
  }  // how many other jobs ran at that time

 private:
  Act act_;
  std::size_t jobs_;
  std::vector<Job> running_;
  std::vector<std::string> begun_;
  std::vector<std::size_t> beside_;
  bool all_at_once_ = false;
};

// A folder of submissions, with one file each, and a folder for the batch.
class ClassRoom {
 public:
  // Hands in a file. TestGrade grades the texts "right" and "wrong".
  void HandIn(const std::string& id, const std::string& text);
  // Adds an entry to the roster, whose submission need not exist.
  void Enrol(Entry entry) { enrolled_.push_back(std::move(entry)); }
  std::filesystem::path out() const { return folder_.path() / "out"; }
  std::filesystem::path submissions() const { return folder_.path() / "class"; }
  std::string Output(const std::string& name) const;

  // Opens the journal, begins it if it is new, and runs a batch to its end.
  BatchEnd Run(
      Executor& executor, const std::string& only = "*",
      const std::function<bool()>& stopped = [] { return false; });

 private:
  TemporaryFolder folder_;
  std::vector<Entry> enrolled_;
};

}  // namespace warpcheck::batch
