// Fixtures for the checks of an assignment.
#pragma once

#include <gtest/gtest.h>

#include <concepts>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "base/check.h"
#include "checks/array.h"
#include "checks/plan.h"
#include "checks/random.h"
#include "checks/session.h"
#include "checks/trial.h"

namespace warpcheck {

// One call of the student's function, and its arguments.
class Assignment : public testing::Test {
 protected:
  // An input: a copy of `values` in device memory, that has to be unchanged after the call.
  template <class T>
  DeviceArray<const T> Upload(std::vector<T> values) const;
  // An output: row-major extents, slowest first; every byte is 0xFF, which is NaN for floats.
  template <class T>
  DeviceArray<T> Unwritten(std::integral auto... extents) const;
  // An array that the call updates; without extents it has one dimension.
  template <class T>
  DeviceArray<T> Updated(const std::vector<T>& values, Extents extents = {}) const;

  // The same, but elements with all bits set count as never written, as those of Unwritten do.
  template <class T>
  DeviceArray<T> PartlyWritten(const std::vector<T>& values, Extents extents = {}) const;

  // Inputs from the hidden seed and TrialName(): different in each call of one trial.
  std::vector<float> RandomFloats(std::integral auto count, float low = -1, float high = 1);
  std::vector<int> RandomInts(std::integral auto count, int low, int high);

  // Calls the student's function of this name and type in a fresh submission host, on a fresh
  // device. `function` is the linked-in reference's; it is not called.
  template <class... Parameters, class... Arguments>
  Trial Call(void (*function)(Parameters...), const Arguments&... arguments);

  // Makes calls (MakePlan) one after the other in one submission host, on one device: arrays keep
  // what earlier calls made of them. One trial for each call, up to the first that does not return;
  // Limits() are those of all together.
  std::vector<Trial> CallInTurn(const std::vector<Plan>& calls);

  // The reference's run with the arguments of `trial`, in this process. A reference that fails ends
  // the case as kInvalidReference.
  Trial CallReference(const Trial& trial) const;

  virtual CallLimits Limits() const { return {}; }
  // What the inputs are drawn for. Default: the running test.
  virtual std::string TrialName() const;

 private:
  Random& Generator();

  std::optional<Random> generator_;
};

// Several tests over the same parameters, which share one trial each of submission and reference.
// Fixtures over one Parameter type share trials of equal names: a derived fixture that looks at
// some of them again costs nothing, and one whose Perform differs has to override TrialName.
template <class Parameter>
class AssignmentOver : public Assignment, public testing::WithParamInterface<Parameter> {
 protected:
  // Makes the arguments from GetParam() and returns Call(...).
  virtual Trial Perform() = 0;

  const Trial& CallOnce() {
    return Session::Current().Once(Key("submission"), [this] { return Perform(); });
  }

  // The reference's run, made after the submission's.
  const Trial& Reference() {
    const Trial& trial = CallOnce();
    return Session::Current().Once(Key("reference"), [&] { return CallReference(trial); });
  }

  std::string TrialName() const override { return testing::PrintToString(this->GetParam()); }

 private:
  std::string Key(std::string_view who) const {
    return std::string(who) + " " + typeid(Parameter).name() + " " + TrialName();
  }
};

// From here on, implementation.

template <class T>
DeviceArray<const T> Assignment::Upload(std::vector<T> values) const {
  Extents extents = {values.size()};
  return {std::make_shared<ArrayStart>(
      ArrayStart{typeid(T), std::move(extents), SharedBytes::Of(std::move(values)), true})};
}

template <class T>
DeviceArray<T> Assignment::Updated(const std::vector<T>& values, Extents extents) const {
  if (extents.empty()) extents = {values.size()};
  std::size_t elements = 1;
  for (const std::size_t extent : extents) elements *= extent;
  WARPCHECK_CHECK(elements == values.size(), "Updated: the extents are of another size");
  return {std::make_shared<ArrayStart>(
      ArrayStart{typeid(T), std::move(extents), BytesOf(values), false})};
}

template <class T>
DeviceArray<T> Assignment::PartlyWritten(const std::vector<T>& values, Extents extents) const {
  auto start = std::make_shared<ArrayStart>(*Updated(values, std::move(extents)).start);
  start->unwritten = UnsetElements(start->bytes, sizeof(T));
  return {std::move(start)};
}

template <class T>
DeviceArray<T> Assignment::Unwritten(std::integral auto... extents) const {
  Extents shape{static_cast<std::size_t>(extents)...};
  std::size_t bytes = sizeof(T);
  for (const std::size_t extent : shape) bytes *= extent;
  return {std::make_shared<ArrayStart>(ArrayStart{typeid(T),
                                                  std::move(shape),
                                                  std::vector<std::byte>(bytes, std::byte{0xFF}),
                                                  false,
                                                  {{0, bytes}}})};
}

std::vector<float> Assignment::RandomFloats(std::integral auto count, float low, float high) {
  return Generator().Floats(static_cast<std::size_t>(count), low, high);
}

std::vector<int> Assignment::RandomInts(std::integral auto count, int low, int high) {
  return Generator().Ints(static_cast<std::size_t>(count), low, high);
}

template <class... Parameters, class... Arguments>
Trial Assignment::Call(void (*function)(Parameters...), const Arguments&... arguments) {
  return std::move(CallInTurn({MakePlan(function, arguments...)}).front());
}

}  // namespace warpcheck
