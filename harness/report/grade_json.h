// Converts a grade to JSON without its cases, for the JSON report and for the student's page.
#pragma once

#include <nlohmann/json.hpp>

#include "grading/grade.h"

namespace warpcheck {

// Returns the fields from "version" to "criteria", in the order of the JSON report. Texts are
// unchanged, as the submission gave them.
nlohmann::ordered_json GradeJson(const Grade& grade);

}  // namespace warpcheck
