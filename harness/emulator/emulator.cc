#include "emulator/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "device/launch_rules.h"
#include "emulator/checkers/checkers.h"
#include "emulator/checkers/forbidden_stores.h"
#include "emulator/code/isa.h"
#include "emulator/core/launch.h"
#include "emulator/core/launch_check.h"
#include "emulator/core/loaded_module.h"
#include "emulator/core/observer.h"
#include "emulator/decode/parsed_modules.h"
#include "emulator/memory/device_memory.h"
#include "emulator/parallel/parallel_run.h"
#include "emulator/record/approximations.h"
#include "emulator/record/heap_leaks.h"
#include "emulator/record/launch_needs.h"
#include "emulator/record/line_counters.h"
#include "emulator/record/memory_uses.h"
#include "emulator/record/shared_fills.h"
#include "emulator/record/size_text.h"
#include "hardware/generations.h"

namespace warpcheck::emulator {
namespace {

// StoreWatch records which bytes of device memory kernels have stored to, on the pages that a
// caller has asked about.
class StoreWatch : public Observer {
 public:
  // Implements Device::TakeStored.
  std::vector<bool> Take(std::uint64_t address, std::uint64_t bytes) {
    std::vector<bool> stored;
    for (std::uint64_t i = 0; i < bytes;) {
      Page& page = pages_[(address + i) / kPageBytes];
      const std::uint64_t first = (address + i) % kPageBytes;
      const std::uint64_t count = std::min(bytes - i, kPageBytes - first);
      if (page.any) {
        stored.resize(bytes);
        for (std::uint64_t k = 0; k < count; ++k) {
          stored[i + k] = page.stored[first + k];
          page.stored[first + k] = false;
        }
        page.any = page.stored.any();
      }
      i += count;
    }
    return stored;
  }

  void OnAccess(const AccessEvent& event) override {
    if (event.memory != MemoryKind::kGlobal || event.info.kind == MemoryInfo::Kind::kLoad) return;
    EachLane(event.mask, [&](std::size_t lane) {
      std::uint64_t at = event.addresses[lane];
      const std::uint64_t end = at + event.info.bytes;
      while (at < end) {
        const auto page = pages_.find(at / kPageBytes);
        const std::uint64_t last = std::min(end, (at / kPageBytes + 1) * kPageBytes);
        if (page != pages_.end()) {
          page->second.any = true;
          for (std::uint64_t i = at; i < last; ++i) page->second.stored[i % kPageBytes] = true;
        }
        at = last;
      }
    });
  }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Page {
    bool any = false;
    std::bitset<kPageBytes> stored;  // one bit for each byte
  };

  std::unordered_map<std::uint64_t, Page> pages_;  // pages by address / kPageBytes
};

class Emulator : public Device {
 public:
  Emulator(DeviceLog& log, Options options)
      : log_(log),
        options_(std::move(options)),
        parallel_(options_),
        properties_(options_.gpu->properties),
        isa_(options_.portable ? baseline::kIsa : BestIsa()),
        memory_(options_.memory_bytes,
                std::ranges::any_of(options_.checkers, &Checker::marks_writes)),
        checkers_(options_.checkers),
        own_budget_(options_.instruction_budget),
        budget_(options_.budget != nullptr ? options_.budget : &own_budget_) {
    properties_.global_bytes = options_.memory_bytes;
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
    // Memory at an address of the host is a copy of the host's, which begins with zeros.
    return memory_.Allocate(bytes, at, at != 0);
  }

  DeviceError Free(DeviceAddress address) override {
    return failed() ? error_ : memory_.Free(address);
  }

  DeviceError Reset() override {
    if (failed()) return error_;
    parallel_.Forget();
    modules_.clear();
    textures_.clear();
    memory_.FreeAll();
    return DeviceError::kSuccess;
  }

  bool Holds(DeviceAddress address, std::uint64_t bytes) override {
    return memory_.Find(address, bytes) != nullptr;
  }

  DeviceError WriteBox(const DeviceBox& to, const Extent3& extent,
                       std::span<const std::byte> bytes) override {
    return Access(to, extent, [&](std::byte* host) {
      MoveBox(host, to.strides, bytes.data(), Packed(extent), extent);
      MarkWritten(to, extent);
      memory_.NoteHostWrite("cudaMemcpy", to.address, extent.Bytes());
    });
  }

  DeviceError ReadBox(const DeviceBox& from, const Extent3& extent,
                      std::span<std::byte> bytes) override {
    return Access(from, extent, [&](const std::byte* host) {
      MoveBox(bytes.data(), Packed(extent), host, from.strides, extent);
    });
  }

  DeviceError CopyBox(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) override {
    return Access(to, extent, [&](std::byte* host) {
      return Access(from, extent, [&](const std::byte* source) {
        MoveBox(host, to.strides, source, from.strides, extent);
        memory_.CopyWritten(to, from, extent);
        memory_.NoteHostWrite("cudaMemcpy", to.address, extent.Bytes());
      });
    });
  }

  DeviceError FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) override {
    return Access(to, extent, [&](std::byte* host) {
      warpcheck::FillBox(host, to.strides, extent, value);
      MarkWritten(to, extent);
      memory_.NoteHostWrite("cudaMemset", to.address, extent.Bytes());
    });
  }

  std::optional<std::vector<bool>> TakeStored(DeviceAddress address, std::uint64_t bytes) override {
    if (memory_.Find(address, bytes) == nullptr) return std::nullopt;
    if (!store_watch_) options_.observers.push_back(&store_watch_.emplace());
    return store_watch_->Take(address, bytes);
  }

  bool FetchAtUse(DeviceAddress address, const std::function<void()>& fetch) override {
    return !failed() && memory_.FetchAtUse(address, fetch);
  }

  void MarkUnwritten(DeviceAddress address, std::uint64_t bytes) override {
    memory_.MarkWritten(address, bytes, false);
  }

  void ForbidStores(DeviceAddress address, const std::vector<ForbiddenRange>& ranges) override {
    if (!forbidden_) options_.observers.push_back(&forbidden_.emplace());
    forbidden_->Forbid(address, ranges);
  }

  void NameArray(DeviceAddress address, const ArrayName& name) override {
    memory_.NameArray(address, name);
  }

  // The handle is the address of a copy of the descriptor in device memory.
  DeviceResult<TextureHandle> CreateTexture(const TextureDescriptor& texture) override {
    if (failed()) return tl::unexpected(error_);
    if (!IsSound(texture) || !Holds(texture.texels, TexelSpan(texture))) {
      return tl::unexpected(DeviceError::kInvalidValue);
    }
    const DeviceAddress address =
        WARPCHECK_TRY(memory_.Allocate(sizeof texture, DeviceAddress{0}, false));
    (void)Write(address, std::as_bytes(std::span(&texture, 1)));
    textures_.insert({.handle = address, .is_surface = texture.is_surface != 0});
    return address;
  }

  DeviceError DestroyTexture(const TextureKey& texture) override {
    if (failed()) return error_;
    if (textures_.erase(texture) == 0) return DeviceError::kInvalidValue;
    return memory_.Free(texture.handle);
  }

  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override {
    if (failed()) return tl::unexpected(error_);
    auto parsed = ModuleFor(ptx);
    if (!parsed) {
      log_.OnFinding({.kind = FindingKind::kUnsupportedCode, .message = parsed.error().Text()});
      return tl::unexpected(DeviceError::kInvalidPtx);
    }
    auto loaded = WARPCHECK_TRY(LoadedModule::Load(*std::move(parsed), memory_));
    const ModuleId id = ++last_module_;
    log_.OnModule(id, ptx);
    loaded->Decode(*parsed_, isa_, options_.registers_of);
    ModuleInfo info = loaded->Info(id, properties_);
    modules_[id] = std::move(loaded);
    return info;
  }

  DeviceError UnloadModule(ModuleId module) override {
    if (failed()) return error_;
    parallel_.Forget();
    return modules_.erase(module) != 0 ? DeviceError::kSuccess
                                       : DeviceError::kInvalidResourceHandle;
  }

  DeviceError Launch(const LaunchRequest& request) override {
    const DeviceError error = options_.change_launch ? LaunchWithChildren(ChangedLaunch(request))
                                                     : LaunchWithChildren(request);
    memory_.ForgetFetches();
    return error;
  }

  void NoteUnsupportedCall(std::string_view function) override {
    log_.OnFinding(UnsupportedCall(function));
  }

  void NoteMisuse(const Finding& finding) override {
    if (IsMisuse(finding.kind)) log_.OnFinding(finding);
  }

  // After an error that stays, no kernel could free anything.
  void NoteLeftovers() override {
    if (failed()) return;
    for (const Finding& finding : HeapLeaks(memory_)) log_.OnFinding(finding);
  }

  void WatchUses() override {
    if (!uses_) uses_.emplace();
  }

  LaunchUses TakeUses() override { return uses_ ? uses_->Take() : LaunchUses(); }

 private:
  bool failed() const { return error_ != DeviceError::kSuccess; }

  LaunchRequest ChangedLaunch(LaunchRequest request) const {
    options_.change_launch(request);
    return request;
  }

  Result<std::shared_ptr<const ptx::Module>> ModuleFor(std::string_view ptx) {
    if (options_.module_for) {
      if (auto module = options_.module_for(ptx)) return module;
    }
    return parsed_->Parse(ptx);
  }

  // A kernel's launches run one after another when it has ended: each child, then its children. Its
  // launches at the tail come last.
  DeviceError LaunchWithChildren(const LaunchRequest& request) {
    std::vector<ChildLaunch> children;
    const DeviceError error = LaunchOne(request, 0, children);
    std::vector<ChildLaunch> waiting;  // the next one is the last
    while (!failed()) {
      std::ranges::stable_sort(children, {}, &ChildLaunch::at_tail);
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        waiting.push_back(std::move(*child));
      }
      children.clear();
      if (waiting.empty()) break;
      const ChildLaunch next = std::move(waiting.back());
      waiting.pop_back();
      (void)LaunchOne(next.request, next.depth, children);
    }
    return failed() ? error_ : error;
  }

  // Runs one launch, and moves what its threads have launched to `children`.
  DeviceError LaunchOne(const LaunchRequest& request, std::uint32_t depth,
                        std::vector<ChildLaunch>& children) {
    if (failed()) return error_;
    const auto module = modules_.find(request.module);
    if (module == modules_.end()) return DeviceError::kInvalidResourceHandle;
    const Kernel* kernel = module->second->FindKernel(request.kernel);
    if (kernel == nullptr) return DeviceError::kInvalidDeviceFunction;

    emulator::Launch launch;
    launch.kernel = kernel;
    launch.request = &request;
    launch.hardware = options_.gpu;
    launch.isa = &isa_;
    launch.options = &options_;
    launch.memory = &memory_;
    launch.log = &log_;
    Observers observers = options_.observers;
    if (uses_) observers.push_back(launch.uses = &*uses_);
    launch.record.shared_bytes =
        SharedBytesOfBlock(kernel->static_shared_bytes, request.dynamic_shared_bytes);
    if (options_.shared_fills && launch.record.shared_bytes != 0) {
      observers.push_back(&shared_fills_);
    }
    checkers_.Watch(launch, observers);
    launch.budget = budget_;
    launch.grid_id = ++launches_;
    launch.depth = depth;
    launch.record.kernel = kernel->display_name;
    launch.record.grid = request.grid;
    launch.record.block = request.block;

    if (auto refusal = CheckLaunch(*kernel, request, properties_)) {
      launch.record.error = refusal->error;
      launch.record.findings.push_back(std::move(refusal->finding));
      log_.OnLaunch(launch.record);
      return launch.record.error;
    }
    if (!PayFor(*kernel)) {
      launch.record.error = error_ = DeviceError::kLaunchTimeout;
      launch.record.findings.push_back(
          {.kind = FindingKind::kBudgetExceeded,
           .kernel = launch.record.kernel,
           .message = "too many kernel launches: the limit for all calls together is reached",
           .hint = "do more in one launch, or look for a loop that launches without end"});
      log_.OnLaunch(launch.record);
      return launch.record.error;
    }
    launch.shared_bytes = static_cast<std::uint32_t>(launch.record.shared_bytes);
    log_.OnLaunchBegin(launch.record);
    RunLaunch(launch, parallel_);
    FoldCounters(launch);
    FindNeeds(launch);
    if (options_.on_approximation) approximations_.Add(launch, options_.on_approximation);
    TellSharedSize(launch);
    launch.record.error = launch.error;
    log_.OnLaunch(launch.record);
    if (IsSticky(launch.error)) error_ = launch.error;
    for (const DeviceAddress block : launch.parameter_blocks) {
      (void)memory_.Free(block, AllocationKind::kVariable);
    }
    children = std::move(launch.children);
    return launch.error;
  }

  // Takes the cost of a launch from Options::overhead: the cost of its record, and of the counters
  // of each instruction. Returns false if too little is left.
  bool PayFor(const Kernel& kernel) const {
    constexpr std::uint64_t kLaunchCost = 1'000;  // in warp instructions
    constexpr std::uint64_t kStepCost = 6;
    if (options_.overhead == nullptr) return true;
    std::uint64_t steps = 0;
    for (const auto& [id, program] : kernel.programs) steps += program->steps.size();
    const std::uint64_t cost = kLaunchCost + kStepCost * steps;
    const bool enough = cost <= *options_.overhead;
    *options_.overhead -= std::min(*options_.overhead, cost);
    return enough;
  }

  void MarkWritten(const DeviceBox& box, const Extent3& extent) {
    const Extent3 rows = Joined(extent, box.strides);
    ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
      memory_.MarkWritten(box.address + box.strides.Offset(y, z), rows.width);
    });
  }

  // Calls body(host address of the box) if the box lies in memory; otherwise returns kInvalidValue.
  template <class Body>
  DeviceError Access(const DeviceBox& box, const Extent3& extent, Body body) {
    if (failed()) return error_;
    if (extent.Empty()) return DeviceError::kSuccess;
    const auto span = SpanOf(box.strides, extent);
    std::byte* host = span ? memory_.Host(box.address, *span) : nullptr;
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
  DeviceProperties properties_;
  const Isa& isa_;
  std::optional<StoreWatch> store_watch_;  // created when a caller first asks
  std::optional<ForbiddenStores> forbidden_;
  std::optional<MemoryUses> uses_;  // created by WatchUses
  SharedFills shared_fills_;
  ParsedModules own_parsed_;
  ParsedModules* parsed_ = &own_parsed_;
  DeviceMemory memory_;
  CheckersOfAThread checkers_;
  std::uint64_t own_budget_;
  std::uint64_t* budget_;                      // the number of warp instructions left
  DeviceError error_ = DeviceError::kSuccess;  // the first sticky error
  std::map<ModuleId, std::unique_ptr<LoadedModule>> modules_;
  std::set<TextureKey> textures_;
  ModuleId last_module_ = 0;
  std::uint64_t launches_ = 0;
  ApproximationLog approximations_;
};

}  // namespace

std::unique_ptr<Device> MakeEmulator(DeviceLog& log, Options options) {
  return std::make_unique<Emulator>(log, std::move(options));
}

}  // namespace warpcheck::emulator
