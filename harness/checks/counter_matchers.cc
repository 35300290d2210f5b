#include "checks/counter_matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "checks/docket.h"
#include "checks/session.h"
#include "checks/trial_matchers.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxLines = 3;

// The counters of one source line, or of a whole launch where its lines are not known.
struct Place {
  SourceLocation where;
  std::string kernel;
  CounterSet counters;
};

// Judges one trial by one measure.
class Examination {
 public:
  Examination(const Measure& measure, const testing::Matcher<double>& target, const Trial& trial)
      : measure_(measure), target_(target), trial_(trial) {}

  std::vector<Charge> Charges() {
    for (const LaunchRecord& launch : Launches()) {
      if (launch.error == DeviceError::kSuccess) launches_.push_back(&launch);
    }
    if (launches_.empty()) {
      return {Charged(Verdict::kFailed,
                      trial_.function + " ran no kernel: there is nothing to measure")};
    }
    for (const LaunchRecord* launch : launches_) {
      if (!launch->unseen.empty()) return {Unseen(*launch)};
    }
    if (measure_.scope == Measure::Scope::kSum) {
      JudgeSum();
    } else {
      for (const LaunchRecord* launch : launches_) JudgeLaunch(*launch);
    }
    if (not_measured_ != nullptr) return {NotMeasured()};
    if (!anything_ && !measure_.nothing.empty()) {
      return {Charged(Verdict::kFailed, measure_.nothing)};
    }
    return ForPlaces();
  }

 private:
  const std::vector<LaunchRecord>& Launches() const {
    return trial_.later ? Session::Current().Measured(trial_) : trial_.launches;
  }

  bool Applies(const CounterSet& counters) const {
    return measure_.applies == nullptr || measure_.applies(counters);
  }

  // False where the target is met, or where it is not measured, which is noted.
  bool Missed(const CounterSet& counters, const LaunchRecord& launch) {
    const auto value = measure_.value(counters, measure_.counter);
    if (!value) not_measured_ = &launch;
    return value && !target_.Matches(*value);
  }

  void JudgeSum() {
    anything_ = true;
    CounterSet sum = launches_.front()->totals;
    for (std::size_t i = 1; i < launches_.size(); ++i) sum += launches_[i]->totals;
    const LaunchRecord* unmeasured = launches_.front();
    for (const LaunchRecord* launch : launches_) {
      if (!launch->not_measured.empty()) unmeasured = launch;
    }
    const std::string& kernel = launches_.front()->kernel;
    if (!Missed(sum, *unmeasured)) return;
    for (const LaunchRecord* launch : launches_) AddLines(*launch);
    if (places_.empty()) places_.push_back({SourceLocation(), kernel, sum});
  }

  void JudgeLaunch(const LaunchRecord& launch) {
    if (!Applies(launch.totals)) return;
    anything_ = true;
    const std::size_t before = places_.size();
    const bool missed = Missed(launch.totals, launch);
    // Totals alone: what a line misses is not known.
    if (measure_.scope == Measure::Scope::kEveryLine && !launch.not_measured.empty()) {
      not_measured_ = &launch;
    }
    if (missed || measure_.scope == Measure::Scope::kEveryLine) AddLines(launch);
    if (missed && places_.size() == before)
      places_.push_back({SourceLocation(), launch.kernel, launch.totals});
  }

  // The lines that miss the target themselves, for ratios; else those that lose something.
  void AddLines(const LaunchRecord& launch) {
    for (const LineCounters& line : launch.lines) {
      if (!Applies(line.counters)) continue;
      const bool guilty = measure_.scope == Measure::Scope::kEveryLine
                              ? Missed(line.counters, launch)
                              : measure_.loss(line.counters, measure_.counter) > 0;
      if (guilty) places_.push_back({line.where, launch.kernel, line.counters});
    }
  }

  // Nothing is known of what such a kernel costs, and it chose that.
  static Charge Unseen(const LaunchRecord& launch) {
    return Charged(Verdict::kFailed,
                   fmt::format("{} goes to global memory by {}, which no counter sees",
                               launch.kernel, launch.unseen),
                   "load and store by pointers: how that is done is what is graded here");
  }

  Charge NotMeasured() const {
    const std::string& why = not_measured_->not_measured;
    return Charged(Verdict::kNotMeasured,
                   fmt::format("{} of {} was not measured{}{}", measure_.name,
                               not_measured_->kernel, why.empty() ? " on this device" : ": ", why),
                   "`warpcheck doctor` says what measuring needs here; the emulator measures it");
  }

  // Worst places first, each source line once.
  std::vector<Charge> ForPlaces() {
    std::vector<Place> merged;
    for (Place& place : places_) {
      const auto known = std::find_if(merged.begin(), merged.end(), [&](const Place& other) {
        return other.where == place.where && other.kernel == place.kernel;
      });
      if (known == merged.end()) {
        merged.push_back(std::move(place));
      } else {
        known->counters += place.counters;
      }
    }
    const auto loss = [this](const Place& place) {
      return measure_.loss(place.counters, measure_.counter);
    };
    std::stable_sort(merged.begin(), merged.end(),
                     [&](const Place& a, const Place& b) { return loss(a) > loss(b); });
    if (merged.size() > kMaxLines) merged.resize(kMaxLines);
    std::vector<Charge> charges;
    for (const Place& place : merged) charges.push_back(ForPlace(place));
    return charges;
  }

  Charge ForPlace(const Place& place) const {
    std::ostringstream target;
    target_.DescribeTo(&target);
    std::string message = fmt::format("{}\n  the target: {} that {}",
                                      measure_.account(place.counters, measure_.counter),
                                      measure_.name, target.str());
    if (!place.where.known()) message = place.kernel + ": " + message;
    if (measure_.counter == Counter::kLocalSectors) message += Resources(place.kernel);
    return Charged(Verdict::kFailed, std::move(message),
                   measure_.hint == nullptr ? "" : measure_.hint(place.counters), place.where);
  }

  // What the compiler gives each thread of a kernel, where that is known.
  std::string Resources(const std::string& kernel) const {
    for (const LaunchRecord* launch : launches_) {
      if (launch->kernel != kernel || !launch->resources) continue;
      return fmt::format("\n  ptxas gives a thread {} registers and {} bytes of local memory",
                         launch->resources->registers, launch->resources->local_bytes);
    }
    return {};
  }

  const Measure& measure_;
  const testing::Matcher<double>& target_;
  const Trial& trial_;
  std::vector<const LaunchRecord*> launches_;  // that ran
  bool anything_ = false;                      // there was something to judge
  const LaunchRecord* not_measured_ = nullptr;
  std::vector<Place> places_;
};

}  // namespace

bool CounterMatcher::MatchAndExplain(const Trial& trial,
                                     testing::MatchResultListener* listener) const {
  std::vector<Charge> charges = ChargesForEnding(trial);
  if (charges.empty()) charges = Examination(measure_, target_, trial).Charges();
  return Explain(std::move(charges), listener);
}

void CounterMatcher::DescribeTo(std::ostream* out) const {
  *out << "has " << measure_.name << " that ";
  target_.DescribeTo(out);
}

void CounterMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << "has " << measure_.name << " that ";
  target_.DescribeNegationTo(out);
}

}  // namespace warpcheck
