#include "cli/class/note_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/programs.h"
#include "batch/course/student_names.h"
#include "batch/journal/folder_lock.h"
#include "batch/journal/journal.h"
#include "batch/marks/outputs.h"
#include "cli/class/score_changes.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "host/courses.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

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
    return wrong(fmt::format("there is no batch in {}", options.out.string()));
  }
  auto journal = WARPCHECK_TRY(OrStop(kExitFault, batch::Journal::Open(options.out)));
  const auto& entries = journal.state().roster.entries;
  const auto student = [](const batch::Entry& entry) { return batch::StudentOf(entry.id); };
  if (std::ranges::find(entries, options.student, student) == entries.end()) {
    return wrong(fmt::format("no student in the batch has the id \"{}\"", options.student),
                 "the ids are in the first column of grades.csv");
  }
  batch::Note note = {.id = options.student,
                      .comment = options.comment,
                      .who = options.who.empty() ? Environment("USER") : options.who,
                      .when = std::chrono::duration_cast<std::chrono::seconds>(
                                  std::chrono::system_clock::now().time_since_epoch())
                                  .count()};
  if (note.who.empty()) return wrong("your name is not known", "give it with --by NAME");
  if (options.points) {
    const auto points = Points::FromNumber(*options.points);
    if (!points) {
      return wrong(fmt::format("{} is not a number of points", *options.points),
                   "give a number from 0 to 1000000, with at most two decimals");
    }
    note.points = points->hundredths();
  }
  const auto assignment =
      WARPCHECK_TRY(OrStop(kExitUsage, AssignmentNamed(journal.state().identity->assignment)));
  const auto rubric = WARPCHECK_TRY(OrStop(kExitFault, RubricOf(assignment)));
  if (options.points && *options.points > MostPoints(rubric)) {
    fmt::print(stderr, "warpcheck: {} points are more than the {} points of the assignment\n",
               *options.points, MostPoints(rubric));
  }
  const auto before = ScoresIn(options.out);
  WARPCHECK_TRY(OrStop(kExitFault, journal.Add(note)));
  WARPCHECK_TRY(OrStop(kExitFault, batch::Rebuild(journal, rubric, options.out)));
  PrintScoreChanges(before, options.out);
  return kExitFull;
}

}  // namespace

int NoteCommand(const NoteOptions& options) { return StatusOf(KeepNote(options)); }

}  // namespace warpcheck
