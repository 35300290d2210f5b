// Slurm, as far as a batch needs it: job arrays, known by their names.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::batch {

struct SlurmArray {
  std::string name;              // of the job: unique, of [A-Za-z0-9-]
  std::filesystem::path folder;  // absolute, seen by all nodes; logs go there
  std::filesystem::path script;  // what each task runs
  std::size_t tasks = 0;         // at most kMaxArrayTasks
  std::size_t at_once = 0;       // 0: as many as the cluster has room for
  bool gpu = false;              // one for each task
};

// Slurm's own bound is 1001, unless a cluster says otherwise (MaxArraySize).
inline constexpr std::size_t kMaxArrayTasks = 1000;

// A line of the queue, where tasks stay for some minutes after their end.
struct QueueLine {
  std::string array;                 // its name
  std::string job;                   // its number
  std::optional<std::size_t> index;  // none: every task of the array without a line of its own
  std::string state;                 // "RUNNING"
  std::string node;
  std::string reason;  // why it waits, or how it ended; may be "None"
};

// Its failures are those of the cluster, in Slurm's own words.
class Slurm {
 public:
  virtual ~Slurm() = default;
  // Returns the job's number.
  virtual Result<std::string> Submit(const SlurmArray& array) = 0;
  // What the queue says of these arrays. Those that Slurm does not know have no line.
  virtual Result<std::vector<QueueLine>> Look(const std::vector<std::string>& arrays) = 0;
  // Ends all their tasks; nothing happens where there are none.
  virtual Result<> Cancel(const std::vector<std::string>& arrays) = 0;
};

// Through sbatch, squeue and scancel, found on PATH. `options` are further ones for sbatch.
std::unique_ptr<Slurm> MakeSlurmCommands(std::vector<std::string> options);

// Splits what would be words to a shell: at spaces, with quotes and backslashes. Fails on a quote
// that does not end.
Result<std::vector<std::string>> SplitOptions(const std::string& text);

// The end of a Slurm task as its queue tells it, and whose fault it is.

enum class TaskPhase {
  kWaits,  // it has not begun, or begins again
  kRuns,   // or ends just now
  kEnded,
};
TaskPhase PhaseOf(std::string_view state);

// True where the task may have been ended by what it was doing: it failed, or used up its time or
// memory. Others were ended by somebody, or by their node.
bool MayBlameTask(std::string_view state);

// True where a task waits for a person, not for its turn.
bool WaitsForSomebody(std::string_view reason);

// How often something is done: seldom enough that at most a twentieth of the time goes into it;
// without a pause where `least` is 0.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Pace(std::chrono::milliseconds least) : least_(least) {}

  bool IsDue() const { return Clock::now() >= next_; }
  void Began() { began_ = Clock::now(); }
  void Ended() {
    const Clock::time_point now = Clock::now();
    next_ = now;
    if (least_.count() > 0) next_ += std::max<Clock::duration>(least_, 20 * (now - began_));
  }

 private:
  std::chrono::milliseconds least_;
  Clock::time_point began_;
  Clock::time_point next_;
};

}  // namespace warpcheck::batch
