#include "checks/counter_matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "base/text.h"
#include "checks/failures/numbers.h"
#include "checks/trial_matchers.h"
#include "device/counters.h"
#include "hardware/geometry.h"
#include "results/reference_counts.h"
#include "trial/case_log.h"
#include "trial/recount.h"
#include "trial/session.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxLines = 3;

// A call that wastes at most this share of the needed amount counts as one without waste.
constexpr double kLittle = 0.05;

// A Target is what a measure must meet, and the names and numbers for its text.
struct Target {
  std::string name;   // the name of the measure, with the selected arrays
  std::string where;  // the selected arrays; empty for all of global memory
  std::string hint;   // the hint of the checks; empty if they have none
  testing::Matcher<double> matcher;
  std::optional<Needed> needed;  // set if the target bounds work
  bool bounds_work = false;      // true if the target is a factor and an amount
  double times = 0;              // the factor, if the target bounds work
  // The factor for calls that waste nearly nothing; 0 if waste makes no difference.
  double times_without_waste = 0;
  // The count of the reference; empty unless the target is a ratio to it.
  std::optional<double> reference{};
  bool counts_copies = true;  // of the host within the device
};

// A Place has the counters of one source line, or of all launches of a kernel if lines are unknown.
struct Place {
  SourceLocation where;
  std::string kernel;
  CounterSet counters;
  const LaunchRecord* launch = nullptr;  // the first launch with this line
  const LineCounters* line = nullptr;
};

// Returns whether the line is a wait: more than half of its accesses poll what another thread
// writes.
bool Waits(const Place& place) {
  if (place.line == nullptr) return false;
  const CounterSet& counters = place.line->counters;
  const std::uint64_t accesses =
      counters.OrZero(Counter::kGlobalRequests) + counters.OrZero(Counter::kSharedRequests);
  return 2 * place.line->polls > accesses;
}

// Judges a trial by a measure.
class MeasureCheck {
 public:
  // `launches` has the launches of the trial, or the part of their counters that belongs to some
  // arrays.
  MeasureCheck(const Measure& measure, const Target& target, const Trial& trial,
               const std::vector<LaunchRecord>& launches)
      : measure_(measure), target_(target), trial_(trial), launches_(launches) {}

  // Returns the value of the measure, or nullopt if it was not measured. Call Failures() first.
  std::optional<double> value() const { return value_; }
  // Returns the part of the value that only the emulator counts. Call Failures() first.
  double emulators_alone() const { return emulators_alone_; }
  // Returns the factor that applies to the call. Call Failures() first.
  double times() const { return wastes_little_ ? target_.times_without_waste : target_.times; }

  std::vector<CaseFailure> Failures() {
    // The totals of the launches suffice here. A GPU knows them before it counts single lines.
    auto launches = ThatRan(launches_);
    if (launches.empty()) {
      return {MakeFailure(ComplaintKind::kNothingToMeasure, Verdict::kFailed,
                          trial_.function + " ran no kernel, so there is nothing to measure")};
    }
    for (const LaunchRecord* launch : launches) {
      if (!launch->unseen.empty() && !measure_.sees_every_way) return {Unseen(*launch)};
    }
    Read(launches);
    if (value_ && Meets(*value_, wastes_little_)) return {};
    if (trial_.later && target_.where.empty()) {
      launches = ThatRan(Session::Current().Measured(trial_));
      Read(launches);
    }
    if (!value_) return {NotMeasured(launches)};
    if (Meets(*value_, wastes_little_)) return {};
    if (IsLowerBound()) return {MakeFailure(Missed(), Verdict::kFailed, Sum(), target_.hint)};
    return ForPlaces(PlacesOf(launches));
  }

 private:
  using Launches = std::vector<const LaunchRecord*>;

  bool Meets(double value, bool wastes_little) const {
    if (wastes_little && target_.times_without_waste > 0) {
      return value <= target_.times_without_waste * target_.needed->quantity;
    }
    return target_.matcher.Matches(target_.reference ? value / *target_.reference : value);
  }

  // Returns whether the call does too little of what the target asks for: then no line is to blame.
  bool IsLowerBound() const { return measure_.is_work && !target_.bounds_work && !Meets(0, false); }

  static Launches ThatRan(const std::vector<LaunchRecord>& records) {
    Launches launches;
    for (const LaunchRecord& launch : records) {
      if (launch.error == DeviceError::kSuccess) launches.push_back(&launch);
    }
    return launches;
  }

  // Reads what the launches counted. Keeps what is known already.
  void Read(const Launches& launches) {
    CounterSet sum = launches.front()->counters;
    for (std::size_t i = 1; i < launches.size(); ++i) sum += launches[i]->counters;
    if (!value_) {
      value_ = measure_.value(sum, measure_.counter);
      if (value_) *value_ += Copies();
    }
    if (value_) {
      CounterSet of_gpu = sum;
      for (const Counter counter : kAllCounters) {
        const bool alone = Info(counter).scope == CounterScope::kEmulator;
        if (alone && of_gpu[counter]) of_gpu.Set(counter, 0);
      }
      emulators_alone_ = *value_ - Copies() - measure_.value(of_gpu, measure_.counter).value_or(0);
    }
    if (target_.times_without_waste <= 0) return;
    wastes_little_ = measure_.waste(sum, measure_.counter) <= kLittle * target_.needed->quantity;
  }

  // Returns what copies of the host within the device add to the value.
  double Copies() const {
    const bool counts = measure_.of_copies != nullptr && target_.counts_copies;
    return counts ? measure_.of_copies(trial_.traffic) : 0;
  }

  ComplaintId Missed() const { return {ComplaintKind::kMissedTarget, target_.name}; }

  // The cost of such a kernel cannot be measured. Its author chose the access, so the case fails.
  static CaseFailure Unseen(const LaunchRecord& launch) {
    return MakeFailure(
        ComplaintKind::kUnseenAccess, Verdict::kFailed,
        fmt::format("{} accesses global memory by {}, which no counter sees", launch.kernel,
                    launch.unseen),
        "load and store by pointers, or load from linear memory by tex1Dfetch: this test "
        "grades how memory is accessed");
  }

  CaseFailure NotMeasured(const Launches& launches) const {
    if (const std::size_t different = DifferentLaunches(trial_.launches);
        trial_.later && target_.where.empty() && different > kMaxRecounts) {
      return MakeFailure(
          ComplaintKind::kTooManyLaunches, Verdict::kFailed,
          fmt::format("{}: not measured. {} made {} different launches, and this "
                      "device counts {} in each call",
                      target_.name, trial_.function, Grouped(different), kMaxRecounts),
          "launch fewer kernels, each for a larger part of the data. The emulator counts all "
          "launches");
    }
    const LaunchRecord* unmeasured = launches.front();
    for (const LaunchRecord* launch : launches) {
      if (!launch->not_measured.empty()) unmeasured = launch;
    }
    const std::string& why = unmeasured->not_measured;
    return MakeFailure(
        {ComplaintKind::kNotMeasured, target_.name}, Verdict::kNotMeasured,
        fmt::format("{} of {} was not measured{}{}", target_.name, unmeasured->kernel,
                    why.empty() ? " on this device" : ": ", why),
        "`warpcheck doctor` says what this machine needs for it. The emulator measures it");
  }

  // Returns the source lines of each kernel, with the counters of all its launches added up.
  static std::vector<Place> PlacesOf(const Launches& launches) {
    std::vector<Place> places;
    for (const LaunchRecord* launch : launches) {
      if (launch->lines.empty()) {
        places.push_back({.where = {}, .kernel = launch->kernel, .counters = launch->counters});
      }
      for (const LineCounters& line : launch->lines) {
        const auto known = std::ranges::find_if(places, [&](const Place& other) {
          return other.where == line.where && other.kernel == launch->kernel;
        });
        if (known != places.end()) {
          known->counters += line.counters;
        } else {
          places.push_back({line.where, launch->kernel, line.counters, launch, &line});
        }
      }
    }
    return places;
  }

  double WasteOf(const Place& place) const {
    return measure_.waste(place.counters, measure_.counter);
  }

  // Lists the lines that cost most. If the call would meet its target without any waste, the lines
  // with the most waste come first. Otherwise even perfect accesses do too much work, and the lines
  // with the largest share come first.
  std::vector<CaseFailure> ForPlaces(std::vector<Place> places) const {
    double wasted = 0;
    for (const Place& place : places) wasted += WasteOf(place);
    const bool by_waste = !measure_.is_work || Meets(*value_ - wasted, true);
    const auto share = [&](const Place& place) {
      if (by_waste) return WasteOf(place);
      return measure_.value(place.counters, measure_.counter).value_or(0);
    };
    // Lines that wait come last, because chance decides how often they poll.
    std::ranges::stable_sort(places, [&](const Place& a, const Place& b) {
      return Waits(a) != Waits(b) ? Waits(b) : share(a) > share(b);
    });
    // Leaves out lines with less than a tenth of the worst one. If the problem is that data moves
    // too often, also leaves out lines that move the data about once.
    double least = share(places.front()) / 10;
    if (!by_waste && target_.needed) {
      least = std::max(least, std::min(target_.needed->quantity / 2, share(places.front()) / 2));
    }
    std::erase_if(places, [&](const Place& place) { return share(place) <= least; });
    if (places.size() > kMaxLines) places.resize(kMaxLines);
    if (places.empty()) return {MakeFailure(Missed(), Verdict::kFailed, Sum(), target_.hint)};
    std::vector<CaseFailure> failures;
    if (Copies() > 0 && Meets(*value_ - Copies(), wastes_little_)) {
      failures.push_back(
          MakeFailure({ComplaintKind::kMissedTarget, target_.name + " of copies"}, Verdict::kFailed,
                      fmt::format("copies of the host within the device: {} moved\n  {}",
                                  Whole(Copies(), "sector"), Sum()),
                      "let the kernels work on the arrays themselves: a copy within the device "
                      "reads and writes global memory as a kernel does"));
      return failures;
    }
    for (const Place& place : places) failures.push_back(ForPlace(place));
    return failures;
  }

  // Returns the value for the whole call, and its target.
  std::string Sum() const {
    if (!target_.bounds_work) {
      std::ostringstream target;
      target_.matcher.DescribeTo(&target);
      if (target_.reference) {
        return fmt::format(
            "the whole call: {} {}, {} times the {} of the reference; the target: {}",
            Whole(*value_), measure_.quantity, Ratio(*value_ / *target_.reference),
            Whole(*target_.reference), target.str());
      }
      return fmt::format("the whole call: {} {}; the target: {}", target_.name,
                         measure_.is_work ? Whole(*value_) : Ratio(*value_), target.str());
    }
    std::string text = fmt::format("the whole call{}{}: {} {}, ", target_.where.empty() ? "" : ", ",
                                   target_.where, Whole(*value_), measure_.quantity);
    if (!target_.needed) return text + fmt::format("at most {} allowed", Whole(target_.times));
    const auto& [quantity, what_for] = *target_.needed;
    if (quantity > 0) {
      text += fmt::format("{} times the {} needed{}{}; ", Ratio(*value_ / quantity),
                          Whole(quantity), what_for.empty() ? "" : " ", what_for);
    }
    text += fmt::format("at most {} times allowed", Ratio(target_.times));
    if (target_.times_without_waste <= 0) return text;
    return text + fmt::format(", or {} times without bank conflicts and idle lanes",
                              Ratio(target_.times_without_waste));
  }

  CaseFailure ForPlace(const Place& place) const {
    std::string message =
        fmt::format("{}\n  {}", measure_.account(place.counters, measure_.counter), Sum());
    if (!place.where.known()) message = place.kernel + ": " + message;
    if (measure_.counter == Counter::kLocalSectors) message += Resources(place.kernel);
    CaseFailure failure =
        MakeFailure(Missed(), Verdict::kFailed, std::move(message), HintFor(place), place.where);
    const bool drawn = measure_.shows != nullptr && place.line != nullptr;
    if (const auto* worst = drawn ? WorstExample(*place.line, measure_.shows) : nullptr) {
      failure.complaint.access = *worst;
    }
    return failure;
  }

  std::string HintFor(const Place& place) const {
    if (!target_.hint.empty()) return target_.hint;
    if (Waits(place)) {
      return "these accesses belong to a loop that waits for other threads and reads memory again "
             "and again: wait less often, or put the work after the wait into a second launch";
    }
    if (measure_.hint_of_line != nullptr && place.line != nullptr) {
      return measure_.hint_of_line(*place.launch, *place.line);
    }
    return measure_.hint == nullptr ? "" : measure_.hint(place.counters);
  }

  // Returns the resources that ptxas gives each thread of a kernel; empty if they are not known.
  std::string Resources(const std::string& kernel) const {
    for (const LaunchRecord& launch : trial_.launches) {
      if (launch.kernel != kernel || !launch.resources) continue;
      return fmt::format("\n  ptxas gives a thread {} registers and {} bytes of local memory",
                         launch.resources->registers, launch.resources->local_bytes);
    }
    return {};
  }

  const Measure& measure_;
  const Target& target_;
  const Trial& trial_;
  const std::vector<LaunchRecord>& launches_;
  std::optional<double> value_;
  double emulators_alone_ = 0;
  bool wastes_little_ = false;  // never true if the target does not ask for it
};

// Only the emulator counts arrays apart.
bool IsEmulators(const Trial& trial) {
  return std::ranges::all_of(trial.launches, [](const LaunchRecord& launch) {
    return launch.error != DeviceError::kSuccess || launch.arrays;
  });
}

double SectorsOf(const ArrayStart& array) {
  return std::ceil(static_cast<double>(array.bytes.size()) / double{kSectorBytes});
}

double SectorsOf(const Trial& trial, bool inputs_too) {
  double sectors = 0;
  for (const auto& array : trial.plan->arrays) {
    if (inputs_too || !array->is_input) sectors += SectorsOf(*array);
  }
  return sectors;
}

}  // namespace

Needed SectorsOfArrays(const Trial& trial) {
  return {SectorsOf(trial, true), "to read each input once and write each output once"};
}
Needed SectorsOfOutputs(const Trial& trial) {
  return {SectorsOf(trial, false), "to write each output once"};
}

std::optional<double> CounterMatcher::ReferenceIn(const Trial& trial) const {
  CaseResult::Comparison comparison{
      .call = fmt::format("{} {}", trial.function, trial.plan->parameter_name),
      .counter = std::string(Info(measure_.counter).name)};
  for (const LaunchRecord& launch : trial.launches) {
    comparison.count += launch.counters.OrZero(measure_.counter);
  }
  comparison.reference =
      ReferenceCounts::Current().Of(comparison.call, Info(measure_.counter).name);
  const auto reference = comparison.reference;
  if (IsEmulators(trial)) CaseLog::Current().AddComparison(std::move(comparison));
  if (!reference) return std::nullopt;
  return static_cast<double>(std::max<std::uint64_t>(*reference, 1));
}

std::vector<CaseFailure> CounterMatcher::WhyNotCompared(
    const Trial& trial, const std::optional<double>& reference) const {
  if (!IsEmulators(trial)) {
    return {MakeFailure({ComplaintKind::kNotMeasured, Name()}, Verdict::kNotMeasured,
                        fmt::format("{}: not measured. The counts of the reference are the "
                                    "emulator's, and this device counts otherwise",
                                    Name()))};
  }
  if (reference) return {};
  return {MakeFailure(ComplaintKind::kChecksFault, Verdict::kHarnessFault,
                      fmt::format("the {} of the reference is not known for {} {}", measure_.name,
                                  trial.function, trial.plan->parameter_name),
                      "record it: `warpcheck validate NAME --record`, and build the checks again")};
}

std::string CounterMatcher::Name() const {
  std::string name(measure_.name);
  if (relative_) name += " relative to the reference";
  if (!arrays_.empty()) name += fmt::format(" ({})", TextOf(arrays_));
  return name;
}

std::optional<Needed> CounterMatcher::NeededIn(const Trial& trial) const {
  if (need_ == nullptr) return needed_;
  if (arrays_.empty()) return need_(trial);
  double sectors = 0;
  for (const ArrayEnd& array : trial.arrays) {
    if (std::ranges::find(arrays_, array.name) != arrays_.end()) sectors += SectorsOf(*array.start);
  }
  return Needed(sectors, "to move each element once");
}

bool CounterMatcher::MatchAndExplain(const Trial& trial,
                                     testing::MatchResultListener* listener) const {
  if (!trial.has_targets) return true;
  CaseResult::Target judged{.measure = Name(), .is_work = measure_.is_work};
  std::vector<CaseFailure> failures = WhyNotJudged(trial);
  if (failures.empty() && !arrays_.empty()) failures = WhyNotSelected(trial);
  std::optional<double> reference;
  if (failures.empty() && relative_) {
    reference = ReferenceIn(trial);
    failures = WhyNotCompared(trial, reference);
  }
  if (failures.empty()) {
    const std::optional<Needed> needed = NeededIn(trial);
    const double amount = needed ? needed->quantity : 1;
    Target target{.name = Name(),
                  .where = {},
                  .hint = hint_,
                  .matcher = target_ ? *target_ : testing::Le(times_ * amount),
                  .needed = needed,
                  .bounds_work = !target_,
                  .times = times_,
                  .times_without_waste = times_without_waste_,
                  .reference = reference,
                  .counts_copies = counts_copies_ && arrays_.empty()};
    ArrayTraffic selected;
    if (!arrays_.empty()) {
      selected = TrafficOf(trial, arrays_);
      target.where = TextOf(arrays_);
      if (selected.other_memory) target.where += " and memory that may hold copies";
    }
    MeasureCheck check(measure_, target, trial,
                       arrays_.empty() ? trial.launches : selected.launches);
    failures = check.Failures();
    if (!target_) judged.most = check.times() * amount;
    judged.value = check.value();
    judged.emulators_alone = check.emulators_alone();
    judged.met = failures.empty();
  }
  CaseLog::Current().AddTarget(std::move(judged));
  return Explain(std::move(failures), listener);
}

std::vector<CaseFailure> CounterMatcher::WhyNotSelected(const Trial& trial) const {
  std::string why = WhyNoArrays(trial, arrays_);
  if (!IsByArray(measure_.counter)) {
    why = fmt::format("Of(\"{}\") cannot select {}: it is counted for a launch, not for each array",
                      arrays_.front(), measure_.name);
  }
  if (why.empty()) return {};
  return {MakeFailure(ComplaintKind::kChecksFault, Verdict::kHarnessFault, std::move(why))};
}

void CounterMatcher::DescribeTo(std::ostream* out) const {
  if (target_) {
    *out << "has " << Name() << " that ";
    return target_->DescribeTo(out);
  }
  *out << "keeps " << Name() << " within " << Ratio(times_);
  if (need_ != nullptr || needed_) *out << " times the amount needed";
}

void CounterMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << "not: ";
  DescribeTo(out);
}

}  // namespace warpcheck
