#include "base/json/fields.h"

namespace warpcheck {

using nlohmann::json;

const json& Field(const json& object, const char* name) {
  const auto field = object.find(name);
  if (field == object.end()) throw std::runtime_error(fmt::format("no field \"{}\"", name));
  return *field;
}

const json& ArrayIn(const json& value, const char* name) {
  if (!value.is_array()) throw std::runtime_error(fmt::format("\"{}\" is not a list", name));
  return value;
}

std::string StringIn(const json& value, const char* name) {
  if (!value.is_string()) throw std::runtime_error(fmt::format("\"{}\" is not a text", name));
  return value.get<std::string>();
}

bool BooleanIn(const json& value, const char* name) {
  if (!value.is_boolean())
    throw std::runtime_error(fmt::format("\"{}\" is not true or false", name));
  return value.get<bool>();
}

double RealIn(const json& value, const char* name) {
  if (!value.is_number()) throw std::runtime_error(fmt::format("\"{}\" is not a number", name));
  return value.get<double>();
}

void Put(nlohmann::ordered_json& object, const char* name, nlohmann::ordered_json value) {
  object[name] = std::move(value);
}

}  // namespace warpcheck
