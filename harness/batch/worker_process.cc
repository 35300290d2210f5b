#include "batch/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/files.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxLine = std::size_t{128} << 20;
constexpr std::size_t kMaxLastWords = 2000;

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
  const std::string line = LineOf(order);
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t written = ::write(orders_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // EPIPE: it has ended
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
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
    std::string_view rest(buffer, static_cast<std::size_t>(got));
    for (std::size_t end; (end = rest.find('\n')) != std::string_view::npos;) {
      line_ += rest.substr(0, end);
      rest.remove_prefix(end + 1);
      try {
        heard.said.push_back(WorkerSaysFrom(nlohmann::json::parse(line_)));
      } catch (const std::exception& exception) {
        Kill();
        heard.ended = End{.how = fmt::format("said what cannot be read: {}", exception.what())};
        return heard;
      }
      line_.clear();
    }
    line_ += rest;
    if (line_.size() > kMaxLine) {
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
  End end{.how = ended.Text(), .by_others = ended.KilledByOthers()};
  std::string words = ReadFile(log_).value_or("");
  if (words.size() > kMaxLastWords) words.erase(0, words.size() - kMaxLastWords);
  while (words.ends_with('\n')) words.pop_back();
  if (!words.empty()) end.how += ": " + words;
  return end;
}

}  // namespace warpcheck::batch
