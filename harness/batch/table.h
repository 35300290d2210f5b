// A class's grades as one table, and the files that are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/class_rules.h"
#include "batch/marks.h"
#include "batch/roster.h"
#include "grading/grade.h"
#include "grading/rubric.h"
#include "report/class_page.h"

namespace warpcheck::batch {

// One line of a class's table: what is kept of a grade in memory.

using CriterionCell = ClassPage::Cell;  // says at most 300 bytes

struct Row {
  Points score;
  Points max_score;
  Verdict verdict = Verdict::kHarnessFault;
  bool score_is_final = false;
  std::vector<CriterionCell> criteria;  // as in the rubric
  std::string note;                     // why there is no score, or no final one; mostly empty
};

Row RowOf(const Grade& grade);

struct Line {
  Entry entry;
  std::string digest;      // of the files; empty where they cannot be graded
  std::optional<Row> row;  // none where it has no grade yet
  Mark mark;               // what counts of it
};

struct Table {
  Rubric rubric;
  std::int64_t begun = 0;   // seconds since 1970, UTC
  std::vector<Line> lines;  // sorted by id
  std::vector<Excluded> superseded;
  std::vector<Excluded> refused;
  std::vector<Listed> missing;  // of the course's roster, without a submission
  bool exported = false;        // there is an export.csv
};

// What the cell says, with its place: "t.cu:3: ...".
std::string SaysWhere(const CriterionCell& cell);

// Somebody's own words as a cell's text: on one line, and none that a spreadsheet takes for a
// formula.
std::string Harmless(const std::string& text);

// RFC 4180 with newlines for line ends, UTF-8. A score that is not final is left out: its note says
// why. No cell that a student has influence on is a formula to a spreadsheet.
std::string GradesCsv(const Table& table);

// The platform's own table, with its columns of scores and comments filled in for whoever is meant
// by a row; all else stays as it was. Fails where it cannot be read, or lacks one of the columns.
Result<std::string> FilledIn(const ExportRule& rule, const Table& table);

// As report/reports.h has it for one: a flat suite a student, a case a criterion; under 30 MB for
// 10,000 students, because long texts are cut, and later ones left out.
std::string ClassJunit(const Table& table);

// Superseded and refused submissions, and who handed in the same files: a hint, not a verdict.
std::string ExcludedText(const Table& table);

// Ids of those that handed in the same files, at least two each, in the order of their first.
std::vector<std::vector<std::string>> SameFiles(const Table& table);

// What the class's page shows (report/class_page.h).
ClassPage PageOf(const Table& table);

}  // namespace warpcheck::batch
