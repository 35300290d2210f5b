// Writes everything that `warpcheck run` has seen as JSON for programs; docs/run.md describes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

// `program` is the program's name as the user wrote it.
nlohmann::json RunJson(const std::vector<run::ProcessResult>& processes,
                       const std::string& program);

}  // namespace warpcheck
