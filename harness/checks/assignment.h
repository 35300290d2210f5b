// Fixtures for the checks of an assignment.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "base/check.h"
#include "checks/drawn.h"
#include "checks/random.h"
#include "trial/array.h"
#include "trial/case_log.h"
#include "trial/plan.h"
#include "trial/session.h"
#include "trial/trial.h"

namespace warpcheck {

// Calls of the student's function, and their arguments.
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

  // Inputs from the hidden seed and the name of what is planned: different in each call of a case.
  // Some are zeros, repeated, small or whatever else the mixture says (random.h).
  std::vector<float> RandomFloats(std::integral auto count, float low = -1, float high = 1,
                                  const Mixture& mixture = {}) {
    return Generator().Floats(static_cast<std::size_t>(count), low, high, mixture);
  }
  std::vector<float> RandomMultiples(std::integral auto count, float unit, int low, int high) {
    return Generator().Multiples(static_cast<std::size_t>(count), unit, low, high);
  }
  std::vector<int> RandomInts(std::integral auto count, int low, int high) {
    return Generator().Ints(static_cast<std::size_t>(count), low, high);
  }

  virtual CallLimits Limits() const { return {}; }
  // What the inputs are drawn for. Default: the running test.
  virtual std::string TrialName() const;

  // A test of calls that were made in turn is judged for each of them: it runs for the first, which
  // is the case's own, and where that is right again for each of the others.
  void TestBody() override = 0;
  void TearDown() override;

  // The call that the test is judged for; null before any was made.
  const Trial* judged() const { return judged_; }
  // The test is judged for these, which outlive it; gives the first.
  const Trial& JudgeInTurn(const std::vector<Trial>& trials);
  // Whether a test of its own judges the call that is judged.
  virtual bool HasCaseOfItsOwn() const { return false; }
  // What the parameter of that call is called: empty where it has none.
  virtual std::string NameOfCall() const { return {}; }

  // What `make` gives with inputs that are drawn for `label`.
  template <class Make>
  auto Drawn(const std::string& label, Make make) {
    auto before = std::exchange(generator_, Random(Session::Current().seed(), label));
    auto made = make();
    generator_ = std::move(before);
    return made;
  }

 private:
  Random& Generator();
  // What the test says of a call.
  std::vector<Charge> ChargesOf(const Trial& trial);
  // False where the test has failed for it.
  bool JudgeLater(const Trial& trial);

  std::optional<Random> generator_;
  const std::vector<Trial>* trials_ = nullptr;
  const Trial* judged_ = nullptr;
};

// The parameters of all cases over one type, by their names: a case finds others in them.
template <class Parameter>
std::map<std::string, Parameter>& AllCases() {
  static std::map<std::string, Parameter> cases;
  return cases;
}

// The last argument of INSTANTIATE_TEST_SUITE_P: names a case as its parameter prints, after a
// prefix, and remembers the parameter.
class CaseNames {
 public:
  explicit CaseNames(std::string prefix = {}) : prefix_(std::move(prefix)) {}

  template <class Parameter>
  std::string operator()(const testing::TestParamInfo<Parameter>& info) const {
    const std::string name = testing::PrintToString(info.param);
    AllCases<Parameter>().emplace(name, info.param);
    return prefix_ + name;
  }

 private:
  std::string prefix_;
};

// Several tests over the same parameters, which share one trial of the submission each.
// Fixtures over one Parameter type share trials of equal names: a derived fixture that looks at
// some of them again costs nothing, and one whose Perform differs has to override TrialName.
// INSTANTIATE_TEST_SUITE_P needs CaseNames().
template <class Parameter>
class AssignmentOver : public Assignment, public testing::WithParamInterface<Parameter> {
 protected:
  // That of the call which is planned or judged: the case's own for the first call.
  const Parameter& GetParam() const {
    if (planned_for_ != nullptr) return *planned_for_;
    if (judged() == nullptr || !judged()->plan->parameter) return Own();
    return *static_cast<const Parameter*>(judged()->plan->parameter.get());
  }

  // A call with GetParam(): makes the arguments, and MakePlan<&function>(arguments...).
  virtual Plan Perform() = 0;

  // The calls of the case, made in turn by one process, on one device, up to the first that does
  // not return: arrays that are in several keep what earlier calls made of them. The first is what
  // the case is about; targets are set on all that have its parameter. By default Perform()'s; the
  // same with other data, every second time in the same memory; and another case's, which costs
  // little compared to others.
  using Plans = std::vector<std::shared_ptr<const Plan>>;
  virtual Plans Calls();

  const Trial& CallOnce() {
    if (judged() != nullptr) return *judged();
    Session& session = Session::Current();
    return JudgeInTurn(session.Once(Key(), [&] {
      std::vector<Trial> trials =
          session.Call(Calls(), this->Limits(), [this] { return OnOtherData(); });
      for (Trial& trial : trials)
        trial.has_targets = trial.earlier_calls == 0 || IsOwn(*trial.plan);
      return trials;
    }));
  }

  std::string TrialName() const override { return testing::PrintToString(this->GetParam()); }

  // For Calls(): a call of a case with this parameter.
  std::shared_ptr<const Plan> CallOf(const Parameter& parameter, Plan plan) {
    plan.parameter = std::make_shared<const Parameter>(parameter);
    plan.instructions = For(parameter, [this] { return this->Limits().instructions; });
    return std::make_shared<const Plan>(std::move(plan));
  }

 private:
  static const Parameter& Own() { return testing::WithParamInterface<Parameter>::GetParam(); }
  static bool IsOwn(const Plan& plan) {
    const auto* parameter = static_cast<const Parameter*>(plan.parameter.get());
    return parameter != nullptr &&
           testing::PrintToString(*parameter) == testing::PrintToString(Own());
  }
  std::string Key() const { return std::string(typeid(Parameter).name()) + " " + TrialName(); }
  bool HasCaseOfItsOwn() const override {
    const std::string name = testing::PrintToString(GetParam());
    return name != testing::PrintToString(Own()) && AllCases<Parameter>().contains(name);
  }
  std::string NameOfCall() const override { return testing::PrintToString(GetParam()); }

  // Calls make(...) with this parameter as GetParam().
  template <class Make>
  auto For(const Parameter& parameter, Make make) {
    const Parameter* const before = std::exchange(planned_for_, &parameter);
    auto made = make();
    planned_for_ = before;
    return made;
  }
  // Calls() once more, with inputs that are drawn anew.
  Plans OnOtherData() {
    draw_ = "other data of ";
    Plans plans = this->Drawn(draw_ + TrialName(), [this] { return Calls(); });
    draw_.clear();
    return plans;
  }
  // Of those that are called again.
  std::shared_ptr<const Plan> WithOtherData(const Parameter& parameter);
  std::vector<Parameter> CheapCases();

  const Parameter* planned_for_ = nullptr;
  std::string draw_;  // which inputs are drawn: the call's own where it is empty
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
  WARPCHECK_CHECK(ElementsOf(extents) == values.size(), "Updated: the extents are of another size");
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
  const std::size_t bytes = ElementsOf(shape) * sizeof(T);
  return {std::make_shared<ArrayStart>(ArrayStart{typeid(T),
                                                  std::move(shape),
                                                  std::vector<std::byte>(bytes, std::byte{0xFF}),
                                                  false,
                                                  {{0, bytes}}})};
}

// A quarter of what the dearest case may cost, or the cheapest: by Limits(), which say it roughly.
template <class Parameter>
std::vector<Parameter> AssignmentOver<Parameter>::CheapCases() {
  const auto& all = AllCases<Parameter>();
  std::vector<std::uint64_t> costs;
  for (const auto& [name, parameter] : all) {
    costs.push_back(For(parameter, [this] { return this->Limits().instructions; }));
  }
  WARPCHECK_CHECK(!costs.empty(), "instantiate the tests with warpcheck::CaseNames()");
  const auto [least, most] = std::ranges::minmax(costs);
  std::vector<Parameter> cheap;
  std::size_t i = 0;
  for (const auto& [name, parameter] : all) {
    if (const std::uint64_t cost = costs[i++]; cost == least || cost <= most / 4) {
      cheap.push_back(parameter);
    }
  }
  return cheap;
}

template <class Parameter>
std::shared_ptr<const Plan> AssignmentOver<Parameter>::WithOtherData(const Parameter& parameter) {
  return For(parameter, [&]() -> std::shared_ptr<const Plan> {
    const std::string label = draw_ + "again " + TrialName();
    return Session::Current().PlannedOnce(draw_ + Key(), [&] {
      return CallOf(parameter, this->Drawn(label, [this] { return Perform(); }));
    });
  });
}

template <class Parameter>
auto AssignmentOver<Parameter>::Calls() -> Plans {
  const auto name_of = [](const Parameter& parameter) { return testing::PrintToString(parameter); };
  const auto& all = AllCases<Parameter>();
  const auto place = std::distance(all.begin(), all.find(name_of(Own())));
  const auto again = WithOtherData(Own());
  Plans calls{CallOf(Own(), Perform()), place % 2 == 0 ? again : Elsewhere(again)};
  std::vector<Parameter> others = this->CheapCases();
  std::erase_if(others, [&](const Parameter& other) { return name_of(other) == name_of(Own()); });
  if (!others.empty()) {
    Random random(Session::Current().seed(), "another than " + TrialName());
    const int last = static_cast<int>(others.size()) - 1;
    calls.push_back(WithOtherData(others[static_cast<std::size_t>(random.Ints(1, 0, last)[0])]));
  }
  return calls;
}

}  // namespace warpcheck
