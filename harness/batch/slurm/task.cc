#include "batch/slurm/task.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <thread>

#include "batch/slurm/files.h"
#include "grading/grade.h"

namespace warpcheck::batch {
namespace {

using What = TaskNews::What;

constexpr int kMaxBeginnings = 3;
constexpr std::chrono::milliseconds kWait{500};

// What earlier runs of the task have left.
struct Past {
  std::set<std::string> settled;          // digests
  std::map<std::string, int> beginnings;  // by digest
};

Result<Past> ReadPast(const std::filesystem::path& folder) {
  auto news = WARPCHECK_TRY(NewsReader(folder).Read());
  Past past;
  for (const TaskNews& one : news) {
    if (one.what == What::kBegan) ++past.beginnings[one.digest];
    if (one.what == What::kGrade || one.what == What::kDied) past.settled.insert(one.digest);
  }
  return past;
}

class SlurmTask {
 public:
  SlurmTask(CheckedFile news, const SlurmTaskTools& tools)
      : news_(std::move(news)), tools_(tools) {}

  Result<SlurmTaskEnd> Run(const Chunk& chunk, const Past& past) {
    auto executor = tools_.executor(chunk.identity);
    if (!executor) return TellFault(executor.error());
    for (const Job& job : chunk.jobs) {
      if (past.settled.contains(job.digest)) continue;
      const auto begun = past.beginnings.find(job.digest);
      if (begun != past.beginnings.end() && begun->second >= kMaxBeginnings) {
        WARPCHECK_TRY(
            Append(news_, {.what = What::kDied,
                           .digest = job.digest,
                           .text = fmt::format("Slurm ended its task {} times while it was graded",
                                               begun->second)}));
        continue;
      }
      auto end = GradeOne(**executor, job);
      if (!end || *end != SlurmTaskEnd::kDone) return end;
    }
    WARPCHECK_TRY(Append(news_, TaskNews{}));
    return SlurmTaskEnd::kDone;
  }

 private:
  Result<SlurmTaskEnd> TellFault(const Error& fault) {
    WARPCHECK_TRY(Append(news_, {.what = What::kFault, .fault = fault}));
    return SlurmTaskEnd::kFault;
  }

  Result<SlurmTaskEnd> GradeOne(Executor& executor, const Job& job) {
    TaskNews news;
    news.digest = job.digest;
    for (bool begun = false;;) {
      if (tools_.stopped()) {
        executor.Stop();
        return SlurmTaskEnd::kStopped;
      }
      if (!begun) {
        news.what = What::kBegan;
        WARPCHECK_TRY(Append(news_, news));
        executor.Begin(job);
        begun = true;
      }
      for (Delivery& delivery : executor.Wait(kWait)) {
        if (std::holds_alternative<Returned>(delivery.what)) {
          begun = false;
          continue;
        }
        if (auto* const grade = std::get_if<Grade>(&delivery.what)) {
          news.what = What::kGrade;
          news.grade = ToJson(*grade);
        } else {
          // Slurm ends all processes of a task at once, and this one may be the last to know.
          if (IsStoppedWithin(tools_.mercy)) break;
          if (auto* const fault = std::get_if<MachineFault>(&delivery.what)) {
            return TellFault(fault->error);
          }
          news.what = What::kDied;
          const auto* const held_up = std::get_if<HeldUp>(&delivery.what);
          news.text = held_up != nullptr ? held_up->how : std::get<Died>(delivery.what).how;
        }
        WARPCHECK_TRY(Append(news_, news));
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

  CheckedFile news_;
  const SlurmTaskTools& tools_;
};

}  // namespace

Result<SlurmTaskEnd> RunSlurmTask(const std::filesystem::path& array, std::size_t task,
                                  const SlurmTaskTools& tools) {
  const auto chunk = WARPCHECK_TRY(ReadChunk(ChunkPath(array, task)));
  const std::filesystem::path folder = NewsFolder(array, task);
  const auto past = WARPCHECK_TRY(ReadPast(folder));
  auto news = WARPCHECK_TRY(BeginNews(folder));
  return SlurmTask(std::move(news), tools).Run(chunk, past);
}

}  // namespace warpcheck::batch
