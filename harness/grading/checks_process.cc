#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>
#include <boost/process/pipe.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "grading/checks_program.h"
#include "grading/results_tail.h"

namespace warpcheck {
namespace {

namespace process = boost::process;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxRunOutput = std::size_t{16} << 10;
constexpr std::size_t kMaxListOutput = std::size_t{16} << 20;
constexpr std::chrono::milliseconds kPollInterval{50};

// In the child: it does not outlive the front end, however that ends.
struct DieWithParent : process::extend::handler {
  template <class Executor>
  void on_exec_setup(Executor&) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
};

struct Ended {
  bool timed_out = false;
  bool signaled = false;
  int code = 0;        // exit status or signal
  std::string output;  // its last `max_output` bytes

  std::string Text(std::chrono::seconds limit) const {
    if (timed_out) return fmt::format("stopped after {} s", limit.count());
    if (signaled) return fmt::format("killed by signal {} ({})", code, ::strsignal(code));
    return fmt::format("exited with status {}", code);
  }
};

// Runs a program to its end and calls `idle` every now and then.
Result<Ended> RunToEnd(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments, std::chrono::seconds limit,
                       std::size_t max_output, const std::function<void()>& idle) try {
  process::pipe pipe;
  process::group group;
  process::child child(process::exe = program.string(), process::args = arguments,
                       process::std_in<process::null, (process::std_out & process::std_err)> pipe,
                       group, DieWithParent());
  ::close(pipe.native_sink());  // so that reading ends when the child does
  pipe.assign_sink(-1);
  Ended ended;
  const auto deadline = Clock::now() + limit;
  for (;;) {
    if (Clock::now() >= deadline) {
      ended.timed_out = true;
      group.terminate();
      break;
    }
    struct pollfd ready = {.fd = pipe.native_source(), .events = POLLIN, .revents = 0};
    const int count = ::poll(&ready, 1, static_cast<int>(kPollInterval.count()));
    idle();
    if (count <= 0) continue;
    char buffer[4096];
    const ssize_t got = ::read(ready.fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // its end is closed: it is done
    ended.output.append(buffer, static_cast<std::size_t>(got));
    if (ended.output.size() > max_output) {
      ended.output.erase(0, ended.output.size() - max_output);
    }
  }
  child.wait();
  const int status = child.native_exit_code();
  ended.signaled = WIFSIGNALED(status);
  ended.code = ended.signaled ? WTERMSIG(status) : WEXITSTATUS(status);
  return ended;
} catch (const std::system_error& error) {
  return Fail(fmt::format("cannot run {}: {}", program.string(), error.code().message()));
}

class ChecksProcess : public ChecksProgram {
 public:
  ChecksProcess(std::filesystem::path scratch, std::chrono::seconds wall_limit)
      : scratch_(std::move(scratch)), wall_limit_(wall_limit) {}

  Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) override {
    const std::filesystem::path results = scratch_ / fmt::format("results-{}.jsonl", ++runs_);
    ResultsTail tail(results);
    const auto ended = RunToEnd(command.program, command.Arguments(results), wall_limit_,
                                kMaxRunOutput, [&] { tail.Poll(progress); });
    if (!ended) return Fail(ended.error());
    tail.Poll(progress);
    ChecksRun run;
    run.finished = !ended->timed_out && !ended->signaled && (ended->code == 0 || ended->code == 1);
    run.ending = ended->Text(wall_limit_);
    run.output = ended->output;
    if (!std::filesystem::exists(results)) {
      if (!run.finished) return run;
      return Fail(fmt::format("{} wrote no results: {}\n{}", command.program.filename().string(),
                              run.ending, run.output));
    }
    Result<ChecksReport> report = ReadResults(results);
    if (!report) return Fail(report.error());
    run.report = *std::move(report);
    return run;
  }

  Result<std::vector<std::string>> List(const ChecksCommand& command) override {
    std::vector<std::string> arguments = command.Arguments(scratch_ / "list.jsonl");
    arguments.emplace_back("--gtest_list_tests");
    const auto ended = RunToEnd(command.program, arguments, wall_limit_, kMaxListOutput, [] {});
    if (!ended) return Fail(ended.error());
    if (ended->timed_out || ended->signaled || ended->code != 0) {
      return Fail(fmt::format("{} cannot list its tests: {}", command.program.filename().string(),
                              ended->Text(wall_limit_)));
    }
    return ParseTestList(ended->output);
  }

 private:
  std::filesystem::path scratch_;
  std::chrono::seconds wall_limit_;
  int runs_ = 0;
};

}  // namespace

std::unique_ptr<ChecksProgram> MakeChecksProcess(std::filesystem::path scratch,
                                                 std::chrono::seconds wall_limit) {
  return std::make_unique<ChecksProcess>(std::move(scratch), wall_limit);
}

}  // namespace warpcheck
