// The rules of a course for its marks, in a file class.toml beside the submissions:
//
//   due = 2026-11-20T23:59:00+01:00
//   roster = "roster.csv"       # columns: id; optional: name, section, extension ("2d", "36h")
//   show_hidden = true          # students see hidden criteria: after the deadline
//   leaderboard = "names"       # what a leaderboard shows; or "pseudonyms", the default
//   counts = "newest"           # which submission counts; or "first", "newest_on_time", "best"
//   [late]
//   percent = 10                # of the maximum, taken for each day or part of one
//   per = "day"                 # or "hour"
//   grace = "15m"               # up to this, a submission is not late
//   most = 50                   # the most percent that are taken
//   days = 5                    # late days that cost a student nothing, over the whole course
//   most_days = 3               # at most so many of them for this assignment
//   earlier = ["../hw1/grades/late_days.csv"]  # the days that earlier assignments used
//   [teams]                     # the roster's column "team" says who works together
//   size = 2                    # the most members
//   [weights]                   # points of criteria, by id, which replace the rubric's
//   bank_conflicts = 30
//   [export]                    # fill the scores into a copy of a platform's table
//   file = "gradebook.csv"
//   student = "ID"              # its column with the students
//   score = "Transpose (4711)"  # its column for scores
//   comment = "Feedback"        # optional: its column for comments
//
// The rules do not change how a submission is compiled or run: marks are computed from the journal
// (batch/marks/marks.h). `counts` decides which submissions are graded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "batch/course/row_finder.h"
#include "grading/rubric.h"

namespace warpcheck::batch {

// Says which submission of a student counts. kNewestOnTime is the newest of all if no submission
// was on time. kBest is the one with the most points after the penalty for lateness, and the newest
// of several with equal points.
enum class Counts { kNewest, kFirst, kNewestOnTime, kBest };

enum class LeaderboardNames { kPseudonyms, kNames };

struct Listed {
  std::string id;  // the id in the course's roster
  std::string name;
  std::string section;
  std::int64_t extension = 0;  // seconds after the class's deadline
  std::string team{};          // the name of the student's team; may be empty
};

struct LateRule {
  double percent = 0;
  std::int64_t unit = 86'400;  // the seconds of a day or an hour
  std::int64_t grace = 0;      // in seconds
  double most = 100;           // in percent
  std::int64_t days = 0;       // the late days of a student over the course that cost nothing
  std::int64_t most_days = 0;  // the most of them for one assignment
};

struct ExportRule {
  std::filesystem::path file;  // an absolute path
  std::string student;
  std::string score;
  std::string comment;  // may be empty
};

struct ClassRules {
  std::optional<std::int64_t> due;  // seconds since 1970
  Counts counts = Counts::kNewest;
  LateRule late;
  std::map<std::string, std::int64_t> weights;  // hundredths of points, by criterion
  // If empty, the class consists of the students who handed in.
  std::vector<Listed> roster;
  std::optional<ExportRule> exported;
  std::map<std::string, std::int64_t> used_days;  // late days used before, by student
  bool show_hidden = false;  // true if students may see the hidden criteria of the rubric
  LeaderboardNames leaderboard = LeaderboardNames::kPseudonyms;
};

// Reads and checks a class.toml and the files that it names. Fails on the first mistake, with its
// line.
Result<ClassRules> ReadClassRules(const std::filesystem::path& toml, const Rubric& rubric);

// Returns a finder for the rows of the course's roster, by the students' ids.
RowFinder FinderOf(const std::vector<Listed>& roster);

// Returns the rubric with the points that the course gives its criteria.
Rubric Weighted(Rubric rubric, const ClassRules& rules);

WARPCHECK_FIELDS(Listed, id, name, section, extension);
WARPCHECK_FIELDS_IF_CHANGED(Listed, team);
WARPCHECK_FIELDS(LateRule, percent, unit, grace, most);
WARPCHECK_FIELDS_IF_CHANGED(LateRule, days, most_days);
WARPCHECK_FIELDS(ExportRule, file, student, score, comment);
WARPCHECK_NAMES(Counts, "newest", "first", "newest_on_time", "best");
WARPCHECK_NAMES(LeaderboardNames, "pseudonyms", "names");
WARPCHECK_FIELDS(ClassRules, due, counts, late, weights, roster, exported);
WARPCHECK_FIELDS_IF_CHANGED(ClassRules, used_days, show_hidden, leaderboard);

}  // namespace warpcheck::batch
