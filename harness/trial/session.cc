#include "trial/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/check.h"
#include "order/timeline.h"
#include "trial/case_log.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxHostOutput = std::size_t{64} << 10;
constexpr std::size_t kMaxTimelines = 16;
constexpr std::size_t kMaxFindings = 2'000;  // the most findings outside of launches
// The most approximations of all cases: the first case alone may have as many as are kept.
constexpr std::size_t kMaxApproximations = 5 * emulator::Approximations::kMost;

Session*& CurrentSession() {
  static Session* session = nullptr;
  return session;
}

// Returns what make() returned at the first request for `key`.
template <class Key, class Value, class Make>
const Value& Known(std::map<Key, Value>& made, const Key& key, Make make) {
  const auto known = made.find(key);
  return known != made.end() ? known->second : made.emplace(key, make()).first->second;
}

}  // namespace

Session::Session(Runner& runner, ResultsWriter& results, std::uint64_t seed, Settings settings)
    : runner_(runner), results_(results), seed_(seed), settings_(settings) {
  WARPCHECK_CHECK(CurrentSession() == nullptr, "two sessions at a time");
  CurrentSession() = this;
}

Session::~Session() { CurrentSession() = nullptr; }

Session& Session::Current() {
  WARPCHECK_CHECK(CurrentSession() != nullptr,
                  "there is no session: the program must call RunChecksProgram()");
  return *CurrentSession();
}

std::vector<Trial> Session::Call(const Runner::Plans& plans, const CallLimits& limits,
                                 const std::function<Runner::Plans()>& other_data) {
  const bool makes_all = plans.size() <= settings_.most_calls;
  const auto end =
      plans.begin() + static_cast<std::ptrdiff_t>(std::min(plans.size(), settings_.most_calls));
  std::vector<Trial> trials = makes_all ? runner_.CallSubmission(plans, limits, other_data)
                                        : runner_.CallSubmission({plans.begin(), end}, limits);
  WriteCost(trials.front());
  for (const Trial& trial : trials) {
    WriteApproximations(trial);
    WriteOutput(trial);
  }
  return trials;
}

void Session::WriteCost(const Trial& trial) {
  const std::string name = RunningCase();
  const std::size_t alone = records_.Take(trial.launches);
  if (trial.later) {
    trial.later->first_written = written_launches_;
    trial.later->written_alone = alone;
  }
  for (LaunchRecord& launch : LaunchRecords::Written(trial.launches, alone)) {
    results_.Launch({name, std::move(launch)});
    ++written_launches_;
  }
  WriteFindings(name, trial.findings);
  WriteTimeline(name, trial);
  if (settings_.count_every_launch) Measured(trial);
}

void Session::WriteTimeline(const std::string& case_name, const Trial& trial) {
  if (!trial.host_calls || written_timelines_ == kMaxTimelines) return;
  const HostCalls& record = *trial.host_calls;
  const bool has_streams = std::ranges::any_of(record.calls, [&](const HostCall& call) {
    return call.IsOperation() && !record.streams[call.stream].is_default;
  });
  if (!has_streams) return;
  ++written_timelines_;
  results_.Timeline({case_name, order::TimelineOf(*trial.host_calls)});
}

void Session::WriteOutput(const Trial& trial) {
  const auto bounded = [this](std::string_view text) {
    text = text.substr(0, kMaxHostOutput - written_output_);
    written_output_ += text.size();
    return text;
  };
  const std::string host = trial.ending.stdout_text + trial.ending.stderr_text;
  if (const auto text = bounded(host); !text.empty()) results_.HostOutput(text);
  if (const auto text = bounded(trial.device_output); !text.empty()) results_.DeviceOutput(text);
}

void Session::WriteApproximations(const Trial& trial) {
  for (const emulator::Approximation& one : trial.approximations) {
    if (written_approximations_++ >= kMaxApproximations) return;
    results_.Approximation({RunningCase(), one});
  }
}

void Session::WriteFindings(const std::string& case_name, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (written_findings_ > kMaxFindings) return;
    Finding written = finding;
    if (written_findings_++ == kMaxFindings) {
      written.message = fmt::format("findings after the first {} are not listed", kMaxFindings);
    }
    results_.Finding({case_name, std::move(written)});
  }
}

const Trial& Session::CallAlone(const PlanPointer& plan, const CallLimits& limits,
                                const PlanPointer& other_data) {
  std::function<Runner::Plans()> others;
  if (other_data) others = [&] { return Runner::Plans{other_data}; };
  return Known(alone_, plan,
               [&] { return std::move(runner_.CallSubmission({plan}, limits, others).front()); });
}

const std::vector<LaunchRecord>& Session::Measured(const Trial& trial) {
  if (!trial.later) return trial.launches;
  LaterCounts& later = *trial.later;
  if (!later.launches) {
    later.launches = runner_.CountLaunches(trial);
    if (trial.earlier_calls == 0) {
      const auto written = LaunchRecords::Written(*later.launches, later.written_alone);
      for (std::size_t i = 0; i < written.size(); ++i) {
        results_.Counted(later.first_written + i, written[i]);
      }
    }
  }
  return *later.launches;
}

const Session::Trials& Session::Once(const std::string& key, const std::function<Trials()>& make) {
  return Known(runs_, key, make);
}

Session::PlanPointer Session::PlannedOnce(const std::string& key,
                                          const std::function<PlanPointer()>& make) {
  return Known(plans_, key, make);
}

}  // namespace warpcheck
