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

// A Target is what a measure must meet, and the numbers for its text.
struct Target {
  testing::Matcher<double> matcher;
  std::optional<Needed> needed;  // set if the target bounds work
  double times = 0;              // the factor, if the target bounds work
};

// A Place has the counters of one source line, or of all launches of a kernel if lines are unknown.
struct Place {
  SourceLocation where;
  std::string kernel;
  CounterSet counters;
  const LaunchRecord* launch = nullptr;  // the first launch with this line
  const LineCounters* line = nullptr;
};

// Returns whether the line is a wait: more than half of its accesses are polls by a library
// function that waits for other threads.
bool Waits(const Place& place) {
  if (place.line == nullptr) return false;
  const CounterSet& counters = place.line->counters;
  const std::uint64_t accesses = counters[Counter::kGlobalRequests].value_or(0) +
                                 counters[Counter::kSharedRequests].value_or(0);
  return 2 * place.line->polls > accesses;
}

// Judges a trial by a measure.
class MeasureCheck {
 public:
  MeasureCheck(const Measure& measure, const Target& target, const Trial& trial)
      : measure_(measure), target_(target), trial_(trial) {}

  // Returns the value of the measure, or nullopt if it was not measured. Call Failures() first.
  std::optional<double> value() const { return value_; }

  std::vector<CaseFailure> Failures() {
    // The totals of the launches suffice here. A GPU knows them before it counts single lines.
    auto launches = ThatRan(trial_.launches);
    if (launches.empty()) {
      return {MakeFailure(Verdict::kFailed,
                          trial_.function + " ran no kernel, so there is nothing to measure")};
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

  // The cost of such a kernel cannot be measured. Its author chose the access, so the case fails.
  static CaseFailure Unseen(const LaunchRecord& launch) {
    return MakeFailure(
        Verdict::kFailed,
        fmt::format("{} accesses global memory by {}, which no counter sees", launch.kernel,
                    launch.unseen),
        "load and store by pointers, or load from linear memory by tex1Dfetch: this test "
        "grades how memory is accessed");
  }

  CaseFailure NotMeasured(const Launches& launches) const {
    if (const std::size_t different = DifferentLaunches(trial_.launches);
        trial_.later && different > kMaxRecounts) {
      return MakeFailure(
          Verdict::kFailed,
          fmt::format("{}: not measured. {} made {} different launches, and this "
                      "device counts {} in each call",
                      measure_.name, trial_.function, Grouped(different), kMaxRecounts),
          "launch fewer kernels, each for a larger part of the data. The emulator counts all "
          "launches");
    }
    const LaunchRecord* unmeasured = launches.front();
    for (const LaunchRecord* launch : launches) {
      if (!launch->not_measured.empty()) unmeasured = launch;
    }
    const std::string& why = unmeasured->not_measured;
    return MakeFailure(
        Verdict::kNotMeasured,
        fmt::format("{} of {} was not measured{}{}", measure_.name, unmeasured->kernel,
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
    const bool by_waste = !measure_.is_work || target_.matcher.Matches(*value_ - wasted);
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
    if (places.empty()) return {MakeFailure(Verdict::kFailed, Sum())};
    std::vector<CaseFailure> failures;
    for (const Place& place : places) failures.push_back(ForPlace(place));
    return failures;
  }

  // Returns the value for the whole call, and its target.
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

  CaseFailure ForPlace(const Place& place) const {
    std::string message =
        fmt::format("{}\n  {}", measure_.account(place.counters, measure_.counter), Sum());
    if (!place.where.known()) message = place.kernel + ": " + message;
    if (measure_.counter == Counter::kLocalSectors) message += Resources(place.kernel);
    CaseFailure failure =
        MakeFailure(Verdict::kFailed, std::move(message), HintFor(place), place.where);
    const bool drawn = measure_.shows != nullptr && place.line != nullptr;
    if (const auto* worst = drawn ? WorstExample(*place.line, measure_.shows) : nullptr) {
      failure.complaint.access = *worst;
    }
    return failure;
  }

  std::string HintFor(const Place& place) const {
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
  std::vector<CaseFailure> failures = WhyNotJudged(trial);
  if (failures.empty()) {
    const std::optional<Needed> needed = need_ != nullptr ? need_(trial) : needed_;
    const double most = times_ * (needed ? needed->quantity : 1);
    const Target target{
        .matcher = target_ ? *target_ : testing::Le(most), .needed = needed, .times = times_};
    if (!target_) judged.most = most;
    MeasureCheck check(measure_, target, trial);
    failures = check.Failures();
    judged.value = check.value();
    judged.met = failures.empty();
  }
  CaseLog::Current().AddTarget(std::move(judged));
  return Explain(std::move(failures), listener);
}

void CounterMatcher::DescribeTo(std::ostream* out) const {
  if (target_) {
    *out << "has " << measure_.name << " that ";
    return target_->DescribeTo(out);
  }
  *out << "keeps " << measure_.name << " within " << Ratio(times_);
  if (need_ != nullptr || needed_) *out << " times the amount needed";
}

void CounterMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << "not: ";
  DescribeTo(out);
}

}  // namespace warpcheck
