#include "batch/slurm/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/json_record.h"
#include "batch/collect.h"
#include "batch/worker.h"
#include "device/record_json.h"

namespace warpcheck::batch {

namespace {

namespace fs = std::filesystem;

fs::path NewsPath(const fs::path& folder, std::size_t number) {
  return folder / fmt::format("news-{}", number);
}

}  // namespace

fs::path ChunkPath(const fs::path& array, std::size_t task) {
  return array / fmt::format("chunk-{}.json", task);
}

fs::path LogPath(const fs::path& array, std::size_t task) {
  return array / fmt::format("log-{}", task);
}

fs::path NewsFolder(const fs::path& array, std::size_t task) {
  return array / fmt::format("task-{}", task);
}

Result<> WriteChunk(const fs::path& path, const Chunk& chunk) {
  return WriteFile(path, JsonText(ToJson(chunk)));
}

Result<Chunk> ReadChunk(const fs::path& path) {
  const auto text = WARPCHECK_TRY(ReadFile(path));
  auto chunk = ParseRecord<Chunk>(text);
  if (!chunk) return Fail(fmt::format("cannot read {}: {}", path.string(), chunk.error().message));
  return chunk;
}

Result<CheckedFile> BeginNews(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (std::size_t number = 0;; ++number) {
    const fs::path path = NewsPath(folder, number);
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() >= 0) {
      return CheckedFile::Open(path, [](std::string_view, Extent) { return Result<>(); });
    }
    if (errno != EEXIST) {
      return Fail(fmt::format("cannot make {}: {}", path.string(), std::strerror(errno)));
    }
  }
}

Result<> Append(CheckedFile& file, const TaskNews& news) {
  const auto written = file.Append(JsonText(ToJson(news)), true);
  return written ? Result<>() : Fail(written.error());
}

Result<std::vector<TaskNews>> NewsReader::Read() {
  std::vector<TaskNews> news;
  for (std::size_t number = 0;; ++number) {
    const fs::path path = NewsPath(folder_, number);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) return news;  // not begun
    if (number == sources_.size()) sources_.emplace_back();
    Source& source = sources_[number];
    if (size == source.size) continue;
    WARPCHECK_TRY(ReadSource(path, source, news));
    source.size = size;
  }
}

Result<> NewsReader::ReadSource(const fs::path& path, Source& source,
                                std::vector<TaskNews>& news) const {
  std::size_t line = 0;
  const auto visit = [&](std::string_view text, Extent) -> Result<> {
    if (line++ < source.lines) return {};
    auto one = ParseRecord<TaskNews>(text);
    if (!one) return Fail("this line cannot be read: " + one.error().message);
    news.push_back(*std::move(one));
    return {};
  };
  const auto file = WARPCHECK_TRY(CheckedFile::OpenToRead(path, visit));
  source.lines = line;
  return {};
}

namespace {

constexpr std::string_view kNamePrefix = "warpcheck-";
constexpr std::size_t kTasksAimedAt = 50;
constexpr std::size_t kMaxChunk = 20;

// For a shell.
std::string Quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

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
  const auto news = WARPCHECK_TRY(NewsReader(NewsFolder(array, index)).Read());
  for (const TaskNews& one : news) {
    if (one.what == TaskNews::What::kGrade) task.graded.insert(one.digest);
    if (one.what == TaskNews::What::kDied) task.died.insert(one.digest);
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
