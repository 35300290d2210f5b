// What counts for a student: what the submission earned, by the course's weights, less what
// lateness takes, unless a person has said otherwise. A function of the journal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"
#include "batch/class_rules.h"
#include "batch/csv.h"
#include "batch/roster.h"
#include "grading/grade.h"

namespace warpcheck::batch {

// A person's word on a student's mark.
struct Note {
  std::string id;                        // of the student
  std::optional<std::int64_t> points{};  // in hundredths: the mark, whatever was earned
  std::string comment;                   // may be empty
  std::string who;
  std::int64_t when = 0;  // seconds since 1970
};

// By id, in the order in which they were written.
using Notes = std::map<std::string, std::vector<Note>>;

struct Mark {
  std::optional<Points> score;  // none while it is not final
  Points taken;                 // for lateness
  bool late = false;            // by the deadline, or the platform's word where nothing tells when
  std::string section;
  std::vector<std::string> remarks{};  // for people: what lateness took, and what people said

  std::string Remarks() const;  // all of them, as one cell of a table
};

// `listed`: the student in the course's roster; nullptr for none. `earned`: nothing where there is
// no final score. `max`: of the weighted rubric.
Mark MarkOf(const Entry& entry, const Listed* listed, std::optional<Points> earned, Points max,
            const ClassRules& rules, const std::vector<Note>& notes);

// After the student's deadline and the grace; by the platform's word, `late`, where nothing tells
// when. `submitted` is as in Entry.
bool IsLate(const std::string& submitted, bool late, const Listed* listed, const ClassRules& rules);

// For the rows of the course's roster.
RowFinder FinderOf(const std::vector<Listed>& roster);

// The grade with the points of this rubric.
Grade Weighted(Grade grade, const Rubric& rubric);

WARPCHECK_FIELDS(Note, id, points, comment, who, when);

}  // namespace warpcheck::batch
