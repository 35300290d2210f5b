// Makes a remote::StructValue of a struct that a student's function takes by value. It finds the
// members of the struct, because the ABI passes floating-point members in other registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "remote/call.h"

namespace warpcheck {

namespace struct_internal {

inline constexpr std::size_t kRegisterBytes = 8;

// Stands for a member of any type. It is never converted at run time.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

template <class T, std::size_t... kIndices>
constexpr bool Takes(std::index_sequence<kIndices...>) {
  return requires { T{(static_cast<void>(kIndices), AnyMember())...}; };
}

// Returns the number of members of a struct without constructors.
template <class T, std::size_t kCount = sizeof(T)>
constexpr std::size_t Members() {
  if constexpr (kCount == 0 || Takes<T>(std::make_index_sequence<kCount>())) {
    return kCount;
  } else {
    return Members<T, kCount - 1>();
  }
}

// Notes that integers lie in these bytes of the struct at `begin`.
inline void NoteIntegers(remote::StructValue& value, const std::byte* begin, const void* member) {
  const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(member) - begin);
  (at < kRegisterBytes ? value.first_in_float_register : value.second_in_float_register) = false;
}

template <class T>
void NoteMembers(remote::StructValue& value, const std::byte* begin, const T& part) {
  static_assert(!std::is_pointer_v<T>,
                "a struct cannot hold pointers: the judge's memory is "
                "passed by parameters that are pointers");
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    NoteIntegers(value, begin, &part);
  } else if constexpr (std::is_aggregate_v<T>) {
    const auto each = [&](const auto&... members) { (NoteMembers(value, begin, members), ...); };
    constexpr std::size_t kMembers = Members<T>();
    static_assert(kMembers <= 8 || sizeof(T) == kMembers,
                  "a struct of at most 16 bytes may have at most 8 members");
    if constexpr (kMembers == 1) {
      const auto& [a] = part;
      each(a);
    } else if constexpr (kMembers == 2) {
      const auto& [a, b] = part;
      each(a, b);
    } else if constexpr (kMembers == 3) {
      const auto& [a, b, c] = part;
      each(a, b, c);
    } else if constexpr (kMembers == 4) {
      const auto& [a, b, c, d] = part;
      each(a, b, c, d);
    } else if constexpr (kMembers == 5) {
      const auto& [a, b, c, d, e] = part;
      each(a, b, c, d, e);
    } else if constexpr (kMembers == 6) {
      const auto& [a, b, c, d, e, f] = part;
      each(a, b, c, d, e, f);
    } else if constexpr (kMembers == 7) {
      const auto& [a, b, c, d, e, f, g] = part;
      each(a, b, c, d, e, f, g);
    } else if constexpr (kMembers == 8) {
      const auto& [a, b, c, d, e, f, g, h] = part;
      each(a, b, c, d, e, f, g, h);
    } else {
      value.first_in_float_register = value.second_in_float_register = false;  // only bytes
    }
  } else {
    static_assert(std::is_floating_point_v<T> || sizeof(T) <= 2,
                  "a struct of at most 16 bytes may have no constructors, unless it is as small as "
                  "__half");
    if constexpr (!std::is_floating_point_v<T>) NoteIntegers(value, begin, &part);
  }
}

}  // namespace struct_internal

// T must be trivially copyable and hold no pointers. If it has at most 16 bytes, its members must
// be numbers or structs of them, no arrays.
template <class T>
remote::StructValue StructValueOf(const T& value) {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_empty_v<T>,
                "a struct is passed as its bytes: it must be trivially copyable, and not empty");
  const auto bytes = std::as_bytes(std::span(&value, 1));
  remote::StructValue result{.bytes = {bytes.begin(), bytes.end()}, .alignment = alignof(T)};
  if constexpr (sizeof(T) <= 2 * struct_internal::kRegisterBytes) {
    result.first_in_float_register = true;
    result.second_in_float_register = sizeof(T) > struct_internal::kRegisterBytes;
    struct_internal::NoteMembers(result, bytes.data(), value);
  }
  return result;
}

}  // namespace warpcheck
