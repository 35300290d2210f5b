// A call of the student's function: made once from its arguments, carried out in a submission host
// and, with the linked-in reference, in the judge.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
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

// The mangled name of a function of this program, which has to export its symbols (-rdynamic).
std::string MangledName(const void* function);

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
  // Calls the linked-in function with `arrays` at these addresses.
  std::function<void(std::span<const DeviceAddress> addresses)> invoke;

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

// Gives the argument at each call of the linked-in function.
template <class P>
using Source = std::function<P(std::span<const DeviceAddress>)>;

template <class P, class T>
Source<P> Bind(Plan& plan, const DeviceArray<T>& array) {
  static_assert(std::is_convertible_v<T*, P>,
                "the parameter is no pointer to the array's elements (inputs need const)");
  const Plan::ArrayIndex index = plan.Add(array.start);
  plan.arguments.emplace_back(std::in_place_index<0>, index);
  return [index](std::span<const DeviceAddress> addresses) {
    return reinterpret_cast<P>(addresses[index]);
  };
}

template <class P, class T>
Source<P> Bind(Plan& plan, const HostArray<T>& array) {
  static_assert(std::is_convertible_v<T*, P>, "the parameter is no pointer to these elements");
  plan.arguments.emplace_back(std::in_place_index<1>, remote::HostArray{BytesOf(array.values)});
  const auto copy = std::make_shared<std::vector<T>>();
  return [copy, values = array.values](std::span<const DeviceAddress>) {
    *copy = values;
    return static_cast<P>(copy->data());
  };
}

template <class P, class A>
requires std::is_arithmetic_v<A> Source<P> Bind(Plan& plan, const A& argument) {
  const P value = static_cast<P>(argument);
  plan.arguments.emplace_back(std::in_place_index<1>, Scalar(value));
  return [value](std::span<const DeviceAddress>) { return value; };
}

}  // namespace plan_internal

template <class... Parameters, class... Arguments>
Plan MakePlan(void (*function)(Parameters...), const Arguments&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "one argument for each parameter");
  Plan plan;
  plan.function = MangledName(reinterpret_cast<const void*>(function));
  std::tuple<plan_internal::Source<Parameters>...> sources{
      plan_internal::Bind<Parameters>(plan, arguments)...};
  plan.invoke = [function, sources](std::span<const DeviceAddress> addresses) {
    std::apply([&](const auto&... source) { function(source(addresses)...); }, sources);
  };
  return plan;
}

}  // namespace warpcheck
