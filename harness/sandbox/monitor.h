// A started process and the thread that watches it: collects its output, keeps its wall time, and
// decides how it ended.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "sandbox/launch.h"
#include "sandbox/sandbox.h"
#include "sandbox/warden_protocol.h"

namespace warpcheck::sandbox {

class Monitor final : public Process {
 public:
  static Result<std::unique_ptr<Process>> Start(LaunchPlan plan);
  explicit Monitor(LaunchPlan plan);
  ~Monitor() override;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  const Ending& Wait() override;
  const Ending& Stop() override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kStarting, kRunning, kFailed, kEnded };

  // All on the watching thread, which starts the process too: a process that dies with its parent
  // dies with the thread that started it.
  void Live();
  void Watch(Launched& process);
  void Reap(Launched& process);
  void TakeOutput(int fd, std::string& text);
  void TakeReport(const WardenReport& report);
  bool TakeReports(int control);
  void Decide(int launcher_status);
  void Enter(State state);
  void Over(Cause cause);

  LaunchPlan plan_;
  Descriptor stop_;  // an eventfd
  Clock::time_point start_;
  std::optional<Cause> cause_;         // the first that was seen
  std::optional<WardenReport> ended_;  // the program's own end
  bool started_ = false;
  bool output_over_ = false;
  Ending ending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kStarting;
  Error failure_;
  std::thread thread_;
};

}  // namespace warpcheck::sandbox
