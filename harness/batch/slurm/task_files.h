// The files through which a batch and its Slurm tasks exchange jobs and grades, in a folder that
// all nodes see:
//
//   <array>/task.sh            the script that sbatch is given
//   <array>/chunk-3.json       the jobs of task 3, and the identity of their batch
//   <array>/task-3/events-0    what the task has done, as checked lines
//                              (batch/journal/checked_file.h); a task that Slurm requeues writes
//                              events-1, and so on
//   <array>/log-3              what the task has printed
//
// Each file has one writer, so that a node which was thought dead cannot damage anything.
// Submissions are named by their digests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "batch/journal/checked_file.h"
#include "batch/journal/identity.h"
#include "batch/work/executor.h"

namespace warpcheck::batch {

struct Chunk {
  BatchIdentity identity;
  std::vector<Job> jobs;
};

std::filesystem::path ChunkPath(const std::filesystem::path& array, std::size_t task);
std::filesystem::path LogPath(const std::filesystem::path& array, std::size_t task);
std::filesystem::path EventFolder(const std::filesystem::path& array, std::size_t task);

Result<> WriteChunk(const std::filesystem::path& path, const Chunk& chunk);
Result<Chunk> ReadChunk(const std::filesystem::path& path);

// A TaskEvent is one line of a task's events.
struct TaskEvent {  // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  enum class Kind : std::uint8_t {
    kBegan,  // the grading of a submission began
    kGrade,  // a grade of a submission is complete
    kDied,   // a grader died; `text` says how it ended
    kFault,  // something is wrong with the node
    kEnd,    // the task has ended normally
  };
  Kind what = Kind::kEnd;
  std::string digest{};  // empty for kEnd, and for a fault that has no submission
  std::string text{};
  nlohmann::json grade{};
  Error fault{};
};

WARPCHECK_FIELDS(Chunk, identity, jobs);

WARPCHECK_NAMES(TaskEvent::Kind, "began", "grade", "died", "fault", "end");

WARPCHECK_FIELDS(TaskEvent, what);
WARPCHECK_FIELDS_IF_CHANGED(TaskEvent, digest, text, grade, fault);

// Creates the next event file in a task's folder, for this run of the task alone.
Result<CheckedFile> CreateEventFile(const std::filesystem::path& folder);
// Appends an event, which survives a loss of power when this returns.
Result<> Append(CheckedFile& file, const TaskEvent& event);

// Reads a task's events while the task writes them.
class EventReader {
 public:
  explicit EventReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns the events since the last call. A line that is not complete yet is returned by a later
  // call.
  Result<std::vector<TaskEvent>> Read();

 private:
  struct Source {
    std::uintmax_t size = 0;
    std::size_t lines = 0;
  };
  Result<> ReadSource(const std::filesystem::path& path, Source& source,
                      std::vector<TaskEvent>& events) const;

  std::filesystem::path folder_;
  std::vector<Source> sources_;
};

}  // namespace warpcheck::batch
