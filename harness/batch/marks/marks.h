// The mark of a student is the points that a submission earned by the course's weights, minus the
// penalty for lateness. A person can set another mark instead.
#pragma once

#include <cstdint>
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
  Points taken;                 // the points that lateness cost
  std::int64_t late_days = 0;   // the late days of the budget that it uses
  std::int64_t days_left = 0;   // the late days that are left after it
  bool late = false;            // late by the deadline, or by the platform if the time is not known
  std::string section;
  std::string team{};
  std::vector<std::string> remarks{};  // texts about penalties and notes, for people

  std::string Remarks() const;  // all remarks, as one cell of a table
};

// Returns the mark. `listed` is the student in the course's roster, or nullptr. `earned` is empty
// if there is no final score. The budget of late days is that of the student whom `entry` names.
// `max` is the total of the weighted rubric.
Mark MarkOf(const Entry& entry, const Listed* listed, std::optional<Points> earned, Points max,
            const ClassRules& rules, const std::vector<Note>& notes);

// Returns the grade with the points of this rubric.
Grade Weighted(Grade grade, const Rubric& rubric);

}  // namespace warpcheck::batch
