// Decides whether a submission is late, by the course's deadline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/course/class_rules.h"

namespace warpcheck::batch {

// Returns by how many seconds a submission missed the student's deadline; the number is negative if
// the submission was early. Returns nothing if the time or the deadline is not known. `submitted`
// is a time as in Entry. `listed` is the student in the course's roster, or nullptr if the roster
// does not list the student.
std::optional<std::int64_t> SecondsLate(const std::string& submitted, const Listed* listed,
                                        const ClassRules& rules);

// Returns true if the submission came after the student's deadline and the grace period. If the
// time of the submission is not known, returns `late`, which comes from the platform.
bool IsLate(const std::string& submitted, bool late, const Listed* listed, const ClassRules& rules);

}  // namespace warpcheck::batch
