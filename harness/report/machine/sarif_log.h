// Puts rules and results together as a log of SARIF 2.1.0, the format of static analysers (OASIS,
// "Static Analysis Results Interchange Format").
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpcheck {

using Sarif = nlohmann::ordered_json;

// Returns the place of a line as a physicalLocation. A relative path becomes a relative reference
// (RFC 3986), which GitHub reads from the top of the repository; an absolute one becomes a
// file:// address. Line 0 is the whole file.
Sarif PhysicalLocation(std::string_view path, int line);

// Returns the log of one run. `driver` has the name, the version and the rules of the tool.
std::string SarifLog(const Sarif& driver, const Sarif& results);

}  // namespace warpcheck
