// Parses JSON and writes it as text. The functions are compiled once, because every source that
// calls the library's own compiles the whole parser.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpcheck {

// Throws nlohmann::json::parse_error if the text is not JSON.
nlohmann::json ParseJson(std::string_view text);
// Does the same, and keeps the order of the fields of each object.
nlohmann::ordered_json ParseOrderedJson(std::string_view text);

// Returns JSON as text: on one line, or indented by `indent` spaces for each level. Bytes that are
// not UTF-8 are replaced by U+FFFD.
std::string JsonText(const nlohmann::json& value, int indent = -1);
std::string JsonText(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace warpcheck
