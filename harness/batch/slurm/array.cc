#include "batch/slurm/array.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "batch/intake/submission_files.h"
#include "batch/slurm/task_files.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNamePrefix = "warpcheck-";
constexpr std::size_t kTasksAimedAt = 50;
constexpr std::size_t kMaxChunk = 20;

// Returns the path quoted for a shell.
std::string Quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// Copies the submission into the array's folder, and returns the job for the copy.
Result<Job> CopyOf(Job job, const BatchIdentity& identity, const fs::path& array) {
  const auto sources = ReadSubmission(job.submission, identity.assignment);
  if (!sources || DigestOf(*sources) != job.digest) {
    return Fail(fmt::format("the submission of {} was changed while the batch ran", job.id));
  }
  const fs::path folder = array / "submissions" / job.digest;
  std::error_code error;
  fs::create_directories(folder, error);
  job.submission = WARPCHECK_TRY(Stage(*sources, folder));
  return job;
}

Result<EarlierTask> ReadEarlierTask(const fs::path& array, std::size_t index, const Chunk& chunk) {
  EarlierTask task{.array = array.filename().string(), .index = index};
  for (const Job& job : chunk.jobs) task.digests.push_back(job.digest);
  const auto events = WARPCHECK_TRY(EventReader(EventFolder(array, index)).Read());
  for (const TaskEvent& one : events) {
    if (one.what == TaskEvent::Kind::kGrade) task.graded.insert(one.digest);
    if (one.what == TaskEvent::Kind::kDied) task.died.insert(one.digest);
  }
  return task;
}

}  // namespace

Result<std::string> NewArrayName() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    return Fail("the system gives no random numbers");
  }
  return fmt::format("{}{:016x}", kNamePrefix, number);
}

std::vector<std::vector<Job>> ChunksOf(std::deque<Job> jobs, std::size_t chunk,
                                       const std::set<std::string>& alone) {
  if (chunk == 0) chunk = std::clamp<std::size_t>(jobs.size() / kTasksAimedAt, 1, kMaxChunk);
  std::vector<std::vector<Job>> chunks;
  std::vector<Job> next;
  for (Job& job : jobs) {
    if (alone.contains(job.digest)) {
      chunks.push_back({std::move(job)});
      continue;
    }
    next.push_back(std::move(job));
    if (next.size() == chunk) chunks.push_back(std::exchange(next, {}));
  }
  if (!next.empty()) chunks.push_back(std::move(next));
  return chunks;
}

fs::path ScriptPath(const fs::path& array) { return array / "task.sh"; }

Result<> WriteArray(const fs::path& array, const BatchIdentity& identity,
                    const std::vector<std::vector<Job>>& chunks, const fs::path& program) {
  std::error_code error;
  fs::create_directories(array, error);
  if (error) return Fail(fmt::format("cannot make {}: {}", array.string(), error.message()));
  for (std::size_t task = 0; task < chunks.size(); ++task) {
    Chunk chunk{.identity = identity, .jobs = {}};
    for (const Job& job : chunks[task]) {
      chunk.jobs.push_back(WARPCHECK_TRY(CopyOf(job, identity, array)));
    }
    WARPCHECK_TRY(WriteChunk(ChunkPath(array, task), chunk));
  }
  const std::string script =
      fmt::format("#!/bin/sh\nexec {} grade-chunk {} \"$SLURM_ARRAY_TASK_ID\"\n", Quoted(program),
                  Quoted(array));
  return WriteFile(ScriptPath(array), script);
}

std::vector<std::string> FindArrays(const fs::path& folder) {
  std::vector<std::string> arrays;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with(kNamePrefix)) arrays.push_back(std::move(name));
  }
  std::ranges::sort(arrays);
  return arrays;
}

EarlierTasks ReadEarlierTasks(const fs::path& folder, const std::vector<std::string>& arrays,
                              const BatchIdentity& identity) {
  EarlierTasks earlier;
  std::error_code error;
  for (const std::string& name : arrays) {
    const fs::path array = folder / name;
    for (std::size_t index = 0; fs::exists(ChunkPath(array, index), error); ++index) {
      const auto chunk = ReadChunk(ChunkPath(array, index));
      if (chunk && chunk->identity != identity) continue;
      auto task =
          chunk ? ReadEarlierTask(array, index, *chunk) : Result<EarlierTask>(Fail(chunk.error()));
      if (task) {
        earlier.tasks.push_back(*std::move(task));
      } else {
        earlier.unreadable.push_back(task.error().Text());
      }
    }
  }
  return earlier;
}

}  // namespace warpcheck::batch
