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
                        const std::vector<TaskNews>& news) const {
  auto file = BeginNews(NewsFolder(submitted.at(array).folder, task));
  ASSERT_TRUE(file) << file.error().Text();
  for (const TaskNews& one : news) ASSERT_TRUE(Append(*file, one));
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

TaskNews BeganNews(const Job& job) {
  TaskNews news;
  news.what = TaskNews::What::kBegan;
  news.digest = job.digest;
  return news;
}

TaskNews GradeNews(const Job& job) {
  TaskNews news;
  news.what = TaskNews::What::kGrade;
  news.digest = job.digest;
  news.grade = warpcheck::ToJson(TestGrade(job));
  return news;
}

TaskNews DiedNews(const Job& job, const std::string& how) {
  TaskNews news;
  news.what = TaskNews::What::kDied;
  news.digest = job.digest;
  news.text = how;
  return news;
}

TaskNews FaultNews(const std::string& message) {
  TaskNews news;
  news.what = TaskNews::What::kFault;
  news.fault.message = message;
  return news;
}

}  // namespace warpcheck::batch
