// The mark of a student: the points that a submission earned by the course's weights, less the
// penalty for lateness, unless a person has set another mark.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/course/class_rules.h"
#include "batch/intake/roster.h"
#include "batch/journal/note.h"
#include "grading/grade.h"

namespace warpcheck::batch {

struct Mark {
  std::optional<Points> score;  // nothing while it is not final
  Points taken;                 // the penalty for lateness
  bool late = false;            // by the deadline; by the platform if the time is not known
  std::string section;
  std::vector<std::string> remarks{};  // penalties and notes, for people

  std::string Remarks() const;  // all remarks, as one cell of a table
};

// Returns the mark. `listed` is the student in the course's roster, or nullptr; `earned` is
// nothing if there is no final score; `max` is the total of the weighted rubric.
Mark MarkOf(const Entry& entry, const Listed* listed, std::optional<Points> earned, Points max,
            const ClassRules& rules, const std::vector<Note>& notes);

// Returns the grade with the points of this rubric.
Grade Weighted(Grade grade, const Rubric& rubric);

}  // namespace warpcheck::batch
