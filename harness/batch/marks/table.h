// A Table has a class's grades, from which the class's files are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch/course/class_rules.h"
#include "batch/intake/roster.h"
#include "batch/marks/marks.h"
#include "class_pages/class_page.h"
#include "class_pages/leaderboard.h"
#include "grading/grade.h"
#include "grading/rubric.h"

namespace warpcheck::batch {

using CriterionCell = ClassPage::Cell;  // its text has at most 300 bytes

// The part of a grade that is kept in memory.
struct Row {
  Points score;
  Points max_score;
  Verdict verdict = Verdict::kHarnessFault;
  bool score_is_final = false;
  std::vector<CriterionCell> criteria;  // cells in the order of the rubric
  std::string note;                     // why there is no final score; usually empty
  // The row of a leaderboard, without name and place; nothing if the grade has no place there.
  std::optional<Leaderboard::Row> standing{};
};

Row RowOf(const Grade& grade);

// One student of the table.
struct Line {
  Entry entry;
  std::string digest;      // the digest of the files; empty if they cannot be graded
  std::string secret{};    // the digest of the files that count, also if a team's member sent them
  std::optional<Row> row;  // without a value if there is no grade yet
  Mark mark;               // the score that counts
};

struct Table {
  Rubric rubric;
  std::int64_t begun = 0;   // seconds since 1970, UTC
  std::vector<Line> lines;  // sorted by id
  std::vector<Excluded> superseded;
  std::vector<Excluded> refused;
  std::vector<Listed> missing;  // students of the course's roster without a submission
  bool exported = false;        // true if an export.csv is written
  bool has_budget = false;      // true if the course has a budget of late days
  bool has_teams = false;       // true if students work in teams
};

// Returns the cell's text with its place before it: "t.cu:3: ...".
std::string SaysWhere(const CriterionCell& cell);

// Returns the groups of two or more ids that handed in the same files, in the order of their first
// ids.
std::vector<std::vector<std::string>> SameFiles(const Table& table);

}  // namespace warpcheck::batch
