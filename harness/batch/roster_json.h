// The JSON form of a roster, one way and back. Reading throws std::exception with a message that
// names the field.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "batch/roster.h"

namespace warpcheck::batch {

nlohmann::ordered_json ToJson(const std::vector<Excluded>& excluded);
std::vector<Excluded> ExcludedFrom(const nlohmann::json& list);

nlohmann::ordered_json ToJson(const Roster& roster);
Roster RosterFrom(const nlohmann::json& object);

}  // namespace warpcheck::batch
