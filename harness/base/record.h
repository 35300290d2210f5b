// The fields of a record, listed once, for whatever is done with each of them (json_record.h):
//
//   template <>
//   inline constexpr auto kFieldsOf<GradingPlan> =
//       std::tuple{RecordField{"device", &GradingPlan::device},
//                  RecordField{"seed", &GradingPlan::seed}};
//
// and the names of an enumeration's values, where it is known by them: by the functions that tell
// them, or as a list in the order of the values from 0:
//
//   template <>
//   inline constexpr auto kNamesOf<Verdict> = EnumNames<Verdict>{Name, VerdictNamed};
//   template <>
//   inline constexpr auto kNamesOf<Memory> = EnumList{"global", "shared"};
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace warpcheck {

// Left out where it is as in a new record, if kMayBeAbsent.
template <class Record, class Member, bool kMayBeAbsent = false>
struct RecordField {
  const char* name;
  Member Record::*member;
  static constexpr bool may_be_absent = kMayBeAbsent;
};
template <class Record, class Member>
RecordField(const char*, Member Record::*) -> RecordField<Record, Member>;

template <class Record, class Member>
constexpr RecordField<Record, Member, true> IfChanged(const char* name, Member Record::*member) {
  return {name, member};
}

template <class T>
inline constexpr std::nullptr_t kFieldsOf = nullptr;

template <class Enum>
struct EnumNames {
  std::string_view (*name)(Enum value);
  std::optional<Enum> (*named)(std::string_view name);
};

template <std::size_t kSize>
struct EnumList {
  std::string_view names[kSize];
};
template <class... Texts>
EnumList(Texts...) -> EnumList<sizeof...(Texts)>;

template <class T>
inline constexpr std::nullptr_t kNamesOf = nullptr;

template <class T>
concept Record = !std::is_same_v<std::remove_cvref_t<decltype(kFieldsOf<T>)>, std::nullptr_t>;
template <class T>
concept NamedEnum = !std::is_same_v<std::remove_cvref_t<decltype(kNamesOf<T>)>, std::nullptr_t>;

template <NamedEnum T>
constexpr std::string_view NameOf(T value) {
  if constexpr (requires { kNamesOf<T>.names; }) {
    return kNamesOf<T>.names[static_cast<std::size_t>(value)];
  } else {
    return kNamesOf<T>.name(value);
  }
}

template <NamedEnum T>
constexpr std::optional<T> ValueNamed(std::string_view name) {
  if constexpr (requires { kNamesOf<T>.names; }) {
    const auto& names = kNamesOf<T>.names;
    for (std::size_t i = 0; i < std::size(names); ++i) {
      if (names[i] == name) return static_cast<T>(i);
    }
    return std::nullopt;
  } else {
    return kNamesOf<T>.named(name);
  }
}

}  // namespace warpcheck
