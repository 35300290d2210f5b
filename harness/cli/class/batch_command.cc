#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <tuple>

#include "base/files.h"
#include "base/harness_file.h"
#include "base/hash.h"
#include "base/json_record.h"
#include "base/programs.h"
#include "batch/course/class_rules.h"
#include "batch/course/csv.h"
#include "batch/course/student_names.h"
#include "batch/intake/roster.h"
#include "batch/journal/folder_lock.h"
#include "batch/journal/journal.h"
#include "batch/marks/export_csv.h"
#include "batch/marks/table.h"
#include "batch/slurm/executor.h"
#include "batch/slurm/shell_words.h"
#include "batch/work/batch.h"
#include "batch/work/local_executor.h"
#include "batch/work/progress_files.h"
#include "cli/child_program.h"
#include "cli/class/commands.h"
#include "cli/command_line.h"
#include "cli/gpu_host.h"
#include "cli/local_grader.h"
#include "cli/places.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownChanges = 20;

// Everything in the folder may be replaced: it has to be a batch's own.
Result<> PrepareFolder(const BatchOptions& options) {
  std::error_code error;
  const fs::path source = fs::canonical(options.source, error);
  if (error) return Fail(fmt::format("there is no {}", options.source.string()));
  const fs::path out = fs::weakly_canonical(fs::absolute(options.out), error);
  const auto [left, in_out] = std::mismatch(source.begin(), source.end(), out.begin(), out.end());
  if (left == source.end()) {
    return Fail(fmt::format("{} lies in the folder of the submissions", options.out.string()), {},
                "its files would be taken for a student's: choose a folder outside");
  }
  const bool ours = fs::exists(options.out / "journal") || fs::exists(options.out / "lock");
  if (fs::exists(options.out) && !ours && !fs::is_empty(options.out, error)) {
    return Fail(fmt::format("{} is not empty, and holds no batch", options.out.string()), {},
                "choose an empty folder, or a new one");
  }
  fs::create_directories(options.out, error);
  if (!fs::is_directory(options.out)) {
    return Fail(fmt::format("cannot make the folder {}", options.out.string()));
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

// What a new batch would be graded by, or this one from now on.
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
  identity.plan.witness = false;  // the grades are the same without one
  const Result<std::uint64_t> seed = options.seed ? *options.seed
                                     : begun      ? begun->plan.seed
                                                  : RandomSeed();
  if (!seed) return Fail(seed.error());
  identity.plan.seed = *seed;
  identity.plan.sandboxed = !options.no_sandbox;
  identity.begun = SecondsSince1970();
  return identity;
}

// Begins the journal, or checks that this is the batch that it was begun for.
Result<> Agree(batch::Journal& journal, const BatchOptions& options, const Assignment& assignment) {
  const auto& begun = journal.state().identity;
  if (begun && !options.resume) {
    return Fail(fmt::format("{} holds a batch already", options.out.string()), {},
                "go on with it: --resume; or choose another folder for a new one");
  }
  const auto now = WARPCHECK_TRY(IdentityNow(options, assignment, begun));
  if (!begun) return journal.Begin(now);
  if (const auto conflict = begun->Conflict(now)) {
    return Fail(
        fmt::format("cannot go on with the batch in {}: {}", options.out.string(), *conflict), {},
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
  fmt::print(stderr, "warpcheck: {} graded again\n", reopened);
  return {};
}

// What Slurm's tasks and this batch tell each other; nodes have to see it.
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
  settings.jobs =
      options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  return batch::MakeLocalExecutor(std::move(settings));
}

// A bar on a terminal, else a line now and then; and the files that say it.
class ProgressDisplay {
 public:
  ProgressDisplay(fs::path folder, std::string title) : folder_(std::move(folder)) {
    report_.title = std::move(title);
  }

  void Show(const batch::Progress& progress) {
    const Clock::time_point now = Clock::now();
    if (progress.graded) estimate_.Add(std::chrono::duration<double>(now - last_).count());
    if (progress.graded || last_ == Clock::time_point()) last_ = now;
    if (now >= next_write_) {
      next_write_ = now + kBetweenWrites;
      report_.progress = progress;
      report_.per_minute = estimate_.PerMinute();
      report_.left = estimate_.Left(progress.to_grade);
      report_.updated = SecondsSince1970();
      Write();
    }
    const std::string text = batch::ProgressText(progress, estimate_);
    if (CanShowProgress()) {
      ShowProgressLine(text);
    } else if (const std::size_t percent =
                   100 * progress.done / std::max<std::size_t>(progress.total, 1);
               percent != shown_) {
      shown_ = percent;
      fmt::print(stderr, "{}\n", text);
    }
  }

  void ShowEnd(const batch::BatchEnd& end) {
    if (CanShowProgress()) ShowProgressLine("");
    const bool done = end.cause == batch::BatchEnd::Cause::kDone;
    report_.state =
        done ? batch::ProgressReport::State::kDone : batch::ProgressReport::State::kStopped;
    report_.progress = end.progress;
    Write();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kBetweenWrites{1};

  // A file that cannot be written here is told of by those that matter. The page comes first: a
  // program that waits for a state of progress.json finds it on the page as well.
  void Write() const {
    std::ignore = WriteFile(folder_ / batch::kProgressPage, batch::HtmlProgress(report_));
    std::ignore = WriteFile(folder_ / batch::kProgressJson, batch::JsonProgress(report_));
  }

  fs::path folder_;
  batch::ProgressReport report_;
  Clock::time_point next_write_;
  batch::Estimate estimate_;
  Clock::time_point last_;  // when somebody was graded; in the beginning, when grading began
  std::size_t shown_ = 0;   // percent
};

// `refused`: how many of the class are in no state to be graded.
int Conclude(const batch::BatchEnd& end, const batch::Outputs& outputs, std::size_t refused,
             const BatchOptions& options) {
  const auto resume = [&] {
    return fmt::format(
        "{} of {} submissions have grades, which are safe in {}; go on with the "
        "same command and --resume",
        end.progress.done, end.progress.total, options.out.string());
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
  fmt::print("{} of {} submissions have grades: {}\n", end.progress.done, end.progress.total,
             (options.out / "grades.csv").string());
  if (open > end.held_up.size()) {
    fmt::print("{} of them are not final: look at their notes in grades.csv\n",
               open - end.held_up.size());
  }
  if (refused > 0) {
    fmt::print("{} more could not be read as submissions: {} says why\n", refused,
               (options.out / "excluded.txt").string());
  }
  return open + refused > 0 ? kExitFault : kExitFull;
}

// Scores by id, of a batch's grades.csv; none where there is none yet.
std::map<std::string, std::string> ScoresIn(const fs::path& out) {
  std::map<std::string, std::string> scores;
  const auto table = ReadFile(out / "grades.csv").and_then([](const std::string& text) {
    return batch::ParseCsv(text, "grades.csv");
  });
  if (!table || table->Column("score") < 0) return scores;
  const auto column = static_cast<std::size_t>(table->Column("score"));
  for (const auto& row : table->rows) scores[row.front()] = row[column];
  return scores;
}

void TellChanges(const std::map<std::string, std::string>& before, const fs::path& out) {
  std::vector<std::string> changes;
  for (const auto& [id, score] : ScoresIn(out)) {
    const auto was = before.find(id);
    if (was == before.end() || was->second.empty() || was->second == score) continue;
    changes.push_back(
        fmt::format("  {}: {}, was {}", id, score.empty() ? "not final" : score, was->second));
  }
  if (changes.empty()) return;
  fmt::print("{} scores have changed:\n", changes.size());
  for (std::size_t i = 0; i < std::min(changes.size(), kShownChanges); ++i) {
    fmt::print("{}\n", changes[i]);
  }
  if (changes.size() > kShownChanges) fmt::print("  and {} more\n", changes.size() - kShownChanges);
}

tl::expected<int, Stop> RunBatch(const BatchOptions& options, const Rubric& rubric,
                                 batch::Journal& journal) {
  const auto executor =
      WARPCHECK_TRY(OrStop(kExitUsage, MakeExecutor(options, *journal.state().identity)));
  batch::Outputs outputs(options.out, rubric, journal.state());
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
  TellChanges(before, options.out);
  const int status = Conclude(end, outputs, journal.state().roster.refused.size(), options);
  if (similar) return status;
  Error error = similar.error();
  error.message = "no look for similar submissions: " + error.message;
  return Complain(error, kExitFault);
}

// What the command names, before anything is written: a mistake there must leave no folder that
// refuses the corrected command.
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
  WARPCHECK_TRY(OrStop(kExitUsage, PrepareFolder(options)));
  const auto lock = WARPCHECK_TRY(OrStop(kExitUsage, batch::LockFolder(options.out)));
  auto journal = WARPCHECK_TRY(OrStop(kExitFault, batch::Journal::Open(options.out)));
  const bool fresh = !journal.state().identity;
  WARPCHECK_TRY(OrStop(kExitUsage, Agree(journal, options, assignment)));
  WatchForStop();
  const fs::path scratch = options.out / "scratch";
  std::error_code error;
  fs::remove_all(scratch, error);  // of a batch that was killed
  WARPCHECK_TRY(OrStop(kExitUsage, UpdateRules(journal, options, rubric)));
  if (auto read = UpdateRoster(journal, options); !read) {
    if (fresh) fs::remove(batch::Journal::PathIn(options.out), error);  // nothing is graded by it
    return tl::unexpected(Stop{read.error(), kExitUsage});
  }
  WARPCHECK_TRY(OrStop(kExitFault, Regrade(journal, options)));
  const auto status = RunBatch(options, rubric, journal);
  fs::remove_all(scratch, error);
  return status;
}

double MostPoints(const Rubric& rubric) {
  std::int64_t hundredths = 0;
  for (const Criterion& criterion : rubric.criteria) hundredths += criterion.points.hundredths();
  return static_cast<double>(hundredths) / 100;
}

tl::expected<int, Stop> KeepNote(const NoteOptions& options) {
  const auto lock = WARPCHECK_TRY(OrStop(kExitUsage, batch::LockFolder(options.out)));
  const auto wrong = [](std::string message, std::string hint = "") {
    return tl::unexpected(
        Stop{{.message = std::move(message), .hint = std::move(hint)}, kExitUsage});
  };
  std::error_code error;
  if (!fs::exists(batch::Journal::PathIn(options.out), error)) {
    return wrong(fmt::format("{} holds no batch", options.out.string()));
  }
  auto journal = WARPCHECK_TRY(OrStop(kExitFault, batch::Journal::Open(options.out)));
  const auto& entries = journal.state().roster.entries;
  const auto student = [](const batch::Entry& entry) { return batch::StudentOf(entry.id); };
  if (std::ranges::find(entries, options.student, student) == entries.end()) {
    return wrong(fmt::format("nobody in the batch has the id \"{}\"", options.student),
                 "grades.csv has the ids, in its first column");
  }
  batch::Note note = {.id = options.student,
                      .comment = options.comment,
                      .who = options.who.empty() ? Environment("USER") : options.who,
                      .when = SecondsSince1970()};
  if (note.who.empty()) return wrong("nothing says who you are", "--by NAME");
  if (options.points) {
    const auto points = Points::FromNumber(*options.points);
    if (!points) {
      return wrong(fmt::format("{} is no number of points", *options.points),
                   "from 0 to 1000000, with at most two decimals");
    }
    note.points = points->hundredths();
  }
  const auto assignment =
      WARPCHECK_TRY(OrStop(kExitUsage, AssignmentNamed(journal.state().identity->assignment)));
  const auto rubric = WARPCHECK_TRY(OrStop(kExitFault, RubricOf(assignment)));
  if (options.points && *options.points > MostPoints(rubric)) {
    fmt::print(stderr, "warpcheck: {} points are more than the {} that the assignment has\n",
               *options.points, MostPoints(rubric));
  }
  const auto before = ScoresIn(options.out);
  WARPCHECK_TRY(OrStop(kExitFault, journal.Add(note)));
  WARPCHECK_TRY(OrStop(kExitFault, batch::Rebuild(journal, rubric, options.out)));
  TellChanges(before, options.out);
  return kExitFull;
}

}  // namespace

int BatchCommand(const BatchOptions& options) { return StatusOf(GradeClass(options)); }

int NoteCommand(const NoteOptions& options) { return StatusOf(KeepNote(options)); }

}  // namespace warpcheck
