#include "batch/work/local_executor.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/json/record.h"
#include "batch/work/worker_process.h"

namespace warpcheck::batch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The time between two checks of the memory and the time limits while no messages arrive.
constexpr milliseconds kLongestPoll{200};
// The time in which a new job takes its memory. Until then, that memory still counts as available.
constexpr std::chrono::seconds kRampUp{3};

// A WorkerSlot runs one job at a time, in a worker that is started when it is needed.
struct WorkerSlot {
  std::unique_ptr<WorkerProcess> worker;
  std::optional<Job> job;  // the job that it is grading
  Clock::time_point began;
  bool ready = false;              // true after the worker has said that it can grade
  bool wants_gpu = false;          // the worker waits for a GPU
  std::optional<std::size_t> gpu;  // the GPU that it has
};

class LocalExecutor : public Executor {
 public:
  explicit LocalExecutor(LocalExecutorSettings settings)
      : settings_(std::move(settings)),
        slots_(std::max<std::size_t>(settings_.jobs, 1)),
        gpu_taken_(settings_.gpus.size()) {
    ::signal(SIGPIPE, SIG_IGN);  // the executor notices the end of a worker by its pipe
  }

  std::size_t Room() override {
    const std::size_t running = Running();
    const auto starting = std::ranges::count_if(slots_, [](const WorkerSlot& slot) {
      return slot.job && Clock::now() - slot.began < kRampUp;
    });
    const bool fits = settings_.memory.MayBegin(settings_.available_memory(), running,
                                                static_cast<std::size_t>(starting));
    // Returns at most 1. The memory that the job takes is counted when Room is called again.
    return running < slots_.size() && fits ? 1 : 0;
  }

  void Begin(Job job) override {
    WorkerSlot* const slot = FreeSlot();
    if (!slot->worker) {
      if (auto started = StartWorker(*slot); !started) {
        pending_.push_back({job.id, MachineFault{started.error()}});
        return;
      }
    }
    slot->worker->Send(ToJson(job));
    slot->job = std::move(job);
    slot->began = Clock::now();
  }

  std::vector<Delivery> Wait(milliseconds limit) override {
    std::vector<Delivery> deliveries = std::move(pending_);
    pending_.clear();
    const Clock::time_point deadline = Clock::now() + limit;
    while (deliveries.empty()) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      const auto ready = Poll(std::clamp(left, milliseconds{0}, kLongestPoll));
      for (WorkerSlot* const slot : ready) ReceiveFrom(*slot, deliveries);
      EndOverdue(deliveries);
      PreemptNewest(deliveries);
      AssignGpus();
      if (left <= milliseconds{0}) break;
    }
    return deliveries;
  }

  void Stop() override {
    for (WorkerSlot& slot : slots_) Release(slot);
    pending_.clear();
  }

 private:
  std::size_t Running() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](const WorkerSlot& slot) { return slot.job.has_value(); }));
  }

  // Returns a free slot, preferably one with a running worker.
  WorkerSlot* FreeSlot() {
    WorkerSlot* found = nullptr;
    for (WorkerSlot& slot : slots_) {
      if (!slot.job && (found == nullptr || (slot.worker && !found->worker))) found = &slot;
    }
    return found;
  }

  Result<> StartWorker(WorkerSlot& slot) {
    WorkerCommand command{
        .program = settings_.worker,
        .arguments = settings_.worker_arguments,
        .scratch = settings_.scratch / fmt::format("worker-{}", &slot - slots_.data())};
    std::error_code error;
    std::filesystem::remove_all(command.scratch, error);  // a worker that died has left it
    std::filesystem::create_directories(command.scratch, error);
    if (error) {
      return Fail(fmt::format("cannot make {}: {}", command.scratch.string(), error.message()));
    }
    slot.worker = WARPCHECK_TRY(WorkerProcess::Start(command));
    slot.ready = false;
    slot.worker->Send(ToJson(settings_.identity));
    return {};
  }

  std::vector<WorkerSlot*> Poll(milliseconds limit) {
    std::vector<struct pollfd> descriptors;
    std::vector<WorkerSlot*> watched;
    for (WorkerSlot& slot : slots_) {
      if (!slot.worker) continue;
      descriptors.push_back({.fd = slot.worker->answers(), .events = POLLIN, .revents = 0});
      watched.push_back(&slot);
    }
    std::vector<WorkerSlot*> ready;
    if (::poll(descriptors.data(), descriptors.size(), static_cast<int>(limit.count())) <= 0) {
      return ready;
    }
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (descriptors[i].revents != 0) ready.push_back(watched[i]);
    }
    return ready;
  }

  void ReceiveFrom(WorkerSlot& slot, std::vector<Delivery>& deliveries) {
    WorkerProcess::Received received = slot.worker->Receive();
    for (WorkerMessage& message : received.messages) Take(slot, std::move(message), deliveries);
    if (!received.ended) return;
    const std::string how = "the grader " + received.ended->how;
    if (slot.job && received.ended->by_others) {
      deliveries.push_back({slot.job->id, HeldUp{how}});
    } else if (slot.job && slot.ready) {
      deliveries.push_back({slot.job->id, Died{how}});
    } else if (slot.job) {
      deliveries.push_back({slot.job->id, MachineFault{{.message = how + ", before it began"}}});
    }
    Release(slot);
  }

  void Take(WorkerSlot& slot, WorkerMessage message, std::vector<Delivery>& deliveries) {
    using Kind = WorkerMessage::Kind;
    if (message.what == Kind::kReady) {
      slot.ready = true;
      return;
    }
    if (message.what == Kind::kWantsGpu) {
      slot.wants_gpu = true;
      return;
    }
    if (message.what == Kind::kFault) {
      deliveries.push_back({slot.job ? slot.job->id : "", MachineFault{std::move(message.fault)}});
    } else if (!slot.job) {
      return;
    } else if (message.what == Kind::kHeldUp) {
      deliveries.push_back({slot.job->id, HeldUp{std::move(message.fault.message)}});
    } else {
      deliveries.push_back({slot.job->id, DeliveryOf(message.grade)});
    }
    slot.job.reset();
    ReturnGpu(slot);
  }

  // Kills workers that exceed the time limit of a job.
  void EndOverdue(std::vector<Delivery>& deliveries) {
    for (WorkerSlot& slot : slots_) {
      if (!slot.job || Clock::now() - slot.began < settings_.job_limit) continue;
      deliveries.push_back(
          {slot.job->id, HeldUp{fmt::format("the grader did not answer within {} s",
                                            settings_.job_limit.count())}});
      Release(slot);
    }
  }

  // Preempts the job that began last if the machine runs out of memory.
  void PreemptNewest(std::vector<Delivery>& deliveries) {
    if (!settings_.memory.MustPreempt(settings_.available_memory(), Running())) return;
    WorkerSlot* newest = nullptr;
    for (WorkerSlot& slot : slots_) {
      if (slot.job && (newest == nullptr || slot.began > newest->began)) newest = &slot;
    }
    deliveries.push_back({newest->job->id, Preempted{}});
    Release(*newest);
  }

  void AssignGpus() {
    for (WorkerSlot& slot : slots_) {
      const auto free = std::ranges::find(gpu_taken_, false);
      if (!slot.wants_gpu || free == gpu_taken_.end()) continue;
      const auto gpu = static_cast<std::size_t>(free - gpu_taken_.begin());
      *free = true;
      slot.gpu = gpu;
      slot.wants_gpu = false;
      slot.worker->Send({{"gpu", settings_.gpus[gpu]}});
    }
  }

  void ReturnGpu(WorkerSlot& slot) {
    if (slot.gpu) gpu_taken_[*slot.gpu] = false;
    slot.gpu.reset();
    slot.wants_gpu = false;
  }

  // Kills the slot's worker and forgets its job.
  void Release(WorkerSlot& slot) {
    ReturnGpu(slot);
    slot.worker.reset();
    slot.job.reset();
  }

  LocalExecutorSettings settings_;
  std::vector<WorkerSlot> slots_;
  std::vector<bool> gpu_taken_;
  std::vector<Delivery> pending_;  // the next Wait returns these
};

}  // namespace

std::unique_ptr<Executor> MakeLocalExecutor(LocalExecutorSettings settings) {
  return std::make_unique<LocalExecutor>(std::move(settings));
}

}  // namespace warpcheck::batch
