// The JSON form of what a results file holds, one way and back. Reading throws std::exception with
// a message that names the field; results_file.cc turns that into an Error.
#pragma once

#include <nlohmann/json.hpp>

#include "results/results.h"

namespace warpcheck {

nlohmann::json ToJson(const CaseResult& result);
nlohmann::json ToJson(const CaseLaunch& launch);
nlohmann::json ToJson(const CaseFinding& finding);
nlohmann::json ToJson(const ChecksReport& report);

CaseResult CaseResultFrom(const nlohmann::json& json);
CaseLaunch CaseLaunchFrom(const nlohmann::json& json);
CaseFinding CaseFindingFrom(const nlohmann::json& json);
ChecksReport ChecksReportFrom(const nlohmann::json& json);

}  // namespace warpcheck
