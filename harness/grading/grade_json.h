// The JSON form of a complete grade, one way and back: for journals and between processes (what
// other people's programs read is report/reports.h). Reading throws std::exception with a message
// that names the field.
#pragma once

#include <nlohmann/json.hpp>

#include "grading/grade.h"

namespace warpcheck {

// A criterion names its cases by their place in the report, so that none is stored twice.
nlohmann::json ToJson(const Grade& grade);
Grade GradeFrom(const nlohmann::json& object);

}  // namespace warpcheck
