// What a batch and its Slurm tasks tell each other: files in a folder that all nodes see.
//
//   <array>/task.sh            what sbatch is given
//   <array>/chunk-3.json       what task 3 grades: of which batch, and jobs
//   <array>/task-3/news-0      what it has done: checked lines (batch/checked_file.h), a file for
//                              each time that it begins; news-1 where Slurm requeued it
//   <array>/log-3              what it printed
//
// Each file has one writer, so that a node that was thought dead harms nobody. Submissions are told
// by their digests.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "batch/checked_file.h"
#include "batch/executor.h"
#include "batch/journal.h"

namespace warpcheck::batch {

struct Chunk {
  BatchIdentity identity;
  std::vector<Job> jobs;
};

std::filesystem::path ChunkPath(const std::filesystem::path& array, std::size_t task);
std::filesystem::path LogPath(const std::filesystem::path& array, std::size_t task);
std::filesystem::path NewsFolder(const std::filesystem::path& array, std::size_t task);

Result<> WriteChunk(const std::filesystem::path& path, const Chunk& chunk);
Result<Chunk> ReadChunk(const std::filesystem::path& path);

// One line of a task's news.
struct TaskNews {  // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  enum class What : std::uint8_t {
    kBegan,  // the grading of a submission
    kGrade,
    kDied,   // text: how its grader ended
    kFault,  // of its node
    kEnd,    // everything is done
  };
  What what = What::kEnd;
  std::string digest{};  // empty in kEnd, and in a fault that no submission met
  std::string text{};
  nlohmann::json grade{};
  Error fault{};
};

WARPCHECK_FIELDS(Chunk, identity, jobs);

WARPCHECK_NAMES(TaskNews::What, "began", "grade", "died", "fault", "end");

WARPCHECK_FIELDS(TaskNews, what);
WARPCHECK_FIELDS_IF_CHANGED(TaskNews, digest, text, grade, fault);

// A task's own file of news: a new one.
Result<CheckedFile> BeginNews(const std::filesystem::path& folder);
// Safe from a loss of power when it returns.
Result<> Append(CheckedFile& file, const TaskNews& news);

// Reads a task's news while they are written.
class NewsReader {
 public:
  explicit NewsReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // What was written since the last call. A line that is not whole is left for a later one.
  Result<std::vector<TaskNews>> Read();

 private:
  struct Source {
    std::uintmax_t size = 0;
    std::size_t lines = 0;
  };
  Result<> ReadSource(const std::filesystem::path& path, Source& source,
                      std::vector<TaskNews>& news) const;

  std::filesystem::path folder_;
  std::vector<Source> sources_;
};

// The folders of Slurm arrays: making one, and finding those of earlier runs.

// Of [A-Za-z0-9-], never the same again.
Result<std::string> NewArrayName();

// Puts jobs into chunks of `chunk`, or of a number that suits theirs where that is 0: small, so
// that many nodes can help, and not so small that most of the time goes into starting tasks. Those
// in `alone` get a task each.
std::vector<std::vector<Job>> ChunksOf(std::deque<Job> jobs, std::size_t chunk,
                                       const std::set<std::string>& alone);

// Writes an array's folder, with copies of the submissions: what is graded does not change while
// tasks wait. Fails where a submission is not what its job says.
Result<> WriteArray(const std::filesystem::path& array, const BatchIdentity& identity,
                    const std::vector<std::vector<Job>>& chunks,
                    const std::filesystem::path& program);
std::filesystem::path ScriptPath(const std::filesystem::path& array);

// A task of an earlier run.
struct EarlierTask {
  std::string array;  // its name
  std::size_t index = 0;
  std::vector<std::string> digests{};
  std::set<std::string> graded{};
  std::set<std::string> died{};  // their graders
};
struct EarlierTasks {
  std::vector<EarlierTask> tasks;       // of the same batch
  std::vector<std::string> unreadable;  // what could not be read, and why
};
// The names of the arrays in `folder`.
std::vector<std::string> FindArrays(const std::filesystem::path& folder);
// Their tasks. Look at the queue before: what ends in between was alive, and is graded here.
EarlierTasks ReadEarlierTasks(const std::filesystem::path& folder,
                              const std::vector<std::string>& arrays,
                              const BatchIdentity& identity);

}  // namespace warpcheck::batch
