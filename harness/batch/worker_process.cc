#include "batch/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/signals.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxLine = std::size_t{128} << 20;
constexpr std::size_t kMaxLastWords = 2000;

constexpr int kPatienceMilliseconds = 2000;  // with one that closes its answers and does not end

// Leaves it to be waited for, so that its process group cannot become another's yet.
bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

struct Pipe {
  sandbox::Descriptor source;
  sandbox::Descriptor sink;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return Pipe{sandbox::Descriptor(ends[0]), sandbox::Descriptor(ends[1])};
}

// What the child needs, made before the fork: after it, memory must not be allocated.
struct Image {
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;

  explicit Image(const WorkerCommand& command) : program(command.program.string()) {
    arguments.push_back(program);
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    for (char** variable = environ; *variable != nullptr; ++variable) {
      if (!std::string_view(*variable).starts_with("TMPDIR=")) environment.emplace_back(*variable);
    }
    environment.push_back("TMPDIR=" + command.scratch.string());
    for (std::string& text : arguments) argv.push_back(text.data());
    for (std::string& text : environment) envp.push_back(text.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }
};

[[noreturn]] void Become(const Image& image, int orders, int answers, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // which died before the line above
  ::dup2(orders, STDIN_FILENO);
  ::dup2(answers, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(image.program.c_str(), image.argv.data(), image.envp.data());
  ::_exit(127);
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(const WorkerCommand& command) {
  if (::access(command.program.c_str(), X_OK) != 0) {
    return Fail(fmt::format("cannot run {}: {}", command.program.string(), std::strerror(errno)));
  }
  auto orders = MakePipe();
  if (!orders) return Fail(orders.error());
  auto answers = MakePipe();
  if (!answers) return Fail(answers.error());
  const std::filesystem::path log_path = command.scratch / "log";
  const sandbox::Descriptor log(
      ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  if (log.get() < 0) {
    return Fail(fmt::format("cannot write {}: {}", log_path.string(), std::strerror(errno)));
  }
  const Image image(command);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return Fail(fmt::format("cannot start a worker: {}", std::strerror(errno)));
  if (pid == 0) {
    Become(image, orders->source.get(), answers->sink.get(), log.get(), parent);
  }
  ::setpgid(pid, pid);  // also here: it may be killed before the child has done it
  ::fcntl(answers->source.get(), F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(pid, std::move(orders->sink), std::move(answers->source), log_path));
}

WorkerProcess::~WorkerProcess() { Kill(); }

void WorkerProcess::Kill() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  Ending();
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
  if (pid_ < 0) return {.how = "was ended"};
  for (int waited = 0; !HasEnded(pid_) && waited < kPatienceMilliseconds; ++waited) {
    ::usleep(1000);
  }
  ::kill(-pid_, SIGKILL);  // not waited for yet, so that its group is nobody else's
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  End end;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    end.how = fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
    end.by_others = SentByOthers(signal);
  } else {
    end.how = fmt::format("exited with status {}", WEXITSTATUS(status));
  }
  std::string words = ReadFile(log_).value_or("");
  if (words.size() > kMaxLastWords) words.erase(0, words.size() - kMaxLastWords);
  while (words.ends_with('\n')) words.pop_back();
  if (!words.empty()) end.how += ": " + words;
  return end;
}

}  // namespace warpcheck::batch
