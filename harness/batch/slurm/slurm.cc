#include "batch/slurm/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <span>

#include "base/programs.h"
#include "base/text.h"
#include "process/run_program.h"

namespace warpcheck::batch {

namespace {

// Slurm's commands ask again for a while where its daemons do not answer.
constexpr std::chrono::minutes kCommandLimit{5};
constexpr std::size_t kMaxOutput = std::size_t{64} << 20;
constexpr std::size_t kMaxWords = 2000;

// What one grading may take: nvcc's limit (compile/builder.cc) and some for its worker.
constexpr std::string_view kMemory = "--mem=4608M";

// Name, job, index, state, node, reason.
constexpr std::string_view kColumns = "%j|%F|%K|%T|%N|%r";
constexpr std::size_t kColumnCount = 6;

std::string LastWords(std::string_view text) {
  text = Trimmed(text);
  return std::string(text.substr(text.size() - std::min(text.size(), kMaxWords)));
}

std::string HintFor(std::string_view words) {
  const auto says = [&](std::string_view part) { return words.find(part) != words.npos; };
  if (says("unge")) {
    return "munged has to run on this machine, with the cluster's key: systemctl status munge";
  }
  if (says("ontact slurm controller") || says("onnection refused") || says("slurm.conf") ||
      says("onnection timed out") || says("onfiguration source")) {
    return "the cluster's controller is not reached from here: `scontrol ping` tells more";
  }
  if (says("submission failed") || says("nvalid") || says("nrecognized option") ||
      says("sage: sbatch")) {
    return "the cluster refuses what is asked for: choose partition, account, memory or time with "
           "--slurm-options";
  }
  return "";
}

// The output of one that exits with 0.
Result<std::string> RunSlurm(std::string_view program, std::vector<std::string> arguments) {
  const auto path = OnPath(program);
  if (!path) {
    return Fail(fmt::format("{} is not found on PATH", program), {},
                "install Slurm's commands (Debian: slurm-client), or grade on this machine with "
                "--executor local");
  }
  const ProgramRun run{.program = *path,
                       .arguments = std::move(arguments),
                       .limit = kCommandLimit,
                       .max_output = kMaxOutput};
  const auto end = WARPCHECK_TRY(RunProgram(run));
  if (!end.timed_out && !end.signaled && end.code == 0) return end.output;
  const std::string words = LastWords(end.output);
  return Fail(
      fmt::format("{} {}{}{}", program, end.Text(run.limit), words.empty() ? "" : ": ", words), {},
      HintFor(words));
}

// In a file name, sbatch replaces what follows a '%'.
std::string Literal(const std::filesystem::path& path) {
  std::string text;
  for (const char c : path.string()) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

Result<QueueLine> ParseLine(std::string_view text) {
  std::vector<std::string> fields;
  std::string_view rest = text;
  while (fields.size() + 1 < kColumnCount) {
    const std::size_t end = rest.find('|');
    if (end == rest.npos) {
      return Fail(fmt::format("squeue answers with a line that cannot be read: {}", text));
    }
    fields.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  QueueLine line{.array = fields[0],
                 .job = fields[1],
                 .index = {},
                 .state = fields[3],
                 .node = fields[4],
                 .reason = std::string(rest)};
  // "N/A", or a range, of tasks that never began.
  std::size_t index = 0;
  const char* const end = fields[2].data() + fields[2].size();
  const auto [stop, error] = std::from_chars(fields[2].data(), end, index);
  if (error == std::errc() && stop == end) line.index = index;
  return line;
}

class SlurmCommands : public Slurm {
 public:
  explicit SlurmCommands(std::vector<std::string> options) : options_(std::move(options)) {
    // A person's filters would hide tasks.
    for (const char* const name :
         {"SQUEUE_ACCOUNT", "SQUEUE_LICENSES", "SQUEUE_PARTITION", "SQUEUE_QOS", "SQUEUE_STATES",
          "SQUEUE_USERS", "SCANCEL_ACCOUNT", "SCANCEL_PARTITION", "SCANCEL_QOS", "SCANCEL_STATE",
          "SCANCEL_USER", "SCANCEL_INTERACTIVE", "SCANCEL_WCKEY"}) {
      ::unsetenv(name);
    }
  }

  Result<std::string> Submit(const SlurmArray& array) override {
    std::vector<std::string> arguments = {
        "--parsable",
        "--job-name=" + array.name,
        fmt::format("--array=0-{}", array.tasks - 1) +
            (array.at_once > 0 ? fmt::format("%{}", array.at_once) : ""),
        "--requeue",
        "--open-mode=append",
        "--export=ALL",
        "--nodes=1",
        "--ntasks=1",
        "--cpus-per-task=1",
        std::string(kMemory),
        "--chdir=" + array.folder.string(),
        "--output=" + Literal(array.folder / "log-") + "%a",
    };
    if (array.gpu) arguments.emplace_back("--gres=gpu:1");
    arguments.insert(arguments.end(), options_.begin(), options_.end());
    arguments.push_back(array.script.string());
    const auto output = WARPCHECK_TRY(RunSlurm("sbatch", std::move(arguments)));
    // "number" or "number;cluster", after what a site's plugin may have said.
    std::string text = LastWords(output);
    text.erase(0, text.rfind('\n') + 1);
    const std::string job = text.substr(0, text.find(';'));
    if (job.empty() || !std::ranges::all_of(job, [](char c) { return c >= '0' && c <= '9'; })) {
      return Fail(fmt::format("sbatch answers with no job's number: {}", text));
    }
    return job;
  }

  Result<std::vector<QueueLine>> Look(const std::vector<std::string>& arrays) override {
    std::vector<QueueLine> lines;
    if (arrays.empty()) return lines;
    const auto output = RunSlurm("squeue", {"--noheader", "--array", "--states=all",
                                            fmt::format("--name={}", fmt::join(arrays, ",")),
                                            fmt::format("--format={}", kColumns)});
    if (!output) return Fail(output.error());
    for (std::string_view rest = *output; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      // Other lines are remarks of Slurm's.
      const std::string_view name = rest.substr(0, std::min(rest.find('|'), end));
      if (std::ranges::find(arrays, name) != arrays.end()) {
        lines.push_back(WARPCHECK_TRY(ParseLine(rest.substr(0, end))));
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
  }

  Result<> Cancel(const std::vector<std::string>& arrays) override {
    for (const std::string& array : arrays) {
      WARPCHECK_TRY(RunSlurm("scancel", {"--name=" + array}));
    }
    return {};
  }

 private:
  std::vector<std::string> options_;
};

}  // namespace

std::unique_ptr<Slurm> MakeSlurmCommands(std::vector<std::string> options) {
  return std::make_unique<SlurmCommands>(std::move(options));
}

Result<std::vector<std::string>> SplitOptions(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return Fail(fmt::format("a quote does not end in: {}", text));
  return words;
}

namespace {

bool Contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::count(words, word) != 0;
}

// squeue(1), JOB STATE CODES.
constexpr std::string_view kEndedStates[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                             "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                             "REVOKED",   "TIMEOUT"};
constexpr std::string_view kWaitingStates[] = {"PENDING",      "CONFIGURING", "REQUEUED",
                                               "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"};
constexpr std::string_view kOwnFaults[] = {"FAILED", "OUT_OF_MEMORY", "TIMEOUT"};

// squeue(1), JOB REASON CODES: those that pass by themselves.
constexpr std::string_view kTurns[] = {"None",      "Priority", "Resources", "JobArrayTaskLimit",
                                       "BeginTime", "",         "Cleaning",  "Prolog",
                                       "Licenses"};

}  // namespace

TaskPhase PhaseOf(std::string_view state) {
  if (Contains(kEndedStates, state)) return TaskPhase::kEnded;
  return Contains(kWaitingStates, state) ? TaskPhase::kWaits : TaskPhase::kRuns;
}

bool MayBlameTask(std::string_view state) { return Contains(kOwnFaults, state); }

bool WaitsForSomebody(std::string_view reason) { return !Contains(kTurns, reason); }

}  // namespace warpcheck::batch
