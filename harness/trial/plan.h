// A Plan is a planned call of the student's function: its name and arguments, as an assignment sets
// them. The runner carries a plan out in a submission host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "device/types.h"
#include "remote/call.h"
#include "trial/array.h"
#include "trial/struct_value.h"

namespace warpcheck {

// A StudentFunction is a function that students write, named by its mangled name. The judge never
// links the function itself.
template <class Pointer>
struct StudentFunction;

template <class... Parameters>
struct StudentFunction<void (*)(Parameters...)> {
  std::string mangled;
};

namespace plan_internal {

template <auto kFunction>
struct Tag {};

// Returns the mangled name of a function outside of namespaces. `tag` is the type name of its Tag,
// `pointer` the type name of a pointer to it.
std::string MangledName(std::string_view tag, std::string_view pointer);

}  // namespace plan_internal

// FunctionOf<&transpose>() returns the name of a function that is declared. It need not be defined.
template <auto kFunction>
StudentFunction<decltype(kFunction)> FunctionOf() {
  return {plan_internal::MangledName(typeid(plan_internal::Tag<kFunction>).name(),
                                     typeid(decltype(kFunction)).name())};
}

struct Plan {
  // The index of an array in `arrays`.
  using ArrayIndex = std::size_t;

  std::string function;                                   // the mangled name
  std::vector<std::shared_ptr<const ArrayStart>> arrays;  // the arrays in argument order, each once
  // For each of these arrays: whether the function may write it, because it is the argument of a
  // parameter that is no pointer to const.
  std::vector<bool> may_write;
  std::vector<std::variant<ArrayIndex, remote::Argument>> arguments;
  // True if its arrays must lie where no array of an earlier call was. Otherwise memory of the same
  // size is used again.
  bool in_fresh_memory = false;
  // The number of warp instructions that it may use, if it differs from CallLimits.
  std::optional<std::uint64_t> instructions;
  // The parameter of the case that the call belongs to, or null if there is no parameter
  // (AssignmentOver).
  std::shared_ptr<const void> parameter;
  std::string parameter_name;  // its text; empty if there is no parameter

  // Adds the array unless the plan has it already, and returns its index. It is the argument of a
  // parameter by which the function may write it or not.
  ArrayIndex Add(std::shared_ptr<const ArrayStart> array, bool writes);
};

// Returns whether both plans call the same function with the same arguments and data.
bool SameCall(const Plan& a, const Plan& b);

// Returns a plan of the same call with arrays in memory that no earlier call used.
std::shared_ptr<const Plan> WithFreshMemory(const std::shared_ptr<const Plan>& plan);

namespace plan_internal {

// Converts a number to the alternative of remote::Argument that has its width. An enumeration is
// its underlying type.
template <class P>
auto Scalar(P value) {
  if constexpr (std::is_enum_v<P>) {
    return Scalar(static_cast<std::underlying_type_t<P>>(value));
  } else if constexpr (std::is_same_v<P, bool> || std::is_same_v<P, char> ||
                       std::is_same_v<P, float> || std::is_same_v<P, double>) {
    return value;
  } else {
    static_assert(std::is_integral_v<P> && sizeof(P) <= 8,
                  "warpcheck calls functions of pointers, integers, float, double, and small "
                  "structs");
    using Unsigned = std::conditional_t<
        sizeof(P) == 1, std::uint8_t,
        std::conditional_t<sizeof(P) == 2, std::uint16_t,
                           std::conditional_t<sizeof(P) == 4, std::uint32_t, std::uint64_t>>>;
    return static_cast<
        std::conditional_t<std::is_signed_v<P>, std::make_signed_t<Unsigned>, Unsigned>>(value);
  }
}

template <class P, class T>
void Bind(Plan& plan, const DeviceArray<T>& array) {
  static_assert(std::is_convertible_v<T*, P>,
                "the parameter must be a pointer to the array's elements (const for inputs)");
  constexpr bool kIsWritten = !std::is_const_v<std::remove_pointer_t<P>>;
  plan.arguments.emplace_back(std::in_place_index<0>, plan.Add(array.start, kIsWritten));
}

template <class P, class T>
void Bind(Plan& plan, const HostArray<T>& array) {
  static_assert(std::is_convertible_v<T*, P>, "the parameter must be a pointer to these elements");
  constexpr bool kIsWritten = !std::is_const_v<std::remove_pointer_t<P>>;
  plan.arguments.emplace_back(std::in_place_index<1>,
                              remote::HostArray{BytesOf(array.values), array.memory, kIsWritten});
}

template <class P, class A>
requires(std::is_arithmetic_v<A> || std::is_enum_v<A>) void Bind(Plan& plan, const A& argument) {
  plan.arguments.emplace_back(std::in_place_index<1>, Scalar(static_cast<P>(argument)));
}

// Passes a struct by value.
template <class P, class A>
requires(std::is_class_v<P>&& std::is_convertible_v<const A&, P>) void Bind(Plan& plan,
                                                                            const A& argument) {
  plan.arguments.emplace_back(std::in_place_index<1>, StructValueOf<P>(argument));
}

}  // namespace plan_internal

template <class... Parameters, class... Arguments>
Plan MakePlan(const StudentFunction<void (*)(Parameters...)>& function,
              const Arguments&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "one argument for each parameter");
  Plan plan;
  plan.function = function.mangled;
  (plan_internal::Bind<Parameters>(plan, arguments), ...);
  return plan;
}

// Plans a call of the function: MakePlan<&transpose>(in, out, rows, cols).
template <auto kFunction, class... Arguments>
Plan MakePlan(const Arguments&... arguments) {
  return MakePlan(FunctionOf<kFunction>(), arguments...);
}

}  // namespace warpcheck
