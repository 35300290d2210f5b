#include "batch/slurm/task.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <thread>

#include "batch/slurm/task_files.h"
#include "grading/grade.h"

namespace warpcheck::batch {
namespace {

using Kind = TaskEvent::Kind;

constexpr int kMaxBeginnings = 3;
constexpr std::chrono::milliseconds kWait{500};

// The sum of the events of earlier runs of the task.
struct Past {
  std::set<std::string> finished;         // digests of submissions that need no grading
  std::map<std::string, int> beginnings;  // how often each grading began, by digest
};

Result<Past> ReadPast(const std::filesystem::path& folder) {
  auto events = WARPCHECK_TRY(EventReader(folder).Read());
  Past past;
  for (const TaskEvent& one : events) {
    if (one.what == Kind::kBegan) ++past.beginnings[one.digest];
    if (one.what == Kind::kGrade || one.what == Kind::kDied) past.finished.insert(one.digest);
  }
  return past;
}

class SlurmTask {
 public:
  SlurmTask(CheckedFile events, const SlurmTaskTools& tools)
      : events_(std::move(events)), tools_(tools) {}

  Result<SlurmTaskEnd> Run(const Chunk& chunk, const Past& past) {
    auto executor = tools_.executor(chunk.identity);
    if (!executor) return ReportFault(executor.error());
    for (const Job& job : chunk.jobs) {
      if (past.finished.contains(job.digest)) continue;
      const auto begun = past.beginnings.find(job.digest);
      if (begun != past.beginnings.end() && begun->second >= kMaxBeginnings) {
        WARPCHECK_TRY(Append(
            events_, {.what = Kind::kDied,
                      .digest = job.digest,
                      .text = fmt::format("Slurm ended its task {} times while it was graded",
                                          begun->second)}));
        continue;
      }
      auto end = GradeOne(**executor, job);
      if (!end || *end != SlurmTaskEnd::kDone) return end;
    }
    WARPCHECK_TRY(Append(events_, TaskEvent{}));
    return SlurmTaskEnd::kDone;
  }

 private:
  Result<SlurmTaskEnd> ReportFault(const Error& fault) {
    WARPCHECK_TRY(Append(events_, {.what = Kind::kFault, .fault = fault}));
    return SlurmTaskEnd::kFault;
  }

  Result<SlurmTaskEnd> GradeOne(Executor& executor, const Job& job) {
    TaskEvent event;
    event.digest = job.digest;
    for (bool begun = false;;) {
      if (tools_.stopped()) {
        executor.Stop();
        return SlurmTaskEnd::kStopped;
      }
      if (!begun) {
        event.what = Kind::kBegan;
        WARPCHECK_TRY(Append(events_, event));
        executor.Begin(job);
        begun = true;
      }
      for (Delivery& delivery : executor.Wait(kWait)) {
        if (std::holds_alternative<Preempted>(delivery.what)) {
          begun = false;
          continue;
        }
        if (auto* const grade = std::get_if<Grade>(&delivery.what)) {
          event.what = Kind::kGrade;
          event.grade = ToJson(*grade);
        } else {
          // Slurm ends all processes of a task at the same time; this process may get its signal
          // last.
          if (IsStoppedWithin(tools_.grace)) break;
          if (auto* const fault = std::get_if<MachineFault>(&delivery.what)) {
            return ReportFault(fault->error);
          }
          event.what = Kind::kDied;
          const auto* const held_up = std::get_if<HeldUp>(&delivery.what);
          event.text = held_up != nullptr ? held_up->how : std::get<Died>(delivery.what).how;
        }
        WARPCHECK_TRY(Append(events_, event));
        return SlurmTaskEnd::kDone;
      }
    }
  }

  bool IsStoppedWithin(std::chrono::milliseconds limit) const {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!tools_.stopped() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return tools_.stopped();
  }

  CheckedFile events_;
  const SlurmTaskTools& tools_;
};

}  // namespace

Result<SlurmTaskEnd> RunSlurmTask(const std::filesystem::path& array, std::size_t task,
                                  const SlurmTaskTools& tools) {
  const auto chunk = WARPCHECK_TRY(ReadChunk(ChunkPath(array, task)));
  const std::filesystem::path folder = EventFolder(array, task);
  const auto past = WARPCHECK_TRY(ReadPast(folder));
  auto events = WARPCHECK_TRY(CreateEventFile(folder));
  return SlurmTask(std::move(events), tools).Run(chunk, past);
}

}  // namespace warpcheck::batch
