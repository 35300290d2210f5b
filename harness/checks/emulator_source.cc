#include "checks/emulator_source.h"

#include <algorithm>

#include "emulator/emulator.h"
#include "emulator/race_checker.h"

namespace warpcheck {

EmulatorSource::EmulatorSource(Settings settings)
    : settings_(std::move(settings)), races_(emulator::MakeRaceChecker()) {}

Result<std::string> EmulatorSource::Name() {
  struct Silent : DeviceLog {
    void OnLaunch(const LaunchRecord&) override {}
    void OnFinding(const Finding&) override {}
    void OnPrint(std::string_view) override {}
  } log;
  return emulator::MakeEmulator(log)->Properties().name;
}

Result<DeviceSource::Device> EmulatorSource::ForTrial(Caller caller, const CallLimits& limits,
                                                      DeviceLog& log) {
  emulator::Options options{.instruction_budget = limits.instructions,
                            .budget = &instructions_,
                            .memory_bytes = limits.device_bytes,
                            .order_seed = {},
                            .is_student_file = {},
                            .observers = {}};
  options.parsed = &parsed_;
  RenewBudget(limits.instructions);
  if (caller == Caller::kSubmission) {
    options.order_seed = settings_.order_seed;
    if (!settings_.only_counts) {
      options.initialisation = emulator::Options::Initialisation::kUses;
      options.observers.push_back(races_.get());
    }
    if (!settings_.student_sources.empty()) {
      options.is_student_file = [sources = settings_.student_sources](std::string_view path) {
        return std::find(sources.begin(), sources.end(), path) != sources.end();
      };
    }
  }
  return Device(emulator::MakeEmulator(log, std::move(options)));
}

}  // namespace warpcheck
