#include "batch/slurm_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "batch/batch_rig.h"
#include "grading/grade.h"

namespace warpcheck::batch {

QueueLine& FakeCluster::Line(const std::string& array, std::size_t index) {
  const auto line = std::ranges::find_if(
      queue, [&](const QueueLine& one) { return one.array == array && one.index == index; });
  EXPECT_NE(line, queue.end()) << array << " has no task " << index;
  return *line;
}

std::vector<Job> FakeCluster::JobsOf(std::size_t array, std::size_t task) const {
  const auto chunk = ReadChunk(ChunkPath(submitted.at(array).folder, task));
  EXPECT_TRUE(chunk) << chunk.error().Text();
  return chunk ? chunk->jobs : std::vector<Job>();
}

void FakeCluster::Write(std::size_t array, std::size_t task,
                        const std::vector<TaskEvent>& events) const {
  auto file = CreateEventFile(EventFolder(submitted.at(array).folder, task));
  ASSERT_TRUE(file) << file.error().Text();
  for (const TaskEvent& one : events) ASSERT_TRUE(Append(*file, one));
}

void FakeCluster::SetState(std::size_t array, std::size_t task, const std::string& state) {
  QueueLine& line = Line(submitted.at(array).name, task);
  line.state = state;
  line.node = "node1";
}

Result<std::string> FakeSlurm::Submit(const SlurmArray& array) {
  if (cluster_.down) return Fail(*cluster_.down);
  cluster_.submitted.push_back(array);
  const std::string job = std::to_string(cluster_.submitted.size());
  for (std::size_t index = 0; index < array.tasks; ++index) {
    QueueLine line;
    line.array = array.name;
    line.job = job;
    line.index = index;
    line.state = "PENDING";
    line.reason = "Priority";
    cluster_.queue.push_back(line);
  }
  return job;
}

Result<std::vector<QueueLine>> FakeSlurm::Look(const std::vector<std::string>& arrays) {
  if (auto happens = std::exchange(cluster_.before_look, nullptr)) happens();
  ++cluster_.looks;
  if (cluster_.down) return Fail(*cluster_.down);
  std::vector<QueueLine> lines;
  std::ranges::copy_if(cluster_.queue, std::back_inserter(lines), [&](const QueueLine& line) {
    return std::ranges::find(arrays, line.array) != arrays.end();
  });
  return lines;
}

Result<> FakeSlurm::Cancel(const std::vector<std::string>& arrays) {
  if (cluster_.down) return Fail(*cluster_.down);
  cluster_.cancelled.insert(cluster_.cancelled.end(), arrays.begin(), arrays.end());
  return {};
}

TaskEvent BeganEvent(const Job& job) {
  TaskEvent event;
  event.what = TaskEvent::Kind::kBegan;
  event.digest = job.digest;
  return event;
}

TaskEvent GradeEvent(const Job& job) {
  TaskEvent event;
  event.what = TaskEvent::Kind::kGrade;
  event.digest = job.digest;
  event.grade = warpcheck::ToJson(TestGrade(job));
  return event;
}

TaskEvent DiedEvent(const Job& job, const std::string& how) {
  TaskEvent event;
  event.what = TaskEvent::Kind::kDied;
  event.digest = job.digest;
  event.text = how;
  return event;
}

TaskEvent FaultEvent(const std::string& message) {
  TaskEvent event;
  event.what = TaskEvent::Kind::kFault;
  event.fault.message = message;
  return event;
}

}  // namespace warpcheck::batch
