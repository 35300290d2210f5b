#include "base/json_fields.h"

namespace warpcheck {

using nlohmann::json;

const json& Field(const json& object, const char* name) {
  const auto field = object.find(name);
  if (field == object.end()) throw std::runtime_error(fmt::format("no field \"{}\"", name));
  return *field;
}

const json& ArrayField(const json& object, const char* name) {
  const json& field = Field(object, name);
  if (!field.is_array()) throw std::runtime_error(fmt::format("\"{}\" is not a list", name));
  return field;
}

std::string StringField(const json& object, const char* name) {
  const json& field = Field(object, name);
  if (!field.is_string()) throw std::runtime_error(fmt::format("\"{}\" is not a text", name));
  return field.get<std::string>();
}

std::uint64_t UnsignedField(const json& object, const char* name) {
  return IntegerField<std::uint64_t>(object, name);
}

bool BooleanField(const json& object, const char* name) {
  const json& field = Field(object, name);
  if (!field.is_boolean())
    throw std::runtime_error(fmt::format("\"{}\" is not true or false", name));
  return field.get<bool>();
}

double RealField(const json& object, const char* name) {
  const json& field = Field(object, name);
  if (!field.is_number()) throw std::runtime_error(fmt::format("\"{}\" is not a number", name));
  return field.get<double>();
}

}  // namespace warpcheck
