#include "batch/work/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/files.h"
#include "base/json/record.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxLine = std::size_t{128} << 20;

// The time within which a worker must end after it has closed its messages.
constexpr std::chrono::seconds kEndLimit{2};

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

void WorkerProcess::Send(const nlohmann::json& order) {
  // A failure to send means that the worker has ended, which Receive reports.
  (void)WriteAll(orders_.get(), JsonText(order) + "\n");
}

WorkerProcess::Received WorkerProcess::Receive() {
  Received received;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(answers_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return received;
    if (got <= 0) {
      received.ended = AwaitEnd();
      return received;
    }
    try {
      lines_.Add({buffer, static_cast<std::size_t>(got)}, [&](std::string_view line) {
        received.messages.push_back(FromJson<WorkerMessage>(ParseJson(line)));
      });
    } catch (const std::exception& exception) {
      Kill();
      received.ended =
          End{.how = fmt::format("sent a message that cannot be read: {}", exception.what())};
      return received;
    }
    if (lines_.begun().size() > kMaxLine) {
      Kill();
      received.ended = End{.how = fmt::format("sent a message of more than {} bytes", kMaxLine)};
      return received;
    }
  }
}

// The worker has closed its messages, so it has ended or is ending. Processes that it has left are
// killed.
WorkerProcess::End WorkerProcess::AwaitEnd() {
  if (killed_) return {.how = "was stopped"};
  child_->AwaitEnd(kEndLimit);
  const ChildEnd ended = child_->Kill();
  return {.how = ended.Text() + LogTail(log_), .by_others = ended.KilledByOthers()};
}

}  // namespace warpcheck::batch
