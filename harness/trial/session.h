// What all cases of one checks program share: its options, runs that were already made, and the
// results file.
#pragma once

#include <cstdint>
#include <functional>
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
    // Every trial is Measured, whether or not a case asks for it.
    bool count_every_launch = false;
  };
  // All are owned by the caller and outlive the session; one session at a time.
  Session(Runner& runner, ResultsWriter& results, std::uint64_t seed)
      : Session(runner, results, seed, Settings()) {}
  Session(Runner& runner, ResultsWriter& results, std::uint64_t seed, Settings settings);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The session of this process; there has to be one.
  static Session& Current();

  std::uint64_t seed() const { return seed_; }

  // The calls in the submission, as Runner makes them. The results file gets what all of them
  // print, and the first one's launches and findings: what a case costs.
  std::vector<Trial> Call(const Runner::Plans& plans, const CallLimits& limits,
                          const std::function<Runner::Plans()>& other_data = {});
  // The call in a process and on a device of its own, as if no other had been made; the results
  // file hears nothing of it. Made once for each plan. `other_data`: Trial::other_data.
  const Trial& CallAlone(const PlanPointer& plan, const CallLimits& limits,
                         const PlanPointer& other_data = nullptr);

  // The trial's launches with their counters. Where its device did not count at once, the calls are
  // made again for that, the first time; the results file gets the counters then.
  const std::vector<LaunchRecord>& Measured(const Trial& trial);

  // What `make` gave for this key when it was first asked for. What it throws is not kept.
  using Trials = std::vector<Trial>;
  const Trials& Once(const std::string& key, const std::function<Trials()>& make);
  PlanPointer PlannedOnce(const std::string& key, const std::function<PlanPointer()>& make);

 private:
  void WriteCost(const Trial& trial);
  void WriteFindings(const std::string& case_name, const std::vector<Finding>& findings);
  void WriteOutput(const Trial& trial);

  Runner& runner_;
  ResultsWriter& results_;
  std::uint64_t seed_;
  Settings settings_;
  std::map<std::string, Trials> runs_;
  std::map<std::string, PlanPointer> plans_;
  std::map<PlanPointer, Trial> alone_;
  LaunchRecords records_;
  std::size_t written_launches_ = 0;  // records
  std::size_t written_findings_ = 0;
  std::size_t written_output_ = 0;  // bytes, of hosts and devices
};

}  // namespace warpcheck
