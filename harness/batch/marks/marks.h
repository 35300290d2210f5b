// What counts for a student: what the submission earned, by the course's weights, less what
// lateness takes, unless a person has said otherwise. A function of the journal.
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

// The grade with the points of this rubric.
Grade Weighted(Grade grade, const Rubric& rubric);

}  // namespace warpcheck::batch
