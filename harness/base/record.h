// The fields of a record, listed once, for whatever is done with each of them (json_record.h):
//
//   template <>
//   inline constexpr auto kFieldsOf<GradingPlan> =
//       std::tuple{RecordField{"device", &GradingPlan::device},
//                  RecordField{"seed", &GradingPlan::seed}};
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace warpcheck {

template <class Record, class Member>
struct RecordField {
  const char* name;
  Member Record::*member;
};

template <class T>
inline constexpr std::nullptr_t kFieldsOf = nullptr;

template <class T>
concept Record = !std::is_same_v<std::remove_cvref_t<decltype(kFieldsOf<T>)>, std::nullptr_t>;

}  // namespace warpcheck
