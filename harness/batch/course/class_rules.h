// What a course decides beside the rubric, in a file class.toml beside the submissions:
//
//   due = 2026-11-20T23:59:00+01:00
//   roster = "roster.csv"       # columns id, and if wanted name, section, extension ("2d", "36h")
//   counts = "newest"           # of several submissions; or "first", "newest_on_time", "best"
//   [late]
//   percent = 10                # of the maximum, taken for each day that was begun
//   per = "day"                 # or "hour"
//   grace = "15m"               # so late is not late
//   most = 50                   # percent that are taken at most
//   [weights]                   # points of criteria, by their id, in place of the rubric's
//   bank_conflicts = 30
//   [export]                    # a copy of a platform's own table, with scores filled in
//   file = "gradebook.csv"
//   student = "ID"              # its column that says whose row it is
//   score = "Transpose (4711)"  # its column for the score
//   comment = "Feedback"        # if wanted, its column for comments
//
// Nothing of it changes how something is compiled or run: marks are functions of the journal
// (marks.h). `counts` says which submissions have to be graded.
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

// Which of a student's submissions counts. What is newest on time is the newest of all where none
// was on time; the best is that with most points once lateness has taken its own, and the newest of
// those with as many.
enum class Counts { kNewest, kFirst, kNewestOnTime, kBest };

struct Listed {
  std::string id;  // as in the course's roster
  std::string name;
  std::string section;
  std::int64_t extension = 0;  // seconds, after the class's deadline
};

struct LateRule {
  double percent = 0;
  std::int64_t unit = 86'400;  // seconds: a day, or an hour
  std::int64_t grace = 0;      // seconds
  double most = 100;           // percent
};

struct ExportRule {
  std::filesystem::path file;  // absolute
  std::string student;
  std::string score;
  std::string comment;  // may be empty
};

struct ClassRules {
  std::optional<std::int64_t> due;  // seconds since 1970
  Counts counts = Counts::kNewest;
  LateRule late;
  std::map<std::string, std::int64_t> weights;  // hundredths of points, by criterion
  std::vector<Listed> roster;                   // empty: whoever handed in is the class
  std::optional<ExportRule> exported;
};

// Fails with the line where a file is wrong, and where it names what is not there.
Result<ClassRules> ReadClassRules(const std::filesystem::path& toml, const Rubric& rubric);

// Returns a finder for the rows of the course's roster, by the students' ids.
RowFinder FinderOf(const std::vector<Listed>& roster);

// Returns the rubric with the points that the course gives its criteria.
Rubric Weighted(Rubric rubric, const ClassRules& rules);

WARPCHECK_FIELDS(Listed, id, name, section, extension);
WARPCHECK_FIELDS(LateRule, percent, unit, grace, most);
WARPCHECK_FIELDS(ExportRule, file, student, score, comment);
WARPCHECK_NAMES(Counts, "newest", "first", "newest_on_time", "best");
WARPCHECK_FIELDS(ClassRules, due, counts, late, weights, roster, exported);

}  // namespace warpcheck::batch
