// These fixtures serve the checks of an assignment: they make arguments, plan calls, and have the
// calls made.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "base/check.h"
#include "checks/drawn.h"
#include "checks/next_case.h"
#include "checks/promises.h"
#include "checks/random.h"
#include "checks/speed/speed.h"
#include "trial/array.h"
#include "trial/case_log.h"
#include "trial/plan.h"
#include "trial/session.h"
#include "trial/trial.h"

namespace warpcheck {

// Assignment is the base of all fixtures. It makes the arguments for calls of the student's
// function.
class Assignment : public testing::Test {
 protected:
  // Makes an input: a copy of `values` in device memory, which the call must not change. Without
  // extents, the array has one dimension.
  template <class T>
  DeviceArray<const T> Upload(std::vector<T> values, Extents extents = {}) const;
  // Makes an output with these row-major extents, the slowest dimension first. Every byte is 0xFF
  // at first, so that floats are NaN.
  template <class T>
  DeviceArray<T> Unwritten(std::integral auto... extents) const;
  // Makes an array that the call updates. Without extents, the array has one dimension.
  template <class T>
  DeviceArray<T> Updated(const std::vector<T>& values, Extents extents = {}) const;

  // Makes an array as Updated() does. Elements with all bits set count as never written, as in an
  // array of Unwritten().
  template <class T>
  DeviceArray<T> PartlyWritten(const std::vector<T>& values, Extents extents = {}) const;

  // Returns numbers that are drawn from the hidden seed and the name of the call, so that each call
  // of a case has its own numbers. `mixture` says which share of them are zeros, repeated or small
  // (random.h).
  std::vector<float> RandomFloats(std::integral auto count, float low = -1, float high = 1,
                                  const Mixture& mixture = {}) {
    return Generator().Floats(static_cast<std::size_t>(count), low, high, mixture);
  }
  std::vector<float> RandomMultiples(std::integral auto count, float unit, int low, int high) {
    return Generator().Multiples(static_cast<std::size_t>(count), unit, low, high);
  }
  std::vector<double> RandomDoubles(std::integral auto count, double low = -1, double high = 1,
                                    const Mixture& mixture = {}) {
    return Generator().Doubles(static_cast<std::size_t>(count), low, high, mixture);
  }
  std::vector<unsigned char> RandomBytes(std::integral auto count, int low = 0, int high = 255) {
    return Generator().Bytes(static_cast<std::size_t>(count), low, high);
  }
  std::vector<int> RandomPermutation(std::integral auto count) {
    return Generator().Permutation(static_cast<std::size_t>(count));
  }
  std::vector<unsigned char> RandomImage(std::integral auto height, std::integral auto width) {
    return Generator().Image(static_cast<std::size_t>(height), static_cast<std::size_t>(width));
  }
  std::vector<int> RandomInts(std::integral auto count, int low, int high) {
    return Generator().Ints(static_cast<std::size_t>(count), low, high);
  }

  // A DataKind says what data the planned call has. The calls of a case have each kind in turn, so
  // that no program can be right for one kind alone.
  struct DataKind {
    bool all_digits = false;  // else such that no sum is rounded, if the assignment has such data
    int exponent = 0;         // the numbers are 2^exponent times as large as the promise allows
  };
  DataKind Kind();
  // Returns whether a plan has asked for Kind().
  bool HasKinds() const { return has_kinds_; }

  // Returns the limits of each call.
  virtual CallLimits Limits() const { return {}; }
  // Returns the label for which inputs are drawn. By default it is the name of the running test.
  virtual std::string TrialName() const;

  // Judges one call; it is the body of a test. It runs first for the case's own call. If that call
  // passes, TearDown() runs the body again for each of the calls that were made after it.
  void TestBody() override = 0;
  void TearDown() override;

  // Returns the call that the body judges now, or null before any call is made.
  const Trial* judged() const { return judged_; }
  // Sets the calls that the test is run for, and returns the first of them. The calls must outlive
  // the fixture.
  const Trial& JudgeInTurn(const std::vector<Trial>& trials);
  // Returns true if another case judges the current call as its own.
  virtual bool HasCaseOfItsOwn() const { return false; }
  // Returns the name of the current call's parameter; empty if it has no parameter.
  virtual std::string NameOfCall() const { return {}; }

  // Times the call that `plan` returns for a label (SpeedTest::plan), and gives each finished trial
  // to `judge`.
  SpeedMeasurement Timed(const std::function<SpeedTest::PlanPointer(const std::string&)>& plan,
                         const std::function<void(const Trial&)>& judge);

  // Returns the name of the suite of the running test.
  static std::string RunningSuite();
  // Returns whether the running suite may use the trials for `key`, which begin with `plan`: it has
  // made them, just now (`made`) or earlier, or it plans the same call.
  static bool SharesTrials(const std::string& key, bool made, const Plan& plan,
                           const std::function<Plan()>& plan_of_suite);

  // Returns make(). Its inputs are drawn for `label`. `turn` counts the draws for one case, from 0.
  template <class Make>
  auto Drawn(const std::string& label, Make make, int turn = 0) {
    auto before = std::exchange(generator_, Random(Session::Current().seed(), label));
    const int turn_before = std::exchange(turn_, turn);
    auto made = make();
    generator_ = before;
    turn_ = turn_before;
    return made;
  }
  // Returns the kind of data of a case's first call: kinds are counted from 0.
  virtual int FirstKind() const;
  static constexpr int kDataKinds = 3;

 private:
  Random& Generator();
  // Runs `judge`, which judges the call, and returns its failures.
  std::vector<CaseFailure> FailuresOf(const Trial& trial, const std::function<void()>& judge);
  // Runs the body for a later call. Returns false if it fails.
  bool JudgeLater(const Trial& trial);

  std::optional<Random> generator_;
  int turn_ = 0;
  bool has_kinds_ = false;
  const std::vector<Trial>* trials_ = nullptr;
  const Trial* judged_ = nullptr;
};

// Holds the parameters of all cases of one parameter type, by name, so that a case can use the
// parameter of another.
template <class Parameter>
std::map<std::string, Parameter>& AllCases() {
  static std::map<std::string, Parameter> cases;
  return cases;
}

// CaseNames is the last argument of INSTANTIATE_TEST_SUITE_P. It names a case by a prefix and the
// text of its parameter, and adds the parameter to AllCases().
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

// This is a fixture of tests with parameters. Tests with the same parameter share one trial of the
// submission, also across fixtures of the same Parameter type whose Perform() plans the same call
// (function, arguments and data), so that a further test costs no further call. Override
// TrialName() if only Calls() differs, or to draw other data. INSTANTIATE_TEST_SUITE_P needs
// CaseNames() as its last argument.
template <class Parameter>
class AssignmentOver : public Assignment, public testing::WithParamInterface<Parameter> {
 protected:
  // Returns the parameter of the call that is now planned or judged. For the first call this is the
  // case's own parameter.
  const Parameter& GetParam() const {
    if (planned_for_ != nullptr) return *planned_for_;
    if (judged() == nullptr || !judged()->plan->parameter) return Own();
    return *static_cast<const Parameter*>(judged()->plan->parameter.get());
  }

  // Plans a call with GetParam(): makes the arguments and returns
  // MakePlan<&function>(arguments...).
  virtual Plan Perform() = 0;

  // Returns the calls of the case. One process makes them in turn on one device, and stops after
  // the first that does not return. An array that is in several calls keeps what earlier calls left
  // there. The case judges the first call; targets apply to all calls with its parameter. By
  // default there are four calls: Perform(); the same call with other data, in fresh memory; again
  // with other data, in the first call's memory; and a call of another case that costs little
  // (NextCase()). In the first of the cheapest cases the same call follows with further data, up to
  // kManyCalls calls.
  using Plans = std::vector<std::shared_ptr<const Plan>>;
  virtual Plans Calls();
  static constexpr int kManyCalls = 16;

  const Trial& CallOnce() {
    if (judged() != nullptr) return *judged();
    for (int other = 0;; ++other) {
      const std::string key = Key() + " " + std::to_string(other);
      bool made = false;
      const std::vector<Trial>& trials = Session::Current().Once(key, [&] {
        made = true;
        return MakeCalls();
      });
      if (IsSuitesOwn(key, made, trials)) return JudgeInTurn(trials);
    }
  }

  // Times calls of Perform() with the case's parameter, each with data of its own, against calls of
  // the reference with the same data; for Speed(). `judge` judges each of them as the body of a
  // test does, with the matchers for right results. Choose parameters of tens of megabytes: shorter
  // calls say nothing of speed.
  SpeedMeasurement TimedAgainstReference(const std::function<void(const Trial& trial)>& judge) {
    const auto plan = [this](const std::string& label) {
      return CallOf(Own(), this->Drawn(label + TrialName(), [this] { return Perform(); }));
    };
    return this->Timed(plan, judge);
  }

  std::string TrialName() const override { return testing::PrintToString(this->GetParam()); }
  // Returns a call with this parameter and further data, which are others for each `number`.
  std::shared_ptr<const Plan> WithOtherData(const Parameter& parameter, int number = 1);

  // Turns a plan into a call of the case with this parameter, for Calls().
  std::shared_ptr<const Plan> CallOf(const Parameter& parameter, Plan plan) {
    plan.parameter = std::make_shared<const Parameter>(parameter);
    plan.parameter_name = testing::PrintToString(parameter);
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
  std::vector<Trial> MakeCalls() {
    const Plans calls = Calls();
    for (const auto& call : calls) Promises::Current().See(*call);
    std::vector<Trial> trials =
        Session::Current().Call(calls, this->Limits(), [this] { return OnOtherData(); });
    for (Trial& trial : trials) trial.has_targets = trial.earlier_calls == 0 || IsOwn(*trial.plan);
    return trials;
  }
  // Returns whether the running suite has made the trials, now or earlier, or plans the same call.
  bool IsSuitesOwn(const std::string& key, bool made, const std::vector<Trial>& trials) {
    const auto plan = [this] { return Perform(); };
    return SharesTrials(key, made, *trials.front().plan,
                        [&] { return this->Drawn(this->TrialName(), plan); });
  }
  std::string Key() const { return std::string(typeid(Parameter).name()) + " " + TrialName(); }
  bool HasCaseOfItsOwn() const override {
    const std::string name = testing::PrintToString(GetParam());
    return name != testing::PrintToString(Own()) && AllCases<Parameter>().contains(name);
  }
  std::string NameOfCall() const override { return testing::PrintToString(GetParam()); }

  // Returns make(), in which GetParam() returns this parameter.
  template <class Make>
  auto For(const Parameter& parameter, Make make) {
    const Parameter* const before = std::exchange(planned_for_, &parameter);
    auto made = make();
    planned_for_ = before;
    return made;
  }
  // Returns Calls() with new inputs.
  Plans OnOtherData() {
    draw_ = "other data of ";
    Plans plans = this->Drawn(draw_ + TrialName(), [this] { return Calls(); });
    draw_.clear();
    return plans;
  }
  std::vector<std::uint64_t> CostsOfCases();  // in the order of AllCases()

  const Parameter* planned_for_ = nullptr;
  std::string
      draw_;  // a prefix of the labels for which inputs are drawn; empty for the case's own inputs
};

// Once<Fixture> makes a single call, or two if the assignment has data of several kinds
// (Assignment::Kind). It serves for a size that costs much, such as the largest one that the
// handout promises. INSTANTIATE_TEST_SUITE_P then needs testing::PrintToStringParamName() instead
// of CaseNames(), so that no other case makes the call too.
template <class Fixture>
class Once : public Fixture {
 protected:
  typename Fixture::Plans Calls() override {
    typename Fixture::Plans calls{this->CallOf(this->GetParam(), this->Perform())};
    if (this->HasKinds()) calls.push_back(this->WithOtherData(this->GetParam(), 1));
    return calls;
  }
  int FirstKind() const override { return 0; }
  std::string TrialName() const override { return "once " + Fixture::TrialName(); }
};

template <class T>
DeviceArray<const T> Assignment::Upload(std::vector<T> values, Extents extents) const {
  if (extents.empty()) extents = {values.size()};
  WARPCHECK_CHECK(ElementsOf(extents) == values.size(), "Upload: the extents are of another size");
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

// The costs are estimated from Limits().
template <class Parameter>
std::vector<std::uint64_t> AssignmentOver<Parameter>::CostsOfCases() {
  std::vector<std::uint64_t> costs;
  for (const auto& [name, parameter] : AllCases<Parameter>()) {
    costs.push_back(For(parameter, [this] { return this->Limits().instructions; }));
  }
  WARPCHECK_CHECK(!costs.empty(), "instantiate the tests with warpcheck::CaseNames()");
  return costs;
}

template <class Parameter>
std::shared_ptr<const Plan> AssignmentOver<Parameter>::WithOtherData(const Parameter& parameter,
                                                                     int number) {
  return For(parameter, [&]() -> std::shared_ptr<const Plan> {
    const std::string again = number == 1 ? "again " : fmt::format("again ({}) ", number);
    const std::string label = draw_ + again + TrialName();
    // Another suite may plan calls of another function.
    return Session::Current().PlannedOnce(draw_ + again + Key() + " of " + RunningSuite(), [&] {
      return CallOf(parameter, this->Drawn(
                                   label, [this] { return Perform(); }, number));
    });
  });
}

template <class Parameter>
auto AssignmentOver<Parameter>::Calls() -> Plans {
  const auto name_of = [](const Parameter& parameter) { return testing::PrintToString(parameter); };
  const auto& all = AllCases<Parameter>();
  const auto place = std::distance(all.begin(), all.find(name_of(Own())));
  Plans calls{CallOf(Own(), Perform()), WithFreshMemory(WithOtherData(Own(), 1)),
              WithOtherData(Own(), 2)};
  Random random(Session::Current().seed(), "another than " + TrialName());
  const std::vector<std::uint64_t> costs = CostsOfCases();
  const auto next = NextCase(costs, static_cast<std::size_t>(place), random);
  if (next) {
    calls.push_back(
        WithOtherData(std::next(all.begin(), static_cast<std::ptrdiff_t>(*next))->second));
  }
  if (place == std::distance(costs.begin(), std::ranges::min_element(costs))) {
    for (int number = static_cast<int>(calls.size()); number < kManyCalls; ++number) {
      calls.push_back(WithOtherData(Own(), number));
    }
  }
  return calls;
}

}  // namespace warpcheck
