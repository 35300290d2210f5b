// A call of the student's function: made once from its arguments, carried out in a submission host.
#pragma once

#include <chrono>
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

#include "checks/array.h"
#include "device/types.h"
#include "remote/call.h"

namespace warpcheck {

// What all calls of a submission may use together, in all cases: work, which is the same on every
// machine, and about half a minute of a machine of 2024. It is one budget: who uses half of the
// instructions has half of the requests, bytes and seconds left. Once it is used up, the cases that
// are left fail.
struct SubmissionBudget {
  // Of warps, as the emulator counts them: what takes longer than others counts several times, and
  // so do launches. Emulator only.
  std::uint64_t instructions = 2'000'000'000;
  std::uint64_t requests = 500'000;               // to the device
  std::uint64_t bytes = std::uint64_t{32} << 30;  // that these move; short rows count as longer
  // Processor time, and time in which the host waits of its own will.
  std::chrono::milliseconds host_time{30'000};
};

// What one call may use; the host's time is that of all calls that are made in turn.
struct CallLimits {
  std::uint64_t instructions = 400'000'000;  // of all its kernels' warps together; emulator only
  std::uint64_t device_bytes = std::uint64_t{256} << 20;  // emulator only
  // Processor time of the host, of its threads and processes together; and time that it spends
  // waiting of its own will. How long that takes on a busy machine is of no account.
  std::chrono::milliseconds host_time{10'000};
  // Of one kernel on a GPU, which nobody else uses meanwhile: there is nothing to count it by.
  std::chrono::milliseconds launch_time{10'000};
  SubmissionBudget submission{};
};

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
