#include "emulator/emulator.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <utility>

#include "emulator/device_memory.h"
#include "emulator/hardware.h"
#include "emulator/initialisation.h"
#include "emulator/launch.h"
#include "emulator/launch_check.h"
#include "emulator/loaded_module.h"
#include "emulator/observer.h"
#include "emulator/parallel_run.h"
#include "emulator/parsed_modules.h"
#include "emulator/race_checker.h"

namespace warpcheck::emulator {
namespace {

using Initialisation = Options::Initialisation;

class Emulator : public Device {
 public:
  Emulator(DeviceLog& log, Options options)
      : log_(log),
        options_(std::move(options)),
        parallel_(options_),
        hardware_(DefaultHardware()),
        properties_(hardware_.properties),
        isa_(options_.portable ? baseline::kIsa : BestIsa()),
        memory_(options_.memory_bytes, options_.initialisation != Initialisation::kUnchecked),
        own_budget_(options_.instruction_budget),
        budget_(options_.budget != nullptr ? options_.budget : &own_budget_) {
    properties_.global_bytes = options_.memory_bytes;
    if (options_.initialisation != Initialisation::kUnchecked) {
      initialisation_.emplace(options_.initialisation == Initialisation::kEveryRead);
      options_.observers.push_back(&*initialisation_);
    }
    if (options_.find_races) {
      races_ = MakeRaceChecker();
      options_.observers.push_back(races_.get());
    }
    if (options_.parsed != nullptr) parsed_ = options_.parsed;
    if (!options_.is_student_file) options_.is_student_file = [](std::string_view) { return true; };
  }

  const DeviceProperties& Properties() const override { return properties_; }

  warpcheck::MemoryInfo Memory() override {
    return {.free_bytes = memory_.limit_bytes() - memory_.used_bytes(),
            .total_bytes = memory_.limit_bytes()};
  }

  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override {
    if (failed()) return tl::unexpected(error_);
    return memory_.Allocate(bytes, at, false);
  }

  DeviceError Free(DeviceAddress address) override {
    return failed() ? error_ : memory_.Free(address);
  }

  DeviceError Write(DeviceAddress to, std::span<const std::byte> bytes) override {
    return Access(to, bytes.size(), [&](std::byte* host) {
      std::memcpy(host, bytes.data(), bytes.size());
      memory_.MarkWritten(to, bytes.size());
    });
  }

  DeviceError Read(DeviceAddress from, std::span<std::byte> bytes) override {
    return Access(from, bytes.size(),
                  [&](const std::byte* host) { std::memcpy(bytes.data(), host, bytes.size()); });
  }

  DeviceError Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    return Access(to, bytes, [&](std::byte* host) {
      const std::byte* source = memory_.Host(from, bytes);
      if (source == nullptr) return DeviceError::kInvalidValue;
      std::memmove(host, source, bytes);
      memory_.CopyWritten(to, from, bytes);
      return DeviceError::kSuccess;
    });
  }

  DeviceError Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) override {
    return Access(to, bytes, [&](std::byte* host) {
      std::memset(host, std::to_integer<int>(value), bytes);
      memory_.MarkWritten(to, bytes);
    });
  }

  void MarkUnwritten(DeviceAddress address, std::uint64_t bytes) override {
    memory_.MarkWritten(address, bytes, false);
  }

  void NameArray(DeviceAddress address, const ArrayName& name) override {
    memory_.NameArray(address, name);
  }

  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override {
    if (failed()) return tl::unexpected(error_);
    auto parsed = parsed_->Parse(ptx);
    if (!parsed) {
      Note(FindingKind::kInvalidPtx, parsed.error().Text());
      return tl::unexpected(DeviceError::kInvalidPtx);
    }
    auto loaded = LoadedModule::Load(*std::move(parsed), memory_, parsed_->preparation());
    if (!loaded) return tl::unexpected(loaded.error());
    const ModuleId id = ++last_module_;
    ModuleInfo info = (*loaded)->Info(id, isa_, properties_);
    modules_[id] = std::move(*loaded);
    log_.OnModule(id, ptx);
    return info;
  }

  DeviceError UnloadModule(ModuleId module) override {
    if (failed()) return error_;
    parallel_.Forget();
    return modules_.erase(module) != 0 ? DeviceError::kSuccess
                                       : DeviceError::kInvalidResourceHandle;
  }

  DeviceError Launch(const LaunchRequest& request) override {
    if (failed()) return error_;
    const auto module = modules_.find(request.module);
    if (module == modules_.end()) return DeviceError::kInvalidResourceHandle;
    const Kernel* kernel = module->second->FindKernel(request.kernel, isa_);
    if (kernel == nullptr) return DeviceError::kInvalidDeviceFunction;

    emulator::Launch launch;
    launch.kernel = kernel;
    launch.request = &request;
    launch.hardware = &hardware_;
    launch.isa = &isa_;
    launch.options = &options_;
    launch.memory = &memory_;
    launch.log = &log_;
    launch.observers = options_.observers.empty() ? nullptr : &options_.observers;
    launch.initialisation = initialisation_ ? &*initialisation_ : nullptr;
    launch.budget = budget_;
    launch.grid_id = ++launches_;
    launch.shared_bytes = kernel->static_shared_bytes + request.dynamic_shared_bytes;
    launch.record.kernel = kernel->display_name;
    launch.record.grid = request.grid;
    launch.record.block = request.block;
    launch.record.shared_bytes =
        std::uint64_t{kernel->static_shared_bytes} + request.dynamic_shared_bytes;

    if (auto refusal = CheckLaunch(*kernel, request, properties_)) {
      launch.record.error = refusal->error;
      launch.record.findings.push_back(std::move(refusal->finding));
      log_.OnLaunch(launch.record);
      return launch.record.error;
    }
    log_.OnLaunchBegin(launch.record);
    RunLaunch(launch, parallel_);
    FoldCounters(launch);
    launch.record.error = launch.error;
    log_.OnLaunch(launch.record);
    if (IsSticky(launch.error)) error_ = launch.error;
    return launch.error;
  }

  void NoteUnsupportedCall(std::string_view function) override {
    Note(
        FindingKind::kUnsupportedCall,
        fmt::format("{} is not offered by warpcheck: it returned cudaErrorNotSupported", function));
  }

  void NoteMisuse(FindingKind kind, std::string_view message) override {
    if (IsMisuse(kind)) Note(kind, std::string(message));
  }

 private:
  bool failed() const { return error_ != DeviceError::kSuccess; }

  void Note(FindingKind kind, std::string message) {
    Finding finding;
    finding.kind = kind;
    finding.message = std::move(message);
    log_.OnFinding(finding);
  }

  // Calls body(host bytes behind [address, address + bytes)), if there are any.
  template <class Body>
  DeviceError Access(DeviceAddress address, std::uint64_t bytes, Body body) {
    if (failed()) return error_;
    if (bytes == 0) return DeviceError::kSuccess;
    std::byte* host = memory_.Host(address, bytes);
    if (host == nullptr) return DeviceError::kInvalidValue;
    if constexpr (std::is_void_v<decltype(body(host))>) {
      body(host);
      return DeviceError::kSuccess;
    } else {
      return body(host);
    }
  }

  DeviceLog& log_;
  Options options_;
  ParallelRun parallel_;
  std::unique_ptr<Observer> races_;
  const Hardware& hardware_;
  DeviceProperties properties_;
  const Isa& isa_;
  std::optional<InitialisationChecker> initialisation_;
  ParsedModules own_parsed_;
  ParsedModules* parsed_ = &own_parsed_;
  DeviceMemory memory_;
  std::uint64_t own_budget_;
  std::uint64_t* budget_;                      // warp instructions left
  DeviceError error_ = DeviceError::kSuccess;  // sticky
  std::map<ModuleId, std::unique_ptr<LoadedModule>> modules_;
  ModuleId last_module_ = 0;
  std::uint64_t launches_ = 0;
};

}  // namespace

std::unique_ptr<Device> MakeEmulator(DeviceLog& log, Options options) {
  return std::make_unique<Emulator>(log, std::move(options));
}

}  // namespace warpcheck::emulator
