#include "checks/speed/speed.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/median.h"
#include "results/speed_text.h"

namespace warpcheck {
namespace {

constexpr char kHint[] =
    "begin with the kernel that takes longest: the report shows the time of each, and which lines "
    "move more than they need";

SpeedMeasurement NotMeasured(std::string why) { return {.why_not = std::move(why)}; }

// Makes the calls of a run.
class SpeedRun {
 public:
  SpeedRun(CallTimer& timer, const SpeedTest& test) : timer_(timer), test_(test) {}

  SpeedMeasurement Measure() {
    // The first pair warms up: code is loaded, and the GPU leaves its idle clocks.
    if (!Pair(0)) return *std::exchange(end_, std::nullopt);
    std::vector<TimedPair> pairs;
    std::vector<TimedPair> steady;
    for (std::size_t number = 1; number <= kMostPairs && !IsEnough(steady); ++number) {
      const auto pair = Pair(number);
      if (!pair) return *std::exchange(end_, std::nullopt);
      pairs.push_back(*pair);
      steady = WithSteadyClocks(pairs);
    }
    return Summary(pairs.size(), steady);
  }

 private:
  // Returns nothing, and sets end_, if there is nothing more to measure.
  std::optional<TimedPair> Pair(std::size_t number) {
    const auto label = [&](const char* what) { return fmt::format("{} {} of ", what, number); };
    const auto plan = test_.plan(label("timed pair"));
    const auto other = [&] { return test_.plan(label("other data of timed pair")); };
    TimedPair pair;
    const bool reference_first = number % 2 == 0;
    for (const bool reference : {reference_first, !reference_first}) {
      const Whose whose = reference ? Whose::kReference : Whose::kSubmission;
      const TimedCall call = timer_.Time(whose, plan, test_.limits, other);
      if (!Accept(whose, call)) return std::nullopt;
      (reference ? pair.reference_us : pair.submission_us) = call.us;
      (reference ? pair.reference_mhz : pair.submission_mhz) = call.sm_mhz;
    }
    return pair;
  }

  bool Accept(Whose whose, const TimedCall& call) {
    std::vector<CaseFailure> failures = test_.judge(call.trial);
    if (!failures.empty() && whose == Whose::kReference) {
      StopCase(
          MakeFailure(ComplaintKind::kChecksFault, Verdict::kHarnessFault,
                      "the reference fails when it is timed: " + failures.front().complaint.message,
                      "this is a mistake of the assignment"));
    }
    if (!failures.empty()) {
      for (CaseFailure& failure : failures) {
        failure.complaint.about += " in a timed call";
        failure.complaint.message = "in a timed call: " + failure.complaint.message;
      }
      end_ = SpeedMeasurement{.failures = std::move(failures)};
    } else if (!call.not_timed.empty()) {
      end_ = NotMeasured(call.not_timed);
    } else if (!(call.us > 0)) {
      end_ = NotMeasured(whose == Whose::kReference ? "the reference launches no kernel"
                                                    : "the call launches no kernel");
    }
    return !end_;
  }

  static SpeedMeasurement Summary(std::size_t tried, const std::vector<TimedPair>& steady) {
    if (steady.size() < kFewestPairs) {
      return NotMeasured(
          fmt::format("the GPU changed its clock too often: {} of {} pairs of calls can be "
                      "compared, and {} are needed",
                      steady.size(), tried, kFewestPairs));
    }
    SpeedMeasurement measurement;
    const RatioInterval measured = IntervalOf(RatiosOf(steady));
    if (IsTooScattered(measured)) {
      return NotMeasured(fmt::format(
          "the times differ too much, from {:.2f} to {:.2f} of the reference's speed: the GPU had "
          "something else to do",
          measured.low, measured.high));
    }
    const RatioInterval widened = Widened(measured);
    SpeedRatio& ratio = measurement.ratio;
    ratio.ratio = measured.ratio;
    ratio.low = widened.low;
    ratio.high = widened.high;
    ratio.pairs = static_cast<std::uint32_t>(steady.size());
    ratio.dropped = static_cast<std::uint32_t>(tried - steady.size());
    std::vector<double> reference_us;
    std::vector<double> submission_us;
    for (const TimedPair& pair : steady) {
      reference_us.push_back(pair.reference_us);
      submission_us.push_back(pair.submission_us);
    }
    ratio.reference_us = MedianOf(std::move(reference_us));
    ratio.submission_us = MedianOf(std::move(submission_us));
    return measurement;
  }

  CallTimer& timer_;
  const SpeedTest& test_;
  std::optional<SpeedMeasurement> end_;  // the result, if a call ended the run
};

}  // namespace

SpeedMeasurement MeasureSpeed(CallTimer& timer, const SpeedTest& test) {
  return SpeedRun(timer, test).Measure();
}

SpeedRatio Judged(const SpeedMeasurement& measurement, const std::string& target,
                  const std::function<bool(double)>& meets) {
  using enum SpeedRatio::Outcome;
  SpeedRatio ratio = measurement.ratio;
  ratio.target = target;
  if (!measurement.failures.empty()) ratio.outcome = kWrong;
  if (!measurement.failures.empty() || !measurement.why_not.empty()) return ratio;
  const bool low = meets(ratio.low);
  const bool high = meets(ratio.high);
  ratio.outcome = low && high ? kMet : low || high ? kTooClose : kMissed;
  return ratio;
}

bool SpeedMatcher::MatchAndExplain(const SpeedMeasurement& measurement,
                                   testing::MatchResultListener* listener) const {
  using enum SpeedRatio::Outcome;
  std::string target = testing::DescribeMatcher<double>(target_);
  if (target.starts_with("is ")) target.erase(0, 3);
  const SpeedRatio ratio =
      Judged(measurement, target, [this](double value) { return target_.Matches(value); });
  CaseLog::Current().SetSpeed(ratio);
  if (ratio.outcome == kNotMeasured) {
    return Explain({MakeFailure({ComplaintKind::kNotMeasured, "speed"}, Verdict::kNotMeasured,
                                "speed: not measured. " + measurement.why_not)},
                   listener);
  }
  if (ratio.outcome == kWrong) return Explain(measurement.failures, listener);
  if (ratio.outcome != kMissed) return true;
  return Explain(
      {MakeFailure(ComplaintKind::kTooSlow, Verdict::kFailed,
                   fmt::format("speed: {}; it should be {}", FiguresOf(ratio), target), kHint)},
      listener);
}

void SpeedMatcher::DescribeTo(std::ostream* out) const {
  *out << "has a speed, compared with the reference's, that ";
  target_.DescribeTo(out);
}

void SpeedMatcher::DescribeNegationTo(std::ostream* out) const {
  *out << "has a speed, compared with the reference's, that ";
  target_.DescribeNegationTo(out);
}

}  // namespace warpcheck
