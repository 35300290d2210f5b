// The fields of a record, listed once, for whatever is done with each of them (json_record.h):
//
//   template <>
//   inline constexpr auto kFieldsOf<GradingPlan> =
//       std::tuple{RecordField{"device", &GradingPlan::device},
//                  RecordField{"seed", &GradingPlan::seed}};
//
// and the names of an enumeration's values, where it is known by them:
//
//   template <>
//   inline constexpr auto kNamesOf<Verdict> = EnumNames<Verdict>{Name, VerdictNamed};
#pragma once

#include <cstddef>
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

template <class T>
inline constexpr std::nullptr_t kNamesOf = nullptr;

template <class T>
concept Record = !std::is_same_v<std::remove_cvref_t<decltype(kFieldsOf<T>)>, std::nullptr_t>;
template <class T>
concept NamedEnum = !std::is_same_v<std::remove_cvref_t<decltype(kNamesOf<T>)>, std::nullptr_t>;

}  // namespace warpcheck
