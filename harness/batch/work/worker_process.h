// WorkerProcess is a worker (batch/work/worker.h), as seen by the batch that started it.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/text/lines.h"
#include "batch/work/worker_message.h"
#include "process/child_process.h"

namespace warpcheck::batch {

struct WorkerCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // the arguments, without the program's name
  // An existing folder, which becomes its TMPDIR and also contains its log.
  std::filesystem::path scratch;
};

// The destructor kills the worker and all processes that the worker has started.
class WorkerProcess {
 public:
  static Result<std::unique_ptr<WorkerProcess>> Start(const WorkerCommand& command);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Returns a descriptor that becomes readable when the worker has sent a message or ended.
  int answers() const { return answers_.get(); }

  // Sends the worker the identity, a job, or its GPU. A worker that has ended receives nothing;
  // Receive then reports its end.
  void Send(const nlohmann::json& order);

  struct End {
    std::string how;         // such as "was killed by signal 9 (killed)", and the end of its log
    bool by_others = false;  // true if another process sent that signal
  };
  struct Received {
    std::vector<WorkerMessage> messages;
    std::optional<End> ended;
  };
  // Returns the messages that have arrived, without waiting.
  Received Receive();

  // Kills the worker and all processes that it has started.
  void Kill();

 private:
  WorkerProcess(std::unique_ptr<ChildProcess> child, Descriptor orders, Descriptor answers,
                std::filesystem::path log)
      : child_(std::move(child)),
        orders_(std::move(orders)),
        answers_(std::move(answers)),
        log_(std::move(log)) {}
  End AwaitEnd();

  std::unique_ptr<ChildProcess> child_;
  bool killed_ = false;  // true after Kill()
  Descriptor orders_;
  Descriptor answers_;
  std::filesystem::path log_;
  Lines lines_;
};

}  // namespace warpcheck::batch
