// A Session has the state that all cases of a checks program share: its options, the calls that
// were made already, and the results file.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/results_file.h"
#include "trial/launch_records.h"
#include "trial/runner.h"

namespace warpcheck {

class Session {
 public:
  using PlanPointer = std::shared_ptr<const Plan>;
  struct Settings {
    // True if every trial is measured, even if no case needs it.
    bool count_every_launch = false;
    // Calls after so many of a case are not made.
    std::size_t most_calls = std::numeric_limits<std::size_t>::max();
  };
  // `runner` and `results` must outlive the session. Only one session may exist at a time.
  Session(Runner& runner, ResultsWriter& results, std::uint64_t seed)
      : Session(runner, results, seed, Settings()) {}
  Session(Runner& runner, ResultsWriter& results, std::uint64_t seed, Settings settings);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Returns the session of this process, which must exist.
  static Session& Current();

  std::uint64_t seed() const { return seed_; }

  // Makes the calls (see Runner::CallSubmission). Writes to the results file what all calls print,
  // and the launches and findings of the first call.
  std::vector<Trial> Call(const Runner::Plans& plans, const CallLimits& limits,
                          const std::function<Runner::Plans()>& other_data = {});
  // Makes the call in a new process and on a new device, as if there had been no other call, and
  // writes nothing to the results file. A second request for the same plan returns the first trial.
  // `other_data` is a plan for the comparison with other data, or null (Trial::other_data).
  const Trial& CallAlone(const PlanPointer& plan, const CallLimits& limits,
                         const PlanPointer& other_data = nullptr);

  // Returns the trial's launches with their counters. If its device did not count them at once, the
  // first request makes the calls again and writes the counters to the results file.
  const std::vector<LaunchRecord>& Measured(const Trial& trial);

  // Returns what make() returned at the first request for `key`. If make() throws, nothing is kept.
  using Trials = std::vector<Trial>;
  const Trials& Once(const std::string& key, const std::function<Trials()>& make);
  PlanPointer PlannedOnce(const std::string& key, const std::function<PlanPointer()>& make);

 private:
  void WriteCost(const Trial& trial);
  void WriteApproximations(const Trial& trial);
  void WriteFindings(const std::string& case_name, const std::vector<Finding>& findings);
  void WriteTimeline(const std::string& case_name, const Trial& trial);
  void WriteOutput(const Trial& trial);

  Runner& runner_;
  ResultsWriter& results_;
  std::uint64_t seed_;
  Settings settings_;
  std::map<std::string, Trials> runs_;
  std::map<std::string, PlanPointer> plans_;
  std::map<PlanPointer, Trial> alone_;
  LaunchRecords records_;
  std::size_t written_launches_ = 0;  // the number of records in the results file
  std::size_t written_findings_ = 0;
  std::size_t written_approximations_ = 0;
  std::size_t written_timelines_ = 0;
  std::size_t written_output_ = 0;  // the bytes of output of hosts and devices so far
};

}  // namespace warpcheck
