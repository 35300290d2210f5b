// These macros list the fields of a record once, for all code that goes through them
// (json/record.h, remote/wire.h):
//
//   WARPCHECK_FIELDS(Finding, kind, where, kernel, message, count);
//   WARPCHECK_FIELDS_IF_CHANGED(Finding, hint, caller);  // left out while they have their defaults
//
// WARPCHECK_NAMES lists the names of an enumeration's values, which must count from 0:
//
//   WARPCHECK_NAMES(Memory, "global", "shared");
//
// Each macro must follow its type, in the same namespace.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace warpcheck {

// Returns true if the value is one of the enumeration's values.
template <class T>
constexpr bool IsOneOf(const T& value, const std::same_as<T> auto&... these) {
  return ((value == these) || ...);
}

template <class Record, class Member>
struct RecordField {
  const char* name;
  Member Record::*member;
};
template <class Record, class Member>
RecordField(const char*, Member Record::*) -> RecordField<Record, Member>;

template <std::size_t kSize>
struct EnumList {
  std::string_view names[kSize];
};
template <class... Texts>
EnumList(Texts...) -> EnumList<sizeof...(Texts)>;

#define WARPCHECK_FIELDS(type, ...)                          \
  constexpr auto FieldsOf(std::type_identity<type>) {        \
    return std::tuple{WARPCHECK_EACH_OF(type, __VA_ARGS__)}; \
  }                                                          \
  static_assert(true)
#define WARPCHECK_FIELDS_IF_CHANGED(type, ...)                 \
  constexpr auto FieldsIfChangedOf(std::type_identity<type>) { \
    return std::tuple{WARPCHECK_EACH_OF(type, __VA_ARGS__)};   \
  }                                                            \
  static_assert(true)
#define WARPCHECK_NAMES(type, ...)                                                                \
  constexpr auto NamesOf(std::type_identity<type>) { return ::warpcheck::EnumList{__VA_ARGS__}; } \
  static_assert(true)

// Expands to a RecordField for each name of a list of up to 64 names. A macro cannot expand to
// itself. Therefore WARPCHECK_FIELD leaves the name of the next step unexpanded, and each pass over
// the result expands one more step.
#define WARPCHECK_EACH_OF(type, ...) WARPCHECK_PASSES(WARPCHECK_FIELD(type, __VA_ARGS__))
#define WARPCHECK_FIELD(type, name, ...)                   \
  ::warpcheck::RecordField{#name, &type::name} __VA_OPT__( \
      , WARPCHECK_NEXT_FIELD WARPCHECK_PARENTHESES(type, __VA_ARGS__))
#define WARPCHECK_NEXT_FIELD() WARPCHECK_FIELD
#define WARPCHECK_PARENTHESES ()
#define WARPCHECK_PASSES(...) \
  WARPCHECK_PASSES16(WARPCHECK_PASSES16(WARPCHECK_PASSES16(WARPCHECK_PASSES16(__VA_ARGS__))))
#define WARPCHECK_PASSES16(...) \
  WARPCHECK_PASSES4(WARPCHECK_PASSES4(WARPCHECK_PASSES4(WARPCHECK_PASSES4(__VA_ARGS__))))
#define WARPCHECK_PASSES4(...) \
  WARPCHECK_PASS(WARPCHECK_PASS(WARPCHECK_PASS(WARPCHECK_PASS(__VA_ARGS__))))
#define WARPCHECK_PASS(...) __VA_ARGS__

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

template <class T>
concept Record = requires {
  FieldsOf(std::type_identity<T>{});
};
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires {
  NamesOf(std::type_identity<T>{});
};

// Calls `required` with each field of WARPCHECK_FIELDS, and `if_changed` with each field of
// WARPCHECK_FIELDS_IF_CHANGED.
template <Record T, class Required, class IfChanged>
constexpr void ForEachField(Required required, IfChanged if_changed) {
  std::apply([&](const auto&... fields) { (required(fields), ...); },
             FieldsOf(std::type_identity<T>{}));
  if constexpr (requires { FieldsIfChangedOf(std::type_identity<T>{}); }) {
    std::apply([&](const auto&... fields) { (if_changed(fields), ...); },
               FieldsIfChangedOf(std::type_identity<T>{}));
  }
}
template <Record T, class Each>
constexpr void ForEachField(Each each) {
  ForEachField<T>(each, each);
}

template <NamedEnum T>
constexpr std::string_view NameOf(T value) {
  constexpr auto kNames = NamesOf(std::type_identity<T>{});
  return kNames.names[static_cast<std::size_t>(value)];
}

template <NamedEnum T>
constexpr std::optional<T> ValueNamed(std::string_view name) {
  constexpr auto kNames = NamesOf(std::type_identity<T>{});
  for (std::size_t i = 0; i < std::size(kNames.names); ++i) {
    if (kNames.names[i] == name) return static_cast<T>(i);
  }
  return std::nullopt;
}

}  // namespace warpcheck
