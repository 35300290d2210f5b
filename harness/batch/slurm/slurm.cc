#include "batch/slurm/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/programs.h"
#include "base/text.h"
#include "process/run_program.h"

namespace warpcheck::batch {
namespace {

// Slurm's commands themselves retry for a while if its daemons do not answer.
constexpr std::chrono::minutes kCommandLimit{5};
constexpr std::size_t kMaxOutput = std::size_t{64} << 20;
constexpr std::size_t kMaxTail = 2000;

// The memory for one grading: nvcc's limit (compile/builder.cc), and some memory for the worker.
constexpr std::string_view kMemory = "--mem=4608M";

// The columns are name, job, index, state, node and reason.
constexpr std::string_view kColumns = "%j|%F|%K|%T|%N|%r";
constexpr std::size_t kColumnCount = 6;

std::string Tail(std::string_view text) {
  text = Trimmed(text);
  return std::string(text.substr(text.size() - std::min(text.size(), kMaxTail)));
}

std::string HintFor(std::string_view said) {
  const auto says = [&](std::string_view part) { return said.find(part) != said.npos; };
  if (says("unge")) {
    return "munged must run on this machine, with the cluster's key: systemctl status munge";
  }
  if (says("ontact slurm controller") || says("onnection refused") || says("slurm.conf") ||
      says("onnection timed out") || says("onfiguration source")) {
    return "this machine cannot reach the cluster's controller: `scontrol ping` says more";
  }
  if (says("submission failed") || says("nvalid") || says("nrecognized option") ||
      says("sage: sbatch")) {
    return "the cluster refuses this request: choose partition, account, memory or time with "
           "--slurm-options";
  }
  return "";
}

// Runs a command of Slurm, and returns its output if it exits with 0.
Result<std::string> RunSlurm(std::string_view program, const std::vector<std::string>& arguments) {
  const auto path = OnPath(program);
  if (!path) {
    return Fail(fmt::format("{} is not found on PATH", program), {},
                "install Slurm's commands (Debian: slurm-client), or grade on this machine with "
                "--executor local");
  }
  const ProgramRun run{
      .program = *path, .arguments = arguments, .limit = kCommandLimit, .max_output = kMaxOutput};
  const auto end = WARPCHECK_TRY(RunProgram(run));
  if (end.Succeeded()) return end.output;
  const std::string said = Tail(end.output);
  return Fail(
      fmt::format("{} {}{}{}", program, end.Text(run.limit), said.empty() ? "" : ": ", said), {},
      HintFor(said));
}

// Returns the path with '%' doubled, because sbatch replaces "%a" and similar parts of a file name.
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
      return Fail(fmt::format("squeue answered with a line that cannot be read: {}", text));
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
  // The index is "N/A" or a range for tasks that never began.
  std::size_t index = 0;
  const char* const end = fields[2].data() + fields[2].size();
  const auto [stop, error] = std::from_chars(fields[2].data(), end, index);
  if (error == std::errc() && stop == end) line.index = index;
  return line;
}

class SlurmCommands : public Slurm {
 public:
  explicit SlurmCommands(std::vector<std::string> options) : options_(std::move(options)) {
    // These variables are filters that a user may have set; they would hide tasks.
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
    const auto output = WARPCHECK_TRY(RunSlurm("sbatch", arguments));
    // The last line is "number" or "number;cluster". A plugin of the site may print lines before
    // it.
    std::string text = Tail(output);
    text.erase(0, text.rfind('\n') + 1);
    const std::string job = text.substr(0, text.find(';'));
    if (job.empty() || !std::ranges::all_of(job, [](char c) { return c >= '0' && c <= '9'; })) {
      return Fail(fmt::format("sbatch did not answer with the number of a job: {}", text));
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
      // Slurm may print remarks; only lines that begin with an array are answers.
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

}  // namespace warpcheck::batch
