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
#include "trial/case_log.h"
#include "trial/recount.h"
#include "trial/session.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxLines = 3;

// What is asked of the value of a measure, and how to say it.
struct Target {
  testing::Matcher<double> matcher;
  std::optional<Needed> needed;  // for a bound
  double times = 0;              // the same
};

// The counters of one source line, or of all launches of a kernel where lines are not known.
struct Place {
  SourceLocation where;
  std::string kernel;
  CounterSet counters;
  const LaunchRecord* launch = nullptr;  // with this line: the first of several
  const LineCounters* line = nullptr;
};

// A line waits where more than half of its accesses ask for other threads, in a library's function.
bool Waits(const Place& place) {
  if (place.line == nullptr) return false;
  const CounterSet& counters = place.line->counters;
  const std::uint64_t accesses = counters[Counter::kGlobalRequests].value_or(0) +
                                 counters[Counter::kSharedRequests].value_or(0);
  return 2 * place.line->polls > accesses;
}

// Judges one trial by one measure.
class Examination {
 public:
  Examination(const Measure& measure, const Target& target, const Trial& trial)
      : measure_(measure), target_(target), trial_(trial) {}

  // Of the call; none where it was not measured. Call after Charges().
  std::optional<double> value() const { return value_; }

  std::vector<Charge> Charges() {
    // A GPU knows what a launch did in total before anybody counts its lines.
    auto launches = ThatRan(trial_.launches);
    if (launches.empty()) {
      return {Charged(Verdict::kFailed,
                      trial_.function + " ran no kernel: there is nothing to measure")};
    }
    for (const LaunchRecord* launch : launches) {
      if (!launch->unseen.empty()) return {Unseen(*launch)};
    }
    value_ = ValueOf(launches);
    if (value_ && target_.matcher.Matches(*value_)) return {};
    if (trial_.later) launches = ThatRan(Session::Current().Measured(trial_));
    if (!value_) value_ = ValueOf(launches);
    if (!value_) return {NotMeasured(launches)};
    if (target_.matcher.Matches(*value_)) return {};
    return ForPlaces(PlacesOf(launches));
  }

 private:
  using Launches = std::vector<const LaunchRecord*>;

  static Launches ThatRan(const std::vector<LaunchRecord>& records) {
    Launches launches;
    for (const LaunchRecord& launch : records) {
      if (launch.error == DeviceError::kSuccess) launches.push_back(&launch);
    }
    return launches;
  }

  std::optional<double> ValueOf(const Launches& launches) const {
    CounterSet sum = launches.front()->counters;
    for (std::size_t i = 1; i < launches.size(); ++i) sum += launches[i]->counters;
    return measure_.value(sum, measure_.counter);
  }

  // Nothing is known of what such a kernel costs, and it chose that.
  static Charge Unseen(const LaunchRecord& launch) {
    return Charged(Verdict::kFailed,
                   fmt::format("{} goes to global memory by {}, which no counter sees",
                               launch.kernel, launch.unseen),
                   "load and store by pointers, or load from linear memory by tex1Dfetch: how that "
                   "is done is what is graded here");
  }

  Charge NotMeasured(const Launches& launches) const {
    if (const std::size_t different = DifferentLaunches(trial_.launches);
        trial_.later && different > kMaxRecounts) {
      return Charged(Verdict::kFailed,
                     fmt::format("{} was not measured: {} made {} different launches, and this "
                                 "device counts {} a call",
                                 measure_.name, trial_.function, Grouped(different), kMaxRecounts),
                     "launch fewer kernels, each for more of the data; the emulator counts all");
    }
    const LaunchRecord* unmeasured = launches.front();
    for (const LaunchRecord* launch : launches) {
      if (!launch->not_measured.empty()) unmeasured = launch;
    }
    const std::string& why = unmeasured->not_measured;
    return Charged(Verdict::kNotMeasured,
                   fmt::format("{} of {} was not measured{}{}", measure_.name, unmeasured->kernel,
                               why.empty() ? " on this device" : ": ", why),
                   "`warpcheck doctor` says what measuring needs here; the emulator measures it");
  }

  // Each source line once, of all launches of a kernel.
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

  // Where the call would meet its target without what lines waste, they are told by their waste;
  // else by their share: then even the best of them do too much.
  std::vector<Charge> ForPlaces(std::vector<Place> places) const {
    double wasted = 0;
    for (const Place& place : places) wasted += WasteOf(place);
    const bool by_waste = !measure_.is_work || target_.matcher.Matches(*value_ - wasted);
    const auto share = [&](const Place& place) {
      if (by_waste) return WasteOf(place);
      return measure_.value(place.counters, measure_.counter).value_or(0);
    };
    // How often a wait asks is nobody's doing: the others come first.
    std::ranges::stable_sort(places, [&](const Place& a, const Place& b) {
      return Waits(a) != Waits(b) ? Waits(b) : share(a) > share(b);
    });
    // A tenth of what the worst one does explains nothing, nor does a line that moves no more than
    // it has to where others move the data again and again.
    double least = share(places.front()) / 10;
    if (!by_waste && target_.needed) {
      least = std::max(least, std::min(target_.needed->quantity / 2, share(places.front()) / 2));
    }
    std::erase_if(places, [&](const Place& place) { return share(place) <= least; });
    if (places.size() > kMaxLines) places.resize(kMaxLines);
    if (places.empty()) return {Charged(Verdict::kFailed, Sum())};
    std::vector<Charge> charges;
    for (const Place& place : places) charges.push_back(ForPlace(place));
    return charges;
  }

  // Of all lines and launches: what the target is about.
  std::string Sum() const {
    if (!measure_.is_work) {
      std::ostringstream target;
      target_.matcher.DescribeTo(&target);
      return fmt::format("the whole call: {} {}; the target: {}", measure_.name, Ratio(*value_),
                         target.str());
    }
    std::string text = fmt::format("the whole call: {} {}, ", Whole(*value_), measure_.quantity);
    if (!target_.needed) return text + fmt::format("at most {} allowed", Whole(target_.times));
    const auto& [quantity, what_for] = *target_.needed;
    if (quantity > 0) {
      text += fmt::format("{} times the {} needed{}{}; ", Ratio(*value_ / quantity),
                          Whole(quantity), what_for.empty() ? "" : " ", what_for);
    }
    return text + fmt::format("at most {} times allowed", Ratio(target_.times));
  }

  Charge ForPlace(const Place& place) const {
    std::string message =
        fmt::format("{}\n  {}", measure_.account(place.counters, measure_.counter), Sum());
    if (!place.where.known()) message = place.kernel + ": " + message;
    if (measure_.counter == Counter::kLocalSectors) message += Resources(place.kernel);
    Charge charge = Charged(Verdict::kFailed, std::move(message), HintFor(place), place.where);
    const bool drawn = measure_.shows != nullptr && place.line != nullptr;
    if (const auto* worst = drawn ? WorstExample(*place.line, measure_.shows) : nullptr) {
      charge.complaint.access = *worst;
    }
    return charge;
  }

  std::string HintFor(const Place& place) const {
    if (Waits(place)) {
      return "these accesses are the wait's own, by which it asks whether the other threads have "
             "come: wait less often, or let a second launch do what comes behind the wait";
    }
    if (measure_.hint_of_line != nullptr && place.line != nullptr) {
      return measure_.hint_of_line(*place.launch, *place.line);
    }
    return measure_.hint == nullptr ? "" : measure_.hint(place.counters);
  }

  // What the compiler gives each thread of a kernel, where that is known.
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
  std::optional<double> value_;
};

double SectorsOf(const Trial& trial, bool inputs_too) {
  double sectors = 0;
  for (const auto& array : trial.plan->arrays) {
    if (inputs_too || !array->is_input) {
      sectors += std::ceil(static_cast<double>(array->bytes.size()) / double{kSectorBytes});
    }
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

bool CounterMatcher::MatchAndExplain(const Trial& trial,
                                     testing::MatchResultListener* listener) const {
  if (!trial.has_targets) return true;
  CaseResult::Target judged{.measure = std::string(measure_.name), .is_work = measure_.is_work};
  std::vector<Charge> charges = WhyNotJudged(trial);
  if (charges.empty()) {
    const std::optional<Needed> needed = need_ != nullptr ? need_(trial) : needed_;
    const double most = times_ * (needed ? needed->quantity : 1);
    const Target target{
        .matcher = target_ ? *target_ : testing::Le(most), .needed = needed, .times = times_};
    if (!target_) judged.most = most;
    Examination examination(measure_, target, trial);
    charges = examination.Charges();
    judged.value = examination.value();
    judged.met = charges.empty();
  }
  CaseLog::Current().AddTarget(std::move(judged));
  return Explain(std::move(charges), listener);
}

void CounterMatcher::DescribeTo(std::ostream* out) const {
  if (target_) {
    *out << "has " << measure_.name << " that ";
    return target_->DescribeTo(out);
  }
  *out << "keeps " << measure_.name << " within " << Ratio(times_);
  if (need_ != nullptr || needed_) *out << " times what is needed";
}

void CounterMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << "not: ";
  DescribeTo(out);
}

}  // namespace warpcheck
