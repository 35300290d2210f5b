// The JSON form of what a device saw, one way and back: for results files, and between processes.
// Reading throws std::exception with a message that names the field.
#pragma once

#include <nlohmann/json.hpp>

#include "device/finding.h"
#include "device/launch_record.h"

namespace warpcheck {

nlohmann::json ToJson(const Dim3& dim);
nlohmann::json ToJson(const SourceLocation& where);
nlohmann::json ToJson(const Finding& finding);
nlohmann::json ToJson(const LaunchRecord& record);

Dim3 DimFrom(const nlohmann::json& object);
SourceLocation LocationFrom(const nlohmann::json& object);
Finding FindingFrom(const nlohmann::json& object);
LaunchRecord RecordFrom(const nlohmann::json& object);

}  // namespace warpcheck
