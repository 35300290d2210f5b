// A call of the student's function: made once from its arguments, carried out in a submission host.
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

namespace warpcheck {

// A function that students write, by its mangled name. A program that judges has no such function.
template <class Pointer>
struct StudentFunction;

template <class... Parameters>
struct StudentFunction<void (*)(Parameters...)> {
  std::string mangled;
};

namespace plan_internal {

template <auto kFunction>
struct Tag {};

// Of a function outside of namespaces, by the type names of its Tag and of a pointer to it.
std::string MangledName(std::string_view tag, std::string_view pointer);

}  // namespace plan_internal

// FunctionOf<&transpose>(): of a function that is declared, and need not be defined.
template <auto kFunction>
StudentFunction<decltype(kFunction)> FunctionOf() {
  return {plan_internal::MangledName(typeid(plan_internal::Tag<kFunction>).name(),
                                     typeid(decltype(kFunction)).name())};
}

struct Plan {
  // The place of an array in `arrays`.
  using ArrayIndex = std::size_t;

  std::string function;                                   // mangled
  std::vector<std::shared_ptr<const ArrayStart>> arrays;  // each once, in argument order
  std::vector<std::variant<ArrayIndex, remote::Argument>> arguments;
  // A call with the same arguments, which was planned first. The arrays of this one lie where none
  // of an earlier call did; those of other plans get memory of their size again.
  std::shared_ptr<const Plan> again_of;
  // Warp instructions that it may use, where that is not what CallLimits say.
  std::optional<std::uint64_t> instructions;
  // The parameter of the case that it is a call of, where it is one's (AssignmentOver).
  std::shared_ptr<const void> parameter;

  ArrayIndex Add(std::shared_ptr<const ArrayStart> array);
};

// The same call once more, elsewhere in memory.
std::shared_ptr<const Plan> Elsewhere(const std::shared_ptr<const Plan>& plan);

namespace plan_internal {

// A scalar as the fixed-width alternative of remote::Argument.
template <class P>
remote::Argument Scalar(P value) {
  if constexpr (std::is_same_v<P, bool> || std::is_same_v<P, char> || std::is_same_v<P, float> ||
                std::is_same_v<P, double>) {
    return value;
  } else {
    static_assert(std::is_integral_v<P> && (sizeof(P) == 4 || sizeof(P) == 8),
                  "warpcheck calls functions of pointers, int, 64-bit integers, float and double");
    using Signed = std::conditional_t<sizeof(P) == 4, std::int32_t, std::int64_t>;
    using Unsigned = std::make_unsigned_t<Signed>;
    return static_cast<std::conditional_t<std::is_signed_v<P>, Signed, Unsigned>>(value);
  }
}

template <class P, class T>
void Bind(Plan& plan, const DeviceArray<T>& array) {
  static_assert(std::is_convertible_v<T*, P>,
                "the parameter is no pointer to the array's elements (inputs need const)");
  plan.arguments.emplace_back(std::in_place_index<0>, plan.Add(array.start));
}

template <class P, class T>
void Bind(Plan& plan, const HostArray<T>& array) {
  static_assert(std::is_convertible_v<T*, P>, "the parameter is no pointer to these elements");
  plan.arguments.emplace_back(std::in_place_index<1>, remote::HostArray{BytesOf(array.values)});
}

template <class P, class A>
requires std::is_arithmetic_v<A>
void Bind(Plan& plan, const A& argument) {
  plan.arguments.emplace_back(std::in_place_index<1>, Scalar(static_cast<P>(argument)));
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

// MakePlan<&transpose>(in, out, rows, cols)
template <auto kFunction, class... Arguments>
Plan MakePlan(const Arguments&... arguments) {
  return MakePlan(FunctionOf<kFunction>(), arguments...);
}

}  // namespace warpcheck
