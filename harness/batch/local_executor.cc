#include "batch/local_executor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/json_record.h"
#include "grading/grade.h"

namespace warpcheck::batch {

namespace {

constexpr std::size_t kMaxLine = std::size_t{128} << 20;

constexpr std::chrono::seconds kEndPatience{
    2};  // with one that closes its answers and does not end

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(const WorkerCommand& command) {
  auto orders = MakePipe();
  auto answers = orders ? MakePipe() : std::nullopt;
  if (!answers) return Fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const std::filesystem::path log_path = command.scratch / "log";
  const Descriptor log(
      ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  if (log.get() < 0) {
    return Fail(fmt::format("cannot write {}: {}", log_path.string(), std::strerror(errno)));
  }
  auto child = ChildProcess::Start({.program = command.program,
                                    .arguments = command.arguments,
                                    .environment = {"TMPDIR=" + command.scratch.string()},
                                    .input = orders->source.get(),
                                    .output = answers->sink.get(),
                                    .errors = log.get()});
  if (!child) return Fail(child.error());
  ::fcntl(answers->source.get(), F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(
      *std::move(child), std::move(orders->sink), std::move(answers->source), log_path));
}

void WorkerProcess::Kill() {
  killed_ = true;
  child_->Kill();
}

void WorkerProcess::Tell(const nlohmann::json& order) {
  // Where it does not take them, it has ended.
  (void)WriteAll(orders_.get(), JsonText(order) + "\n");
}

WorkerProcess::Heard WorkerProcess::Hear() {
  Heard heard;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(answers_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return heard;
    if (got <= 0) {
      heard.ended = Ending();
      return heard;
    }
    try {
      lines_.Add({buffer, static_cast<std::size_t>(got)}, [&](std::string_view line) {
        heard.said.push_back(FromJson<WorkerSays>(nlohmann::json::parse(line)));
      });
    } catch (const std::exception& exception) {
      Kill();
      heard.ended = End{.how = fmt::format("said what cannot be read: {}", exception.what())};
      return heard;
    }
    if (lines_.begun().size() > kMaxLine) {
      Kill();
      heard.ended = End{.how = fmt::format("gave an answer of more than {} bytes", kMaxLine)};
      return heard;
    }
  }
}

// Its answers are closed, so that it is ending or has ended; what it leaves running ends here.
WorkerProcess::End WorkerProcess::Ending() {
  if (killed_) return {.how = "was ended"};
  child_->AwaitEnd(kEndPatience);
  const ChildEnd ended = child_->Kill();
  return {.how = ended.Text() + LastWords(log_), .by_others = ended.KilledByOthers()};
}

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often memory and time limits are looked at while nothing happens.
constexpr milliseconds kLongestPoll{200};
constexpr std::chrono::seconds kYouth{3};

struct Seat {
  std::unique_ptr<WorkerProcess> worker;
  std::optional<Job> job;  // that it is at
  Clock::time_point began;
  bool ready = false;              // it has once been able to grade
  bool wants_gpu = false;          // and waits for one
  std::optional<std::size_t> gpu;  // that it has
};

class LocalExecutor : public Executor {
 public:
  explicit LocalExecutor(LocalExecutorSettings settings)
      : settings_(std::move(settings)),
        seats_(std::max<std::size_t>(settings_.jobs, 1)),
        gpu_taken_(settings_.gpus.size()) {
    ::signal(SIGPIPE, SIG_IGN);  // a worker that has ended is noticed by its silence
  }

  std::size_t Room() override {
    const std::size_t running = Running();
    const auto young = std::ranges::count_if(
        seats_, [](const Seat& seat) { return seat.job && Clock::now() - seat.began < kYouth; });
    const bool fits = settings_.memory.MayBegin(settings_.available_memory(), running,
                                                static_cast<std::size_t>(young));
    // One at a time: the next question sees what this one took.
    return running < seats_.size() && fits ? 1 : 0;
  }

  void Begin(Job job) override {
    Seat* const seat = FreeSeat();
    if (!seat->worker) {
      if (auto started = StartWorker(*seat); !started) {
        pending_.push_back({job.id, MachineFault{started.error()}});
        return;
      }
    }
    seat->worker->Tell(ToJson(job));
    seat->job = std::move(job);
    seat->began = Clock::now();
  }

  std::vector<Delivery> Wait(milliseconds limit) override {
    std::vector<Delivery> deliveries = std::move(pending_);
    pending_.clear();
    const Clock::time_point deadline = Clock::now() + limit;
    while (deliveries.empty()) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      const auto ready = Poll(std::clamp(left, milliseconds{0}, kLongestPoll));
      for (Seat* const seat : ready) Listen(*seat, deliveries);
      EndLate(deliveries);
      PutOffYoungest(deliveries);
      HandOutGpus();
      if (left <= milliseconds{0}) break;
    }
    return deliveries;
  }

  void Stop() override {
    for (Seat& seat : seats_) Leave(seat);
    pending_.clear();
  }

 private:
  std::size_t Running() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(seats_, [](const Seat& seat) { return seat.job.has_value(); }));
  }

  // One with a worker before one without.
  Seat* FreeSeat() {
    Seat* found = nullptr;
    for (Seat& seat : seats_) {
      if (!seat.job && (found == nullptr || (seat.worker && !found->worker))) found = &seat;
    }
    return found;
  }

  Result<> StartWorker(Seat& seat) {
    WorkerCommand command{
        .program = settings_.worker,
        .arguments = settings_.worker_arguments,
        .scratch = settings_.scratch / fmt::format("worker-{}", &seat - seats_.data())};
    std::error_code error;
    std::filesystem::remove_all(command.scratch, error);  // of one that died
    std::filesystem::create_directories(command.scratch, error);
    if (error) {
      return Fail(fmt::format("cannot make {}: {}", command.scratch.string(), error.message()));
    }
    seat.worker = WARPCHECK_TRY(WorkerProcess::Start(command));
    seat.ready = false;
    seat.worker->Tell(ToJson(settings_.identity));
    return {};
  }

  std::vector<Seat*> Poll(milliseconds limit) {
    std::vector<struct pollfd> descriptors;
    std::vector<Seat*> watched;
    for (Seat& seat : seats_) {
      if (!seat.worker) continue;
      descriptors.push_back({.fd = seat.worker->answers(), .events = POLLIN, .revents = 0});
      watched.push_back(&seat);
    }
    std::vector<Seat*> ready;
    if (::poll(descriptors.data(), descriptors.size(), static_cast<int>(limit.count())) <= 0) {
      return ready;
    }
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (descriptors[i].revents != 0) ready.push_back(watched[i]);
    }
    return ready;
  }

  void Listen(Seat& seat, std::vector<Delivery>& deliveries) {
    WorkerProcess::Heard heard = seat.worker->Hear();
    for (WorkerSays& says : heard.said) Take(seat, std::move(says), deliveries);
    if (!heard.ended) return;
    const std::string how = "the grader " + heard.ended->how;
    if (seat.job && heard.ended->by_others) {
      deliveries.push_back({seat.job->id, HeldUp{how}});
    } else if (seat.job && seat.ready) {
      deliveries.push_back({seat.job->id, Died{how}});
    } else if (seat.job) {
      deliveries.push_back({seat.job->id, MachineFault{{.message = how + ", before it began"}}});
    }
    Leave(seat);
  }

  void Take(Seat& seat, WorkerSays says, std::vector<Delivery>& deliveries) {
    using What = WorkerSays::What;
    if (says.what == What::kReady) {
      seat.ready = true;
      return;
    }
    if (says.what == What::kWantsGpu) {
      seat.wants_gpu = true;
      return;
    }
    if (says.what == What::kFault) {
      deliveries.push_back({seat.job ? seat.job->id : "", MachineFault{std::move(says.fault)}});
    } else if (!seat.job) {
      return;
    } else if (says.what == What::kHeldUp) {
      deliveries.push_back({seat.job->id, HeldUp{std::move(says.fault.message)}});
    } else {
      deliveries.push_back({seat.job->id, Delivered(says.grade)});
    }
    seat.job.reset();
    ReturnGpu(seat);
  }

  void EndLate(std::vector<Delivery>& deliveries) {
    for (Seat& seat : seats_) {
      if (!seat.job || Clock::now() - seat.began < settings_.job_limit) continue;
      deliveries.push_back(
          {seat.job->id, HeldUp{fmt::format("the grader did not answer within {} s",
                                            settings_.job_limit.count())}});
      Leave(seat);
    }
  }

  void PutOffYoungest(std::vector<Delivery>& deliveries) {
    if (!settings_.memory.MustPutOff(settings_.available_memory(), Running())) return;
    Seat* youngest = nullptr;
    for (Seat& seat : seats_) {
      if (seat.job && (youngest == nullptr || seat.began > youngest->began)) youngest = &seat;
    }
    deliveries.push_back({youngest->job->id, Returned{}});
    Leave(*youngest);
  }

  void HandOutGpus() {
    for (Seat& seat : seats_) {
      const auto free = std::ranges::find(gpu_taken_, false);
      if (!seat.wants_gpu || free == gpu_taken_.end()) continue;
      const auto gpu = static_cast<std::size_t>(free - gpu_taken_.begin());
      *free = true;
      seat.gpu = gpu;
      seat.wants_gpu = false;
      seat.worker->Tell({{"gpu", settings_.gpus[gpu]}});
    }
  }

  void ReturnGpu(Seat& seat) {
    if (seat.gpu) gpu_taken_[*seat.gpu] = false;
    seat.gpu.reset();
    seat.wants_gpu = false;
  }

  // Ends the seat's worker and forgets its job.
  void Leave(Seat& seat) {
    ReturnGpu(seat);
    seat.worker.reset();
    seat.job.reset();
  }

  LocalExecutorSettings settings_;
  std::vector<Seat> seats_;
  std::vector<bool> gpu_taken_;
  std::vector<Delivery> pending_;  // told by the next Wait
};

}  // namespace

std::unique_ptr<Executor> MakeLocalExecutor(LocalExecutorSettings settings) {
  return std::make_unique<LocalExecutor>(std::move(settings));
}

}  // namespace warpcheck::batch
