// Records as JSON objects, by the list of their fields (record.h). ToJson(record) is an object with
// these fields in their order, and FromJson<T>(object) the record that it came from. Fields are
// booleans, numbers, texts, paths, records, and lists of these. All have to be there, of their type
// and within their range: what is not throws std::runtime_error with a message that names it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/json_fields.h"
#include "base/record.h"

namespace warpcheck {

namespace json_record_internal {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

}  // namespace json_record_internal

template <Record T>
nlohmann::ordered_json ToJson(const T& record);

template <class T>
nlohmann::ordered_json ValueToJson(const T& value) {
  if constexpr (Record<T>) {
    return ToJson(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return value.string();
  } else if constexpr (json_record_internal::kIsList<T>) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& element : value) list.push_back(ValueToJson(element));
    return list;
  } else {
    return value;
  }
}

template <Record T>
nlohmann::ordered_json ToJson(const T& record) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  const auto add = [&](const auto& field) {
    object[field.name] = ValueToJson(record.*field.member);
  };
  std::apply([&](const auto&... fields) { (add(fields), ...); }, kFieldsOf<T>);
  return object;
}

template <Record T>
T FromJson(const nlohmann::json& object);

// `name`: whose value it is, for messages.
template <class T>
T ValueFromJson(const nlohmann::json& value, const char* name) {
  if constexpr (Record<T>) {
    return FromJson<T>(value);
  } else if constexpr (json_record_internal::kIsList<T>) {
    T list;
    for (const nlohmann::json& element : ArrayIn(value, name)) {
      list.push_back(ValueFromJson<typename T::value_type>(element, name));
    }
    return list;
  } else if constexpr (std::is_same_v<T, bool>) {
    return BooleanIn(value, name);
  } else if constexpr (std::is_integral_v<T>) {
    return IntegerIn<T>(value, name);
  } else if constexpr (std::is_floating_point_v<T>) {
    return RealIn(value, name);
  } else {
    return T(StringIn(value, name));
  }
}

template <Record T>
T FromJson(const nlohmann::json& object) {
  T record;
  const auto read = [&](const auto& field) {
    auto& value = record.*field.member;
    using Value = std::remove_cvref_t<decltype(value)>;
    value = ValueFromJson<Value>(Field(object, field.name), field.name);
  };
  std::apply([&](const auto&... fields) { (read(fields), ...); }, kFieldsOf<T>);
  return record;
}

}  // namespace warpcheck
