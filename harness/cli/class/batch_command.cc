#include "cli/class/batch_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "base/files.h"
#include "base/hash.h"
#include "base/in_parallel.h"
#include "base/json/record.h"
#include "base/text.h"
#include "batch/course/class_rules.h"
#include "batch/intake/roster.h"
#include "batch/journal/folder_lock.h"
#include "batch/journal/journal.h"
#include "batch/marks/export_csv.h"
#include "batch/marks/table.h"
#include "batch/slurm/executor.h"
#include "batch/slurm/shell_words.h"
#include "batch/work/batch.h"
#include "batch/work/local_executor.h"
#include "cli/class/grade_worker_command.h"
#include "cli/class/progress_display.h"
#include "cli/class/score_changes.h"
#include "cli/class/similar_submissions.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "cli/stop_signal.h"
#include "cli/terminal.h"
#include "host/courses.h"
#include "host/places.h"
#include "host/plan.h"
#include "host/version.h"
#include "process/harness_file.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Creates the folder, or checks that it belongs to a batch, because the batch may replace
// everything in it.
Result<> PrepareFolder(const BatchOptions& options) {
  std::error_code error;
  const fs::path source = fs::canonical(options.source, error);
  if (error) return Fail(fmt::format("there is no {}", options.source.string()));
  const fs::path out = fs::weakly_canonical(fs::absolute(options.out), error);
  const auto [left, in_out] = std::mismatch(source.begin(), source.end(), out.begin(), out.end());
  if (left == source.end()) {
    return Fail(fmt::format("{} is inside the folder of the submissions", options.out.string()), {},
                "choose a folder outside, since its files would be taken for a submission");
  }
  const bool ours = fs::exists(options.out / "journal") || fs::exists(options.out / "lock");
  if (fs::exists(options.out) && !ours && !fs::is_empty(options.out, error)) {
    return Fail(
        fmt::format("{} is not empty, and is not the folder of a batch", options.out.string()), {},
        "choose an empty folder, or a new one");
  }
  fs::create_directories(options.out, error);
  if (!fs::is_directory(options.out)) {
    return Fail(fmt::format("cannot create the folder {}", options.out.string()));
  }
  return {};
}

Result<std::string> ChecksDigest(const Assignment& assignment) {
  std::vector<std::string> files;
  for (const fs::path& path :
       {assignment.rubric, assignment.header, assignment.checks, HarnessFile()}) {
    files.push_back(WARPCHECK_TRY(ReadFile(path)));
  }
  return Sha256({files.begin(), files.end()});
}

std::int64_t SecondsSince1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Returns the identity of a new batch, or the identity that this batch would have if it began now.
Result<batch::BatchIdentity> IdentityNow(const BatchOptions& options, const Assignment& assignment,
                                         const std::optional<batch::BatchIdentity>& begun) {
  batch::BatchIdentity identity;
  identity.assignment = assignment.name;
  identity.version = kVersion;
  identity.checks_digest = WARPCHECK_TRY(ChecksDigest(assignment));
  const std::string wanted = !options.device.empty() ? options.device
                             : begun                 ? begun->plan.device
                                                     : "auto";
  const auto rubric = WARPCHECK_TRY(RubricOf(assignment));
  identity.plan = WARPCHECK_TRY(PlanFor(wanted, rubric));
  identity.plan.witness = false;  // a witness does not change grades
  const bool ranks = !options.leaderboard.empty() || identity.plan.device == "gpu";
  identity.plan.speed = begun ? begun->plan.speed : identity.plan.speed && ranks;
  const Result<std::uint64_t> seed = options.seed ? *options.seed
                                     : begun      ? begun->plan.seed
                                                  : RandomSeed();
  if (!seed) return Fail(seed.error());
  identity.plan.seed = *seed;
  identity.plan.sandboxed = !options.no_sandbox;
  identity.plan.experiments = !options.no_experiments && identity.plan.device == "emulator";
  identity.begun = SecondsSince1970();
  return identity;
}

// Begins the journal, or checks that the journal was begun with the same settings.
Result<> Agree(batch::Journal& journal, const BatchOptions& options, const Assignment& assignment) {
  const auto& begun = journal.state().identity;
  if (begun && !options.resume) {
    return Fail(fmt::format("there is already a batch in {}", options.out.string()), {},
                "continue it with --resume, or choose another folder for a new one");
  }
  const auto now = WARPCHECK_TRY(IdentityNow(options, assignment, begun));
  if (!begun) return journal.Begin(now);
  if (const auto conflict = begun->Conflict(now)) {
    return Fail(fmt::format("cannot continue the batch in {}: {}", options.out.string(), *conflict),
                {},
                "grades made with different settings cannot share a folder: choose another one");
  }
  return {};
}

Result<> UpdateRules(batch::Journal& journal, const BatchOptions& options, const Rubric& rubric) {
  if (options.rules.empty()) return {};
  const auto rules = WARPCHECK_TRY(batch::ReadClassRules(options.rules, rubric));
  if (ToJson(rules) == ToJson(journal.state().rules)) return {};
  return journal.SetRules(rules);
}

Result<> UpdateRoster(batch::Journal& journal, const BatchOptions& options) {
  const auto roster = WARPCHECK_TRY(batch::ReadRoster(
      options.source, options.out / "scratch" / "submissions", journal.state().rules));
  if (ToJson(roster) == ToJson(journal.state().roster)) return {};
  return journal.SetRoster(roster);
}

Result<> Regrade(batch::Journal& journal, const BatchOptions& options) {
  if (options.regrade.empty()) return {};
  const auto reopened = WARPCHECK_TRY(batch::Reopen(journal, options.regrade));
  fmt::print(stderr, "warpcheck: made again: {}\n", Counted(reopened, "grade"));
  return {};
}

// Returns the folder for files of Slurm's tasks, which all nodes must see.
fs::path SlurmFolder(const BatchOptions& options) { return fs::absolute(options.out) / "slurm"; }

Result<std::unique_ptr<batch::Executor>> MakeSlurm(const BatchOptions& options,
                                                   const batch::BatchIdentity& identity) {
  auto further = batch::SplitOptions(options.slurm_options);
  if (!further) return Fail("--slurm-options: " + further.error().message);
  batch::SlurmExecutorSettings settings;
  settings.slurm = batch::MakeSlurmCommands(*std::move(further));
  settings.folder = SlurmFolder(options);
  settings.program = Programs() / "warpcheck";
  settings.identity = identity;
  settings.at_once = options.jobs;
  settings.notice = [](const std::string& text) {
    if (CanShowProgress()) ShowProgressLine("");
    fmt::print(stderr, "warpcheck: {}\n", text);
  };
  return batch::MakeSlurmExecutor(std::move(settings));
}

Result<std::unique_ptr<batch::Executor>> MakeExecutor(const BatchOptions& options,
                                                      const batch::BatchIdentity& identity) {
  if (options.executor == "slurm") return MakeSlurm(options, identity);
  auto settings = GradersHere(identity, fs::absolute(options.out) / "scratch");
  settings.jobs = WorkersFor(options.jobs);
  return batch::MakeLocalExecutor(std::move(settings));
}

// Prints the batch's result and returns the exit status. `refused` submissions of the class
// could not be read.
int Finish(const batch::BatchEnd& end, const batch::Outputs& outputs, std::size_t refused,
           const BatchOptions& options) {
  const auto resume = [&] {
    return fmt::format(
        "graded {} of {}; the grades are kept in {}; continue with the same command and --resume",
        end.progress.done, Counted(end.progress.total, "submission"), options.out.string());
  };
  using Cause = batch::BatchEnd::Cause;
  if (end.cause == Cause::kMachineFault) {
    Error fault = end.fault;
    fault.message =
        fmt::format("the batch was stopped, because {} cannot grade: {}",
                    options.executor == "slurm" ? "the cluster" : "this machine", fault.message);
    fault.hint += (fault.hint.empty() ? "" : "\n  ") + resume();
    return Complain(fault, kExitFault);
  }
  if (end.cause == Cause::kStopped) {
    fmt::print(stderr, "warpcheck: stopped: {}\n", resume());
    return 128 + StopSignal();
  }
  for (const auto& [id, how] : end.held_up) {
    fmt::print(stderr, "warpcheck: {} is not graded: {}\n", id, how);
  }
  if (!end.held_up.empty()) fmt::print(stderr, "warpcheck: {}\n", resume());
  std::size_t open = end.held_up.size();
  for (const auto& [id, row] : outputs.rows()) open += row.score_is_final ? 0 : 1;
  fmt::print("graded {} of {}: {}\n", end.progress.done, Counted(end.progress.total, "submission"),
             (options.out / "grades.csv").string());
  if (open > end.held_up.size()) {
    fmt::print("not final: {}; see the notes in grades.csv\n",
               Counted(open - end.held_up.size(), "grade"));
  }
  if (refused > 0) {
    fmt::print("not read as a submission: {}; {} says why\n", Counted(refused, "more file"),
               (options.out / "excluded.txt").string());
  }
  return open + refused > 0 ? kExitFault : kExitFull;
}

tl::expected<int, Stop> RunBatch(const BatchOptions& options, const Rubric& rubric,
                                 batch::Journal& journal) {
  const auto executor =
      WARPCHECK_TRY(OrStop(kExitUsage, MakeExecutor(options, *journal.state().identity)));
  batch::Outputs outputs(options.out, rubric, journal.state());
  if (!options.leaderboard.empty()) outputs.WriteLeaderboardTo(options.leaderboard);
  const std::map<std::string, std::string> before = ScoresIn(options.out);
  batch::BatchTools tools;
  tools.executor = executor.get();
  tools.outputs = &outputs;
  tools.stopped = [] { return StopSignal() != 0; };
  ProgressDisplay display(options.out, rubric.title);
  tools.show = [&](const batch::Progress& progress) { display.Show(progress); };
  Result<> similar;
  if (options.similar) {
    tools.before_finish = [&] { similar = FindSimilar(options.out, rubric, journal.state()); };
  }
  const batch::BatchEnd end = batch::Batch(journal, rubric, options.only, tools).Run();
  display.ShowEnd(end);
  if (end.cause == batch::BatchEnd::Cause::kDone && end.progress.done == end.progress.total) {
    std::error_code error;
    fs::remove_all(SlurmFolder(options), error);
  }
  PrintScoreChanges(before, options.out);
  const int status = Finish(end, outputs, journal.state().roster.refused.size(), options);
  if (similar) return status;
  Error error = similar.error();
  error.message = "cannot look for similar submissions: " + error.message;
  return Complain(error, kExitFault);
}

// Checks where the leaderboard goes, before anything is graded.
Result<> CheckLeaderboard(const BatchOptions& options) {
  const fs::path& page = options.leaderboard;
  if (page.empty()) return {};
  if (page.extension() != ".html") {
    return Fail(fmt::format("--leaderboard: {} does not end in .html", page.string()), {},
                "the table is written beside it, to a file that ends in .csv");
  }
  const fs::path folder = fs::absolute(page).parent_path();
  std::error_code error;
  const bool is_out =
      fs::weakly_canonical(folder, error) == fs::weakly_canonical(fs::absolute(options.out), error);
  if (!is_out && !fs::is_directory(folder, error)) {
    return Fail(fmt::format("--leaderboard: there is no folder {}", folder.string()), {},
                "make it first");
  }
  const std::string stem = page.stem().string();
  if (is_out && (stem == "index" || stem == "similar" || stem == "progress" || stem == "grades" ||
                 stem == "export" || stem == "late_days" || stem == "pseudonyms")) {
    return Fail(fmt::format("--leaderboard: {} is another file of the batch", page.string()), {},
                "choose another name: leaderboard.html");
  }
  return {};
}

// Checks the rules before anything is written: a mistake must not leave a folder that refuses
// the corrected command.
Result<> CheckRules(const BatchOptions& options, const Rubric& rubric) {
  if (options.rules.empty()) return {};
  const auto rules = WARPCHECK_TRY(batch::ReadClassRules(options.rules, rubric));
  if (rules.exported) WARPCHECK_TRY(batch::FilledIn(*rules.exported, batch::Table()));
  return {};
}

tl::expected<int, Stop> GradeClass(const BatchOptions& options) {
  const auto assignment = WARPCHECK_TRY(OrStop(kExitUsage, AssignmentNamed(options.assignment)));
  const auto rubric = WARPCHECK_TRY(OrStop(kExitFault, RubricOf(assignment)));
  WARPCHECK_TRY(OrStop(kExitUsage, CheckRules(options, rubric)));
  WARPCHECK_TRY(OrStop(kExitUsage, CheckLeaderboard(options)));
  WARPCHECK_TRY(OrStop(kExitUsage, PrepareFolder(options)));
  const auto lock = WARPCHECK_TRY(OrStop(kExitUsage, batch::LockFolder(options.out)));
  auto journal = WARPCHECK_TRY(OrStop(kExitFault, batch::Journal::Open(options.out)));
  const bool fresh = !journal.state().identity;
  WARPCHECK_TRY(OrStop(kExitUsage, Agree(journal, options, assignment)));
  WatchForStop();
  const fs::path scratch = options.out / "scratch";
  std::error_code error;
  fs::remove_all(scratch, error);  // left by a batch that was killed
  WARPCHECK_TRY(OrStop(kExitUsage, UpdateRules(journal, options, rubric)));
  if (auto read = UpdateRoster(journal, options); !read) {
    if (fresh)
      fs::remove(batch::Journal::PathIn(options.out), error);  // the journal has no grades yet
    return tl::unexpected(Stop{read.error(), kExitUsage});
  }
  WARPCHECK_TRY(OrStop(kExitFault, Regrade(journal, options)));
  auto status = RunBatch(options, rubric, journal);
  fs::remove_all(scratch, error);
  return status;
}

}  // namespace

int BatchCommand(const BatchOptions& options) { return StatusOf(GradeClass(options)); }

}  // namespace warpcheck
