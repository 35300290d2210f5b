// Fields that have to be in a JSON object, of their type and within their range. What is not throws
// std::runtime_error with a message that names the field.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace warpcheck {

const nlohmann::json& Field(const nlohmann::json& object, const char* name);
const nlohmann::json& ArrayField(const nlohmann::json& object, const char* name);
std::string StringField(const nlohmann::json& object, const char* name);
std::uint64_t UnsignedField(const nlohmann::json& object, const char* name);
bool BooleanField(const nlohmann::json& object, const char* name);
double RealField(const nlohmann::json& object, const char* name);

template <class T>
T IntegerField(const nlohmann::json& object, const char* name) {
  const nlohmann::json& field = Field(object, name);
  const bool fits =
      field.is_number_unsigned()
          ? field.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
          : field.is_number_integer() &&
                field.get<std::int64_t>() >=
                    static_cast<std::int64_t>(std::numeric_limits<T>::min());
  if (!fits) throw std::runtime_error(fmt::format("\"{}\" is no number in its range", name));
  return field.get<T>();
}

// The value that `lookup` (std::string_view to std::optional<T>) has for a text.
template <class T, class Lookup>
T NamedField(const nlohmann::json& object, const char* name, Lookup lookup) {
  const std::string text = StringField(object, name);
  const auto value = lookup(text);
  if (!value) throw std::runtime_error(fmt::format("\"{}\" has no value \"{}\"", name, text));
  return *value;
}

}  // namespace warpcheck
