#include "batch/slurm/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "base/files.h"
#include "batch/slurm/array.h"
#include "batch/slurm/pace.h"
#include "batch/slurm/slurm.h"
#include "batch/slurm/task_files.h"
#include "batch/slurm/task_state.h"
#include "batch/work/worker_message.h"
#include "grading/grade.h"

namespace warpcheck::batch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxOpen = 1'000'000;
constexpr std::size_t kManyDeliveries =
    32;  // grades are large, so these are delivered before more are read
constexpr milliseconds kLookAgain{100};
constexpr int kMaxLosses = 2;  // how often something other than a submission may end its task
// An end counts only after it was seen so often, because a state may change.
constexpr int kLooksToBelieve = 2;

struct Task {
  std::string array;
  std::size_t index = 0;
  EventReader events;
  std::set<std::string> open{};  // digests of submissions that it has not delivered yet
  std::string grading{};         // the digest of the submission that it is grading
  // The latest line of the queue; without a state if the queue does not list the task.
  QueueLine line{};
  int ended_looks = 0;        // how often in a row the task was seen to have ended
  Clock::time_point ended{};  // the time when its end was first seen
  // The task is of an earlier run; its end does not count as a grader's death.
  bool from_earlier = false;

  std::string Name() const {
    const std::string job = line.job.empty() ? array : line.job;
    return fmt::format("{}_{}", job, index) +
           (line.node.empty() ? "" : fmt::format(" on {}", line.node));
  }
  std::string State() const { return line.state.empty() ? "no longer known" : line.state; }
};

class SlurmExecutor : public Executor {
 public:
  explicit SlurmExecutor(SlurmExecutorSettings settings)
      : settings_(std::move(settings)),
        event_pace_(settings_.event_pace),
        queue_pace_(settings_.queue_pace) {}

  std::size_t Room() override { return kMaxOpen - std::min(open_.size(), kMaxOpen); }

  void Begin(Job job) override {
    if (!prepared_) {
      prepared_ = true;
      if (auto found = FindEarlier(); !found) Fault(found.error());
    }
    const std::string digest = job.digest;
    const auto earlier = earlier_.find(digest);
    if (earlier != earlier_.end()) {
      earlier->second->open.insert(digest);
      earlier_.erase(earlier);
    } else {
      waiting_.push_back(job);
    }
    open_.insert_or_assign(digest, std::move(job));
  }

  std::vector<Delivery> Wait(milliseconds limit) override {
    if (auto left = LeaveUnwanted(); !left) Fault(left.error());
    if (auto submitted = SubmitWaiting(); !submitted) Fault(submitted.error());
    const Clock::time_point deadline = Clock::now() + limit;
    for (;;) {
      Watch();
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      if (!deliveries_.empty() || left <= milliseconds{0}) break;
      std::this_thread::sleep_for(std::min(left, kLookAgain));
    }
    return std::exchange(deliveries_, {});
  }

  void Stop() override {
    std::set<std::string> arrays;
    for (const auto& task : tasks_) {
      if (!task->open.empty()) arrays.insert(task->array);
    }
    if (!arrays.empty()) {
      if (auto done = settings_.slurm->Cancel({arrays.begin(), arrays.end()}); !done) {
        settings_.notice(fmt::format("tasks may still be running: {}", done.error().Text()));
      }
    }
    tasks_.clear();
    open_.clear();
    waiting_.clear();
    earlier_.clear();
    deliveries_.clear();
    prepared_ = false;
  }

 private:
  // Finds the grades of earlier arrays, and their tasks that still run.
  Result<> FindEarlier() {
    const std::vector<std::string> arrays = FindArrays(settings_.folder);
    std::map<std::pair<std::string, std::size_t>, TaskPhase> phases;
    const auto lines = WARPCHECK_TRY(settings_.slurm->Look(arrays));
    EarlierTasks found = ReadEarlierTasks(settings_.folder, arrays, settings_.identity);
    for (const std::string& problem : found.unreadable) {
      settings_.notice(fmt::format("an earlier task cannot be read and is ignored: {}", problem));
    }
    for (const QueueLine& line : lines) {
      const bool lives = PhaseOf(line.state) != TaskPhase::kEnded && line.state != "COMPLETING";
      if (lives) living_arrays_.insert(line.array);
      if (lives && line.index) phases[{line.array, *line.index}] = PhaseOf(line.state);
    }
    for (EarlierTask& earlier : found.tasks) {
      const bool lives = phases.contains({earlier.array, earlier.index});
      Task& task = AddTask(earlier.array, earlier.index);
      task.from_earlier = true;
      for (const std::string& digest : earlier.digests) {
        if (earlier.graded.contains(digest)) {
          earlier_.insert_or_assign(digest, &task);
        } else if (lives && !earlier.died.contains(digest)) {
          earlier_.try_emplace(digest, &task);
        }
      }
    }
    return {};
  }

  // Cancels the earlier arrays that grade nothing for this batch, and drops their tasks.
  Result<> LeaveUnwanted() {
    earlier_.clear();
    std::erase_if(tasks_, [](const auto& task) { return task->open.empty(); });
    for (const auto& task : tasks_) living_arrays_.erase(task->array);
    const std::vector<std::string> unwanted(living_arrays_.begin(), living_arrays_.end());
    living_arrays_.clear();
    return unwanted.empty() ? Result<>() : settings_.slurm->Cancel(unwanted);
  }

  Result<> SubmitWaiting() {
    if (waiting_.empty() || faulted_) return {};
    auto chunks = ChunksOf(std::exchange(waiting_, {}), settings_.chunk, alone_);
    for (std::size_t begin = 0; begin < chunks.size(); begin += kMaxArrayTasks) {
      const std::size_t end = std::min(begin + kMaxArrayTasks, chunks.size());
      const auto at = [&](std::size_t i) {
        return chunks.begin() + static_cast<std::ptrdiff_t>(i);
      };
      WARPCHECK_TRY(Submit({at(begin), at(end)}));
    }
    return {};
  }

  Result<> Submit(const std::vector<std::vector<Job>>& chunks) {
    auto name = WARPCHECK_TRY(NewArrayName());
    SlurmArray array;
    array.name = name;
    array.folder = settings_.folder / name;
    array.script = ScriptPath(array.folder);
    array.tasks = chunks.size();
    array.at_once = settings_.at_once;
    array.gpu = settings_.identity.plan.device == "gpu";
    auto written = WriteArray(array.folder, settings_.identity, chunks, settings_.program);
    if (!written) return written;
    const auto job = WARPCHECK_TRY(settings_.slurm->Submit(array));
    for (std::size_t index = 0; index < chunks.size(); ++index) {
      Task& task = AddTask(name, index);
      task.line.job = job;
      task.line.state = "PENDING";
      for (const Job& one : chunks[index]) task.open.insert(one.digest);
    }
    return {};
  }

  Task& AddTask(const std::string& array, std::size_t index) {
    tasks_.push_back(std::make_unique<Task>(
        Task{.array = array,
             .index = index,
             .events = EventReader(EventFolder(settings_.folder / array, index))}));
    return *tasks_.back();
  }

  // Reads the queue and the tasks' events, each if it is due.
  void Watch() {
    const bool looked = queue_pace_.IsDue() && Look();
    if (!looked && !event_pace_.IsDue()) return;
    event_pace_.Began();
    for (const auto& task : tasks_) {
      if (faulted_ || deliveries_.size() >= kManyDeliveries)
        return;  // the next call reads the rest
      if (PhaseOf(task->line.state) == TaskPhase::kWaits && !task->from_earlier) continue;
      const bool read = Read(*task);
      // By now, everything has been read that the task wrote before its end.
      if (read && looked && task->ended_looks > 0) Finish(*task);
    }
    std::erase_if(tasks_, [](const auto& task) { return task->open.empty(); });
    event_pace_.Ended();
  }

  bool Look() {
    std::set<std::string> arrays;
    for (const auto& task : tasks_) arrays.insert(task->array);
    if (arrays.empty()) return false;
    queue_pace_.Began();
    const auto lines = settings_.slurm->Look({arrays.begin(), arrays.end()});
    queue_pace_.Ended();
    if (!lines) {
      HandleOutage(lines.error());
      return false;
    }
    outage_.reset();
    std::map<std::pair<std::string, std::size_t>, QueueLine> by_task;
    std::map<std::string, QueueLine> by_array;
    for (const QueueLine& line : *lines) {
      if (line.index) by_task[{line.array, *line.index}] = line;
      if (!line.index) by_array[line.array] = line;
    }
    for (const auto& task : tasks_) {
      const auto own = by_task.find({task->array, task->index});
      const auto common = by_array.find(task->array);
      Note(*task, own != by_task.end()       ? own->second
                  : common != by_array.end() ? common->second
                                             : QueueLine{});
    }
    return true;
  }

  void Note(Task& task, QueueLine line) {
    const bool known = !line.state.empty();
    if (line.job.empty()) line.job = task.line.job;
    if (line.node.empty() && PhaseOf(line.state) != TaskPhase::kWaits) line.node = task.line.node;
    task.line = std::move(line);
    if (known && PhaseOf(task.line.state) != TaskPhase::kEnded) {
      task.ended_looks = 0;
      if (PhaseOf(task.line.state) == TaskPhase::kWaits && WaitsForPerson(task.line.reason) &&
          reasons_.insert(task.line.reason).second) {
        settings_.notice(
            fmt::format("task {} waits in Slurm's queue: {}; `scontrol show job {}` "
                        "says more",
                        task.Name(), task.line.reason, task.line.job));
      }
    } else if (task.ended_looks++ == 0) {
      task.ended = Clock::now();
    }
  }

  // Tolerates a queue that gives no answer, for a limited time. Meanwhile tasks keep running and
  // write their events.
  void HandleOutage(const Error& why) {
    if (!outage_) {
      outage_ = Clock::now();
      settings_.notice(fmt::format("Slurm's queue does not answer; trying again: {}", why.message));
    }
    if (Clock::now() - *outage_ >= settings_.outage) Fault(why);
  }

  bool Read(Task& task) {
    auto events = task.events.Read();
    if (!events) {
      // Seen from another machine, a file that is still being written may look damaged.
      if (IsLate(task)) Fault(events.error());
      return false;
    }
    for (TaskEvent& one : *events) Take(task, std::move(one));
    return true;
  }

  void Take(Task& task, TaskEvent event) {
    using Kind = TaskEvent::Kind;
    if (event.what == Kind::kBegan) {
      task.grading = event.digest;
    } else if (event.what == Kind::kFault) {
      // A fault of an earlier run may be over, so its other submissions are begun again.
      if (task.from_earlier) return;
      event.fault.message = fmt::format("task {}: {}", task.Name(), event.fault.message);
      Fault(std::move(event.fault));
    } else if (event.what == Kind::kGrade || event.what == Kind::kDied) {
      if (task.grading == event.digest) task.grading.clear();
      if (task.open.erase(event.digest) == 0) return;
      if (event.what == Kind::kDied) return Deliver(event.digest, Died{std::move(event.text)});
      Deliver(event.digest, DeliveryOf(event.grade));
    }
  }

  void Deliver(const std::string& digest, decltype(Delivery::what) what) {
    const auto job = open_.extract(digest);
    if (job.empty()) return;
    if (std::holds_alternative<Died>(what)) alone_.insert(digest);
    deliveries_.push_back({job.mapped().id, std::move(what)});
  }

  bool IsLate(const Task& task) const {
    return task.ended_looks >= kLooksToBelieve &&
           Clock::now() - task.ended >= settings_.event_delay;
  }

  // Handles a task that has ended without delivering all of its submissions.
  void Finish(Task& task) {
    if (task.open.empty() || task.ended_looks < kLooksToBelieve) return;
    if (task.line.state == "COMPLETED" && !IsLate(task)) return;
    const bool may_blame = MayBlameTask(task.line.state) && !task.from_earlier;
    if (may_blame && task.line.state == "FAILED" && !task.open.contains(task.grading)) {
      return FaultOfTask(task);
    }
    for (const std::string& digest : std::exchange(task.open, {})) {
      if (may_blame && digest == task.grading) {
        Deliver(digest, Died{fmt::format("its task {} was ended: {}{}", task.Name(), task.State(),
                                         LogTail(task))});
      } else if (task.from_earlier || ++losses_[digest] < kMaxLosses) {
        Deliver(digest, Preempted{});
      } else {
        return FaultOfCluster(task);
      }
    }
  }

  void FaultOfCluster(const Task& task) {
    Fault({.message = fmt::format("task {} was ended ({}); this has happened before", task.Name(),
                                  task.State()),
           .hint = "find out what ends tasks there: a person, a node, or a limit of the cluster" +
                   LogTail(task)});
  }

  // Reports a task that failed while it was not grading a submission.
  void FaultOfTask(const Task& task) {
    const std::string words = LogTail(task);
    Error error;
    error.message = fmt::format("task {} was ended ({}) between submissions{}", task.Name(),
                                task.State(), words);
    if (words.empty()) {
      error.hint =
          fmt::format("it has printed nothing: do all nodes see {}?", settings_.folder.string());
    }
    Fault(std::move(error));
  }

  std::string LogTail(const Task& task) const {
    return batch::LogTail(LogPath(settings_.folder / task.array, task.index));
  }

  void Fault(Error error) {
    faulted_ = true;
    deliveries_.push_back({"", MachineFault{std::move(error)}});
  }

  SlurmExecutorSettings settings_;
  bool prepared_ = false;
  bool faulted_ = false;
  std::map<std::string, Job> open_;  // jobs that were begun and not delivered, by digest
  std::deque<Job> waiting_;          // the jobs in open_ that are not submitted to Slurm yet
  std::vector<std::unique_ptr<Task>> tasks_;
  std::map<std::string, Task*> earlier_;  // tasks of earlier runs by digest, until the first Wait
  std::set<std::string> living_arrays_;   // arrays of earlier runs, until the first Wait
  std::set<std::string> alone_;           // digests whose graders have died; each gets its own task
  // The number of its tasks that something else ended, by digest.
  std::map<std::string, int> losses_;
  std::set<std::string> reasons_;  // reasons that a notice has told already
  std::optional<Clock::time_point> outage_;
  Pace event_pace_;
  Pace queue_pace_;
  std::vector<Delivery> deliveries_;
};

}  // namespace

std::unique_ptr<Executor> MakeSlurmExecutor(SlurmExecutorSettings settings) {
  return std::make_unique<SlurmExecutor>(std::move(settings));
}

}  // namespace warpcheck::batch
