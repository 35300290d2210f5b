#include "trial/devices/emulator_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/checkers/checkers.h"
#include "emulator/emulator.h"
#include "trial/devices/resource_log.h"

namespace warpcheck {

namespace {

// An emulator whose log adds ptxas's figures of the kernels.
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

Result<const GpuGeneration*> EmulatorSource::Gpu() const {
  if (const GpuGeneration* const gpu = GpuFor(settings_.target)) return gpu;
  return Fail(fmt::format("the emulator knows no GPU of compute capability {}.{}",
                          settings_.target / 10, settings_.target % 10));
}

Result<std::string> EmulatorSource::Name() {
  WARPCHECK_TRY(Gpu());
  return fmt::format("warpcheck emulator (sm_{})", settings_.target);
}

void EmulatorSource::RenewBudget(std::uint64_t instructions) {
  if (settings_.most_instructions != 0) {
    instructions = std::min(instructions, settings_.most_instructions);
  }
  given_ = instructions_ = instructions;
  overhead_before_ = overhead_;
}

Result<DeviceSource::Device> EmulatorSource::ForTrial(const CallLimits& limits, DeviceLog& log) {
  const GpuGeneration* const gpu = WARPCHECK_TRY(Gpu());
  emulator::Options options{.instruction_budget = limits.instructions,
                            .budget = &instructions_,
                            .memory_bytes = limits.device_bytes,
                            .order_seed = {},
                            .is_student_file = {},
                            .observers = {}};
  options.gpu = gpu;
  options.by_allocation = true;
  options.shared_fills = true;
  options.parsed = &parsed_;
  options.overhead = &overhead_;
  options.module_for = settings_.module_for;
  options.change_launch = settings_.change_launch;
  options.order_seed = settings_.order_seed;
  options.is_student_file = IsOneOfSources(settings_.student_sources);
  options.on_approximation = [this](const emulator::Approximation& one) {
    approximations_.Add(one);
  };
  approximations_.Take();
  RenewBudget(limits.instructions);
  if (!settings_.only_counts) {
    for (const emulator::Checker& checker : emulator::Checkers()) {
      if (checker.in_grades && !checker.lasts) options.checkers.push_back(&checker);
    }
    for (const auto& checker : lasting_) options.observers.push_back(checker.get());
  }
  if (settings_.observer) options.observers.push_back(settings_.observer());
  if (!settings_.modules.empty()) {
    auto informed = std::make_shared<Informed>(log, settings_.modules, std::move(options));
    return Device(informed, informed->device.get());
  }
  return Device(emulator::MakeEmulator(log, std::move(options)));
}

}  // namespace warpcheck
