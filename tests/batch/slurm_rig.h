// Provides a Slurm that a test controls, and tasks that grade in the test's own process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "batch/slurm/slurm.h"
#include "batch/slurm/task_files.h"

namespace warpcheck::batch {

// The state of a FakeSlurm, which a test reads and sets. It must outlive the FakeSlurm.
struct FakeCluster {
  std::vector<SlurmArray> submitted;
  std::vector<std::string> cancelled;
  std::vector<QueueLine> queue;  // the tasks of a submitted array are added as PENDING
  int looks = 0;
  std::optional<Error> down;          // what every command answers
  std::function<void()> before_look;  // this function is called before the next look at the queue

  QueueLine& Line(const std::string& array, std::size_t index);
  // Returns the jobs of a task from its chunk.
  std::vector<Job> JobsOf(std::size_t array, std::size_t task) const;
  // Writes these events as one more run of the task.
  void Write(std::size_t array, std::size_t task, const std::vector<TaskEvent>& events) const;
  void SetState(std::size_t array, std::size_t task, const std::string& state);
};

class FakeSlurm : public Slurm {
 public:
  explicit FakeSlurm(FakeCluster& cluster) : cluster_(cluster) {}
  Result<std::string> Submit(const SlurmArray& array) override;
  Result<std::vector<QueueLine>> Look(const std::vector<std::string>& arrays) override;
  Result<> Cancel(const std::vector<std::string>& arrays) override;

 private:
  FakeCluster& cluster_;
};

TaskEvent BeganEvent(const Job& job);
TaskEvent GradeEvent(const Job& job);  // the grade is that of TestGrade
TaskEvent DiedEvent(const Job& job, const std::string& how);
TaskEvent FaultEvent(const std::string& message);

}  // namespace warpcheck::batch
