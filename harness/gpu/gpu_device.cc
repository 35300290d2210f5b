#include "gpu/gpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/cupti/launch_counter.h"
#include "gpu/driver_api.h"
#include "gpu/gpu_host_memory.h"
#include "gpu/gpu_memory.h"
#include "gpu/gpu_module.h"
#include "gpu/gpu_textures.h"
#include "gpu/launcher.h"
#include "gpu/step_timer.h"

namespace warpcheck::gpu {

namespace {

class GpuDevice : public Device, public StepRunner {
 public:
  GpuDevice(const DriverApi& api, DeviceLog& log, const Options& options, CountingTools tools,
            std::unique_ptr<Context> context, DeviceProperties properties)
      : api_(api),
        log_(log),
        capture_cubin_(tools.capture_cubin),
        context_(std::move(context)),
        properties_(std::move(properties)),
        memory_(api, options.red_zone_bytes),
        host_memory_(api),
        textures_(api, memory_),
        keeps_modules_(options.counting == Counting::kTotals),
        timed_(options.timed),
        launcher_(
            {api, *context_, properties_, memory_, textures_, [this] { return AllMemory(); }, log},
            options, std::move(tools)) {}

  ~GpuDevice() override { (void)context_->Enter(); }

  const DeviceProperties& Properties() const override { return properties_; }

  MemoryInfo Memory() override {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    if (Ready()) (void)Answer(api_.MemGetInfo(&free_bytes, &total_bytes));
    return {.free_bytes = free_bytes, .total_bytes = total_bytes};
  }

  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at) override {
    if (!Ready()) return tl::unexpected(error_);
    // With CUDA 13.0, cuMemAddressReserve returns no address that a host process has chosen.
    if (at != 0) return tl::unexpected(DeviceError::kNotSupported);
    auto address = memory_.Allocate(bytes);
    if (!address) return tl::unexpected(Remember(address.error()));
    return address;
  }

  DeviceError Free(DeviceAddress address) override {
    if (!Ready()) return error_;
    if (host_memory_.Free(address)) return DeviceError::kSuccess;
    WARPCHECK_TRY_CODE(memory_.Free(address));
    textures_.Forget(address);
    return DeviceError::kSuccess;
  }

  DeviceError Reset() override {
    if (!Ready()) return error_;
    while (!modules_.empty()) Unload(modules_.begin()->first);
    textures_.DestroyAll();
    memory_.FreeAll();
    host_memory_.FreeAll();
    launcher_.BeginTrial();
    return DeviceError::kSuccess;
  }

  bool Holds(DeviceAddress address, std::uint64_t bytes) override {
    if (memory_.Holds(address, bytes) || host_memory_.Holds(address, bytes)) return true;
    for (const auto& [id, module] : modules_) {
      if (module->Holds(address, bytes)) return true;
    }
    return false;
  }

  DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                       std::span<const std::byte> bytes) override {
    return Access({to}, extent, [&] {
      if (!IsOfHost(to)) return WriteRows(api_, to, extent, bytes);
      return WriteHostRows(to, extent, bytes), CUDA_SUCCESS;
    });
  }

  DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                      std::span<std::byte> bytes) override {
    return Access({from}, extent, [&] {
      if (!IsOfHost(from)) return ReadRows(api_, from, extent, bytes);
      return ReadHostRows(from, extent, bytes), CUDA_SUCCESS;
    });
  }

  DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) override {
    return Access({to, from}, extent, [&] {
      if (!IsOfHost(to) && !IsOfHost(from)) return CopyRows(api_, to, from, extent);
      return CopyOfHost(to, from, extent);
    });
  }

  DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) override {
    return Access({to}, extent, [&] {
      if (!IsOfHost(to)) return FillRows(api_, to, extent, value);
      return FillHostRows(to, extent, value), CUDA_SUCCESS;
    });
  }

  DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor& texture) override {
    if (!Ready()) return tl::unexpected(error_);
    auto handle = textures_.Create(texture);
    if (!handle) return tl::unexpected(Remember(handle.error()));
    return handle;
  }

  DeviceError DestroyTexture(const TextureKey& texture) override {
    return Ready() ? textures_.Destroy(texture) : error_;
  }

  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override {
    if (!Ready()) return tl::unexpected(error_);
    auto module = TakeUnloaded(ptx);
    if (!module) return tl::unexpected(Remember(module.error()));
    if (*module == nullptr) module = Load(ptx);
    if (!module) return tl::unexpected(Remember(module.error()));
    const ModuleId id = ++last_module_;
    ModuleInfo info = (*module)->Info(id);
    modules_[id] = std::move(*module);
    return info;
  }

  DeviceError UnloadModule(ModuleId module) override {
    if (!Ready()) return error_;
    return Unload(module) ? DeviceError::kSuccess : DeviceError::kInvalidResourceHandle;
  }

  DeviceError Launch(const LaunchRequest& request) override {
    if (!Ready()) return error_;
    const auto module = modules_.find(request.module);
    if (module == modules_.end()) return DeviceError::kInvalidResourceHandle;
    const GpuKernel* kernel = module->second->Find(request.kernel);
    if (kernel == nullptr) return DeviceError::kInvalidDeviceFunction;
    return Remember(launcher_.Launch(*module->second, *kernel, request));
  }

  DeviceResult<DeviceAddress> AllocateHost(std::uint64_t bytes, HostMemory memory) override {
    if (!Ready()) return tl::unexpected(error_);
    auto address = host_memory_.Allocate(bytes, memory);
    if (!address) return tl::unexpected(Remember(address.error()));
    return address;
  }

  // First runs the steps one after another, which checks, prepares and reports each launch.
  DeviceResult<std::vector<StepTime>> RunSteps(const std::vector<DeviceStep>& steps) override {
    const auto contents = host_memory_.Save();
    const DeviceError error = RunInOrder(*this, steps);
    if (error != DeviceError::kSuccess) return tl::unexpected(error);
    std::vector<StepTime> times;
    if (!timed_) return times;
    const auto start = [&](std::size_t index, CUstream stream) {
      const DeviceStep& step = steps[index];
      if (step.is_copy) return api_.MemcpyAsync(step.to, step.from, step.bytes, stream);
      const GpuKernel& kernel = *modules_.at(step.launch.module)->Find(step.launch.kernel);
      return StartKernel(api_, kernel, step.launch, stream);
    };
    const auto restore = [&] { host_memory_.Restore(contents); };
    const DeviceError timed = Answer(TimeSteps(api_, steps, start, restore, times));
    if (timed != DeviceError::kSuccess) return tl::unexpected(timed);
    return times;
  }

  void NoteUnsupportedCall(std::string_view function) override {
    log_.OnFinding(UnsupportedCall(function));
  }

  void NoteMisuse(const Finding& finding) override {
    if (IsMisuse(finding.kind)) log_.OnFinding(finding);
  }

 private:
  // Returns true if the device accepts requests; its context is then current.
  bool Ready() {
    return error_ == DeviceError::kSuccess && Answer(context_->Enter()) == DeviceError::kSuccess;
  }

  DeviceError Remember(DeviceError error) {
    if (IsSticky(error)) error_ = error;
    return error;
  }
  DeviceError Answer(CUresult result) { return Remember(ToDeviceError(result)); }

  DeviceResult<std::unique_ptr<GpuModule>> Load(std::string_view ptx) {
    auto module = GpuModule::Load(api_, ptx, capture_cubin_);
    if (!module) {
      log_.OnFinding({.kind = FindingKind::kInvalidPtx, .message = module.error().message});
      return tl::unexpected(module.error().error);
    }
    if (keeps_modules_) {
      const DeviceError kept = ToDeviceError((*module)->KeepValues());
      if (kept != DeviceError::kSuccess) return tl::unexpected(kept);
    }
    return std::move(*module);
  }

  // Returns a module of this text that was unloaded and can be used again, as if it had just been
  // loaded. Returns nullptr if there is none.
  DeviceResult<std::unique_ptr<GpuModule>> TakeUnloaded(std::string_view ptx) {
    const auto found = std::ranges::find_if(
        unloaded_, [&](const auto& module) { return module->HasValues() && module->ptx() == ptx; });
    if (found == unloaded_.end()) return nullptr;
    std::unique_ptr<GpuModule> module = std::move(*found);
    unloaded_.erase(found);
    const DeviceError restored = ToDeviceError(module->RestoreValues());
    if (restored != DeviceError::kSuccess) return tl::unexpected(restored);
    return module;
  }

  bool Unload(ModuleId module) {
    auto unloaded = modules_.extract(module);
    if (unloaded.empty()) return false;
    if (keeps_modules_) unloaded_.push_back(std::move(unloaded.mapped()));
    return true;
  }

  bool IsOfHost(const DeviceBox& box) const { return host_memory_.Holds(box.address, 1); }

  // Copies one row from or to the host's memory.
  CUresult CopyOfHost(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) {
    const Extent3 rows = Joined(extent, to.strides, from.strides);
    if (rows.height != 1 || rows.depth != 1) return CUDA_ERROR_NOT_SUPPORTED;
    WARPCHECK_TRY_CODE(api_.MemcpyAsync(to.address, from.address, rows.width, nullptr));
    return api_.CtxSynchronize();
  }

  template <class Body>
  DeviceError Access(std::initializer_list<DeviceBox> boxes, const Extent3& extent, Body body) {
    if (!Ready()) return error_;
    if (extent.Empty()) return DeviceError::kSuccess;
    const bool all = std::ranges::all_of(boxes, [&](const DeviceBox& box) {
      const auto span = SpanOf(box.strides, extent);
      return span && Holds(box.address, *span);
    });
    return all ? Answer(body()) : DeviceError::kInvalidValue;
  }

  std::vector<MemoryRange> AllMemory() const {
    std::vector<MemoryRange> all;
    for (const auto& [begin, allocation] : memory_.allocations()) {
      all.push_back({allocation.block, allocation.block_bytes()});
    }
    for (const auto& [id, module] : modules_) {
      for (const VariableInfo& variable : module->variables()) {
        all.push_back({variable.address, variable.bytes});
      }
    }
    return all;
  }

  const DriverApi& api_;
  DeviceLog& log_;
  const CubinCapturer capture_cubin_;
  std::unique_ptr<Context> context_;  // must outlive the members that follow
  const DeviceProperties properties_;
  DeviceError error_ = DeviceError::kSuccess;  // the sticky error
  GpuMemory memory_;
  GpuHostMemory host_memory_;
  GpuTextures textures_;
  std::map<ModuleId, std::unique_ptr<GpuModule>> modules_;
  // With CUDA 13.0, a process crashes a few launches after it has unloaded code that CUPTI's Range
  // Profiler has seen. Therefore modules stay loaded until the counter is destroyed, as long as
  // totals are counted. They are used again: each call of a case loads the same modules.
  const bool keeps_modules_;
  const bool timed_;
  std::vector<std::unique_ptr<GpuModule>> unloaded_;
  ModuleId last_module_ = 0;
  Launcher launcher_;
};

}  // namespace

Result<std::unique_ptr<Device>> MakeGpuDevice(const DriverApi& api, DeviceLog& log,
                                              const Options& options, CountingTools tools) {
  auto context = WARPCHECK_TRY(Context::Make(api, options.ordinal));
  auto properties = WARPCHECK_TRY(ReadProperties(api, context->device()));
  if (properties.target() < 75) {
    return Fail(fmt::format("{} has compute capability {}.{}, and CUDA 13 compiles for 7.5 and "
                            "newer",
                            properties.name, properties.compute_major, properties.compute_minor),
                {}, "grade on the emulator: --device emulator");
  }
  return std::make_unique<GpuDevice>(api, log, options, std::move(tools), std::move(context),
                                     std::move(properties));
}

}  // namespace warpcheck::gpu
