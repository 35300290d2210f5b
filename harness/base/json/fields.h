// Reads fields that a JSON object must have, of their type and within their range. If a field is
// missing or wrong, each function throws std::runtime_error with a message that names the field.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace warpcheck {

// These return the value if it has that type. `name` is the field's name, for messages.
const nlohmann::json& ArrayIn(const nlohmann::json& value, const char* name);
std::string StringIn(const nlohmann::json& value, const char* name);
bool BooleanIn(const nlohmann::json& value, const char* name);
double RealIn(const nlohmann::json& value, const char* name);
template <class T>
T IntegerIn(const nlohmann::json& value, const char* name) {
  const bool fits =
      value.is_number_unsigned()
          ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
          : value.is_number_integer() &&
                value.get<std::int64_t>() >=
                    static_cast<std::int64_t>(std::numeric_limits<T>::min());
  if (!fits) {
    throw std::runtime_error(fmt::format("\"{}\" is not a number in the allowed range", name));
  }
  return value.get<T>();
}

// These look up a field of an object, which must be there.
const nlohmann::json& Field(const nlohmann::json& object, const char* name);
inline const nlohmann::json& ArrayField(const nlohmann::json& object, const char* name) {
  return ArrayIn(Field(object, name), name);
}
inline std::string StringField(const nlohmann::json& object, const char* name) {
  return StringIn(Field(object, name), name);
}
template <class T>
T IntegerField(const nlohmann::json& object, const char* name) {
  return IntegerIn<T>(Field(object, name), name);
}
inline std::uint64_t UnsignedField(const nlohmann::json& object, const char* name) {
  return IntegerField<std::uint64_t>(object, name);
}

// Sets a field of an object.
void Put(nlohmann::ordered_json& object, const char* name, nlohmann::ordered_json value);

}  // namespace warpcheck
