// A started process and the thread that watches it: collects its output, passes questions on to its
// supervisor, and decides how it ended.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "sandbox/launch.h"
#include "sandbox/sandbox.h"
#include "sandbox/supervisor_protocol.h"

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
  // What others ask of the watching thread, which `wake_` wakes.
  struct Wishes {
    std::optional<Cause> end;
    bool look = false;
  };

  // All on the watching thread, which starts the process too: a process that dies with its parent
  // dies with the thread that started it.
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
  std::optional<Cause> cause_;             // the first that was seen
  std::optional<SupervisorReport> ended_;  // the program's own end
  bool started_ = false;
  bool output_over_ = false;
  Ending ending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kStarting;
  Wishes wishes_;
  std::int32_t asked_ = 0;            // how many questions were put to the supervisor
  std::optional<Activity> activity_;  // its answer to the last one
  Error failure_;
  std::thread thread_;
};

}  // namespace warpcheck::sandbox
