// Monitor watches a started process in a thread of its own: it collects its output, passes
// questions to its supervisor, and decides how it ended.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "sandbox/launch.h"
#include "sandbox/sandbox.h"
#include "sandbox/supervisor/supervisor_protocol.h"

namespace warpcheck::sandbox {

class Monitor final : public Process {
 public:
  static Result<std::unique_ptr<Process>> Start(LaunchPlan plan);
  Monitor(LaunchPlan plan, Descriptor wake);
  ~Monitor() override;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  const Ending& Wait() override;
  bool EndsWithin(std::chrono::milliseconds time) override;
  std::optional<Activity> Look() override;
  const Ending& End(Cause cause) override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kStarting, kRunning, kFailed, kEnded };
  // These are requests of other threads to the watching thread. `wake_` wakes that thread.
  struct Requests {
    std::optional<Cause> end;
    bool look = false;
  };

  // Runs on the watching thread. This thread also starts the process, because a process that dies
  // with its parent dies with the thread that started it.
  void Live();
  void Watch(Launched& process);
  void TakeWishes(int control);
  void Reap(Launched& process);
  void TakeOutput(int fd, std::string& text);
  void TakeReport(const SupervisorReport& report);
  void TakeActivity(const SupervisorReport& report);
  bool TakeReports(int control);
  void Decide(int launcher_status);
  void DecideBySignal(int signal);
  bool Over() const { return state_ == State::kFailed || state_ == State::kEnded; }
  void Enter(State state);
  void EndFor(Cause cause);

  LaunchPlan plan_;
  Descriptor wake_;  // an eventfd
  Clock::time_point start_;
  std::optional<Cause> cause_;             // the first cause that was seen
  std::optional<SupervisorReport> ended_;  // the supervisor's report of the program's end
  bool started_ = false;
  bool output_over_ = false;
  Ending ending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kStarting;
  Requests requests_;
  std::int32_t asked_ = 0;            // the number of questions that were sent to the supervisor
  std::optional<Activity> activity_;  // the supervisor's answer to the last question
  Error failure_;
  std::thread thread_;
};

}  // namespace warpcheck::sandbox
