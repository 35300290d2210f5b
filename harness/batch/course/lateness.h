// Decides whether a submission is late, by the course's deadline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/course/class_rules.h"

namespace warpcheck::batch {

// Returns by how many seconds a submission missed the student's deadline, negative if it was early;
// nothing if the time or the deadline is not known. `submitted` is a time as in Entry; `listed` is
// the student in the course's roster, nullptr if the roster does not list them.
std::optional<std::int64_t> SecondsLate(const std::string& submitted, const Listed* listed,
                                        const ClassRules& rules);

// Returns true if the submission came after the student's deadline and the grace period; if its
// time is not known, returns `late`, which the platform says.
bool IsLate(const std::string& submitted, bool late, const Listed* listed, const ClassRules& rules);

}  // namespace warpcheck::batch
