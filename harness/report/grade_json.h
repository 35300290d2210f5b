// What the JSON report and the student's page have in common: a grade as JSON, without its cases.
#pragma once

#include <nlohmann/json.hpp>

#include "grading/grade.h"

namespace warpcheck {

// From "version" to "criteria", in the order of the JSON report, with text as the submission gave
// it.
nlohmann::ordered_json GradeJson(const Grade& grade);

}  // namespace warpcheck
