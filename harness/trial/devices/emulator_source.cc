#include "trial/devices/emulator_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/checkers/checkers.h"
#include "emulator/emulator.h"
#include "trial/devices/resource_log.h"

namespace warpcheck {

namespace {

// An emulator that says what ptxas gives the kernels.
struct Informed {
  Informed(DeviceLog& outer, const std::vector<ModuleResources>& modules, emulator::Options options)
      : log(outer, modules) {
    options.registers_of = [this](const std::string& kernel) { return log.RegistersOf(kernel); };
    device = emulator::MakeEmulator(log, std::move(options));
    log.SetProperties(device->Properties());
  }
  Informed(const Informed&) = delete;
  Informed& operator=(const Informed&) = delete;
  ~Informed() = default;
  ResourceLog log;
  std::unique_ptr<Device> device;
};

}  // namespace

EmulatorSource::EmulatorSource(Settings settings) : settings_(std::move(settings)) {
  for (const emulator::Checker& checker : emulator::Checkers()) {
    if (checker.in_grades && checker.lasts) lasting_.push_back(checker.make());
  }
}

Result<std::string> EmulatorSource::Name() {
  struct Silent : DeviceLog {
    void OnLaunch(const LaunchRecord&) override {}
    void OnFinding(const Finding&) override {}
    void OnPrint(std::string_view) override {}
  } log;
  const DeviceProperties properties = emulator::MakeEmulator(log)->Properties();
  return fmt::format("warpcheck emulator (sm_{}{})", properties.compute_major,
                     properties.compute_minor);
}

Result<DeviceSource::Device> EmulatorSource::ForTrial(const CallLimits& limits, DeviceLog& log) {
  emulator::Options options{.instruction_budget = limits.instructions,
                            .budget = &instructions_,
                            .memory_bytes = limits.device_bytes,
                            .order_seed = {},
                            .is_student_file = {},
                            .observers = {}};
  options.parsed = &parsed_;
  options.overhead = &overhead_;
  options.order_seed = settings_.order_seed;
  options.is_student_file = IsOneOfSources(settings_.student_sources);
  RenewBudget(limits.instructions);
  if (!settings_.only_counts) {
    for (const emulator::Checker& checker : emulator::Checkers()) {
      if (checker.in_grades && !checker.lasts) options.checkers.push_back(&checker);
    }
    for (const auto& checker : lasting_) options.observers.push_back(checker.get());
  }
  if (!settings_.modules.empty()) {
    auto informed = std::make_shared<Informed>(log, settings_.modules, std::move(options));
    return Device(informed, informed->device.get());
  }
  return Device(emulator::MakeEmulator(log, std::move(options)));
}

}  // namespace warpcheck
