// Converts records to JSON objects and back, by the list of their fields (base/record.h).
// ToJson(record) returns an object with these fields in their order, and FromJson<T>(object)
// returns the record. Fields may be booleans, numbers, texts, paths, enumerations, records, JSON,
// and lists, arrays and maps of these. An optional field without a value is left out; null is read
// as no value. Any other field must be there, of its type and within its range: if it is not,
// FromJson throws std::runtime_error with a message that names it. JsonOf gives a type a form of
// its own.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "base/json/fields.h"
#include "base/json/text.h"
#include "base/record.h"
#include "base/result.h"

namespace warpcheck {

// A specialisation defines two functions:
//   static nlohmann::ordered_json To(const T& value);
//   static T From(const nlohmann::json& value, const char* name);
template <class T>
struct JsonOf;

namespace json_record_internal {

template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsArray<std::array<T, kSize>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
concept HasFormOfItsOwn = requires {
  sizeof(JsonOf<T>);
};

}  // namespace json_record_internal

template <Record T>
nlohmann::ordered_json ToJson(const T& record);

template <class T>
nlohmann::ordered_json ValueToJson(const T& value) {
  using namespace json_record_internal;
  if constexpr (HasFormOfItsOwn<T>) {
    return JsonOf<T>::To(value);
  } else if constexpr (Record<T>) {
    return ToJson(value);
  } else if constexpr (NamedEnum<T>) {
    return NameOf(value);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<std::underlying_type_t<T>>(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return value.string();
  } else if constexpr (kIsOptional<T>) {
    return ValueToJson(*value);
  } else if constexpr (kIsMap<T>) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto& [name, element] : value) object[name] = ValueToJson(element);
    return object;
  } else if constexpr (kIsList<T> || kIsArray<T>) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& element : value) list.push_back(ValueToJson(element));
    return list;
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? value : 0;  // JSON has no infinity and no NaN
  } else {
    return value;
  }
}

template <Record T>
nlohmann::ordered_json ToJson(const T& record) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  const auto add = [&](const auto& field) {
    const auto& value = record.*field.member;
    if constexpr (json_record_internal::kIsOptional<std::remove_cvref_t<decltype(value)>>) {
      if (!value) return;
    }
    Put(object, field.name, ValueToJson(value));
  };
  ForEachField<T>(add, [&, fresh = T()](const auto& field) {
    if (!(record.*field.member == fresh.*field.member)) add(field);
  });
  return object;
}

template <Record T>
T FromJson(const nlohmann::json& object);

// `name` is the field's name, for messages.
template <class T>
T ValueFromJson(const nlohmann::json& value, const char* name) {
  using namespace json_record_internal;
  if constexpr (HasFormOfItsOwn<T>) {
    return JsonOf<T>::From(value, name);
  } else if constexpr (Record<T>) {
    return FromJson<T>(value);
  } else if constexpr (NamedEnum<T>) {
    const std::string text = StringIn(value, name);
    const auto known = ValueNamed<T>(text);
    if (!known) throw std::runtime_error(fmt::format("\"{}\" has no value \"{}\"", name, text));
    return *known;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(IntegerIn<std::underlying_type_t<T>>(value, name));
  } else if constexpr (kIsOptional<T>) {
    if (value.is_null()) return std::nullopt;
    return ValueFromJson<typename T::value_type>(value, name);
  } else if constexpr (kIsMap<T>) {
    if (!value.is_object()) throw std::runtime_error(fmt::format("\"{}\" is not an object", name));
    T map;
    for (const auto& [key, element] : value.items()) {
      map[key] = ValueFromJson<typename T::mapped_type>(element, name);
    }
    return map;
  } else if constexpr (kIsList<T>) {
    T list;
    for (const nlohmann::json& element : ArrayIn(value, name)) {
      list.push_back(ValueFromJson<typename T::value_type>(element, name));
    }
    return list;
  } else if constexpr (kIsArray<T>) {
    T list;
    if (ArrayIn(value, name).size() != list.size()) {
      throw std::runtime_error(fmt::format("\"{}\" does not have {} values", name, list.size()));
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i] = ValueFromJson<typename T::value_type>(value[i], name);
    }
    return list;
  } else if constexpr (std::is_same_v<T, nlohmann::json>) {
    return value;
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
    value =
        ValueFromJson<std::remove_cvref_t<decltype(value)>>(Field(object, field.name), field.name);
  };
  const auto read_if_there = [&](const auto& field) {
    if (!object.is_object() || object.contains(field.name)) read(field);
  };
  ForEachField<T>(
      [&](const auto& field) {
        using Value = std::remove_cvref_t<decltype(record.*field.member)>;
        json_record_internal::kIsOptional<Value> ? read_if_there(field) : read(field);
      },
      read_if_there);
  return record;
}

// Parses a text as the JSON of a record. Fails if the text is not the JSON of such a record.
template <Record T>
Result<T> ParseRecord(std::string_view text) try {
  return FromJson<T>(ParseJson(text));
} catch (const std::exception& exception) {
  return Fail(exception.what());
}

WARPCHECK_FIELDS(Error, message);
WARPCHECK_FIELDS_IF_CHANGED(Error, where, hint);

}  // namespace warpcheck
