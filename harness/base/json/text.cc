#include "base/json/text.h"

namespace warpcheck {
namespace {

template <class Json>
std::string TextOf(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

nlohmann::json ParseJson(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::ordered_json ParseOrderedJson(std::string_view text) {
  return nlohmann::ordered_json::parse(text);
}

std::string JsonText(const nlohmann::json& value, int indent) { return TextOf(value, indent); }

std::string JsonText(const nlohmann::ordered_json& value, int indent) {
  return TextOf(value, indent);
}

}  // namespace warpcheck
