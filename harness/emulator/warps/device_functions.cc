#include "emulator/warps/device_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/text.h"
#include "base/text/demangle.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/memory/address_windows.h"
#include "emulator/memory/device_memory.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/overhead.h"
#include "emulator/record/source_lines.h"
#include "emulator/warps/printf_format.h"

namespace warpcheck::emulator {
namespace {

constexpr std::size_t kMaxPrinted = 1 << 20;  // the most bytes that a launch may print
// The cost of a lane's printf, in warp instructions of the budget. The text of a launch is limited,
// so that printf needs little more processor time: a kernel must not fail because of a print that
// was not removed.
constexpr std::uint64_t kPrintfCost = 2;
constexpr std::uint64_t kMallocCost = 20;  // for each lane, in addition to its bytes
// The cost of keeping an allocation, and its shadow, until the launch ends.
constexpr std::uint64_t kMallocOverhead = 1'000;
constexpr std::size_t kMaxString = 1 << 16;  // the most bytes of one string
constexpr std::uint64_t kMaxMalloc = std::uint64_t{8}
                                     << 20;  // the most bytes of one allocation by device code
constexpr std::uint64_t kChildCost = 100;    // of a launch by a thread
// These are the results of a launch by a kernel (cudaError_t).
constexpr std::uint64_t kLaunched = 0, kInvalidValue = 1, kTooDeep = 65, kTooManyPending = 69;
// The most kernels that launch one another (CUDA C++ Programming Guide, "Nesting and
// Synchronization Depth").
constexpr std::uint32_t kMostDepth = 24;
// The most children of one launch. A GPU refuses those beyond cudaLimitDevRuntimePendingLaunchCount
// that have not begun, which cudaDeviceSetLimit() may raise.
constexpr std::size_t kMostChildren = 16'384;
// The streams that have names in device code (cuda_device_runtime_api.h).
constexpr std::uint64_t kBlocksStream = 0, kTailLaunch = 3, kFireAndForget = 4;

// Returns the memory from a generic address to the end of its allocation; empty if there is no
// allocation.
std::span<const std::byte> MemoryAt(const Warp& warp, std::size_t lane, std::uint64_t address) {
  const Launch& launch = *warp.launch;
  if (kLocalWindow.Contains(address)) {
    const std::uint64_t offset = address - kLocalWindow.begin;
    if (offset >= warp.local_stride) return {};
    return std::span(warp.local)
        .subspan(lane * warp.local_stride + offset, warp.local_stride - offset);
  }
  if (kSharedWindow.Contains(address)) {
    const std::uint64_t offset = address - kSharedWindow.begin;
    if (offset >= launch.shared_bytes) return {};
    return std::span(warp.block->shared).subspan(offset, launch.shared_bytes - offset);
  }
  const Allocation* allocation = launch.memory->Find(address, 1);
  if (allocation == nullptr) return {};
  const std::uint64_t offset = address - allocation->begin;
  return {allocation->host + offset, allocation->bytes - offset};
}

std::optional<std::string> StringAt(const Warp& warp, std::size_t lane, std::uint64_t address) {
  const std::span<const std::byte> memory = MemoryAt(warp, lane, address);
  const std::size_t length = std::min(memory.size(), kMaxString);
  const auto* text = reinterpret_cast<const char*>(memory.data());
  const void* end = length == 0 ? nullptr : std::memchr(text, 0, length);
  if (end == nullptr) return std::nullopt;
  return std::string(text, static_cast<const char*>(end));
}

class DeviceCall {
 public:
  DeviceCall(Warp& warp, const Step& step, LaneMask lanes, const CallInfo& call)
      : warp_(warp), step_(step), lanes_(lanes), call_(call), launch_(*warp.launch) {}

  void Printf() {
    EachLane(lanes_, [&](std::size_t lane) {
      const bool lost = launch_.printed_bytes > kMaxPrinted;
      *launch_.budget -= std::min(*launch_.budget, kPrintfCost);
      const auto format = StringAt(warp_, lane, Argument(0, lane));
      Return(lane, format ? CountPrintfArguments(*format) : ~std::uint64_t{0});
      if (lost) return;
      const std::string text =
          format ? FormatPrintf(*format, MemoryAt(warp_, lane, Argument(1, lane)),
                                [&](DeviceAddress at) { return StringAt(warp_, lane, at); })
                 : "<printf of an unreadable format>\n";
      Print(text);
    });
  }

  void AssertFail() {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes_));
    const auto text = [&](std::size_t index) {
      return StringAt(warp_, lane, Argument(index, lane)).value_or("?");
    };
    const auto line = static_cast<std::uint32_t>(Argument(2, lane));
    EachLane(lanes_, [&](std::size_t failed) {
      const Dim3& block = warp_.block->index;
      const Dim3 thread = ThreadIndex(launch_, warp_, static_cast<int>(failed));
      launch_.log->OnAssert(fmt::format(
          "{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", text(1),
          line, text(3), block.x, block.y, block.z, thread.x, thread.y, thread.z, text(0)));
    });
    Report(warp_, step_, FindingKind::kDeviceAssert, lanes_,
           fmt::format("{}: assertion `{}' failed", text(3), text(0)));
    launch_.Stop(DeviceError::kAssert);
  }

  void Malloc() {
    EachLane(lanes_, [&](std::size_t lane) {
      const std::uint64_t bytes = Argument(0, lane);
      DeviceAddress address = 0;
      launch_.SpendBudget(kMallocCost + std::min(bytes, kMaxMalloc) / kBytesAnInstruction);
      SpendOverhead(launch_, kMallocOverhead);
      if (bytes != 0 && bytes <= kMaxMalloc) {
        address = launch_.memory->Allocate(bytes, 0, false, AllocationKind::kMalloc).value_or(0);
        if (address != 0) launch_.memory->NoteMaker(address, Here());
      }
      Return(lane, address);
    });
  }

  void Free() {
    EachLane(lanes_, [&](std::size_t lane) {
      const DeviceAddress address = Argument(0, lane);
      if (launch_.memory->Free(address, AllocationKind::kMalloc) == DeviceError::kSuccess) return;
      Report(warp_, step_, FindingKind::kInvalidFree, LaneMask{1} << lane, WrongFree(address));
    });
    // Memory instructions may remember accesses to the memory that was freed.
    std::uint64_t sites = 0;
    for (auto& [program, counts] : launch_.counts) {
      for (MemorySite& site : counts.sites) site.Forget();
      sites += counts.sites.size();
    }
    SpendOverhead(launch_, sites);
  }

  // Allocates the parameters of a launch. The arguments are the kernel, the grid, the block and the
  // bytes of shared memory.
  void GetParameterBuffer() {
    EachLane(lanes_, [&](std::size_t lane) {
      const ptx::Function* const kernel = KernelAt(Argument(0, lane));
      if (kernel == nullptr) return Return(lane, 0);
      LaunchRequest request;
      request.module = launch_.request->module;
      request.kernel = kernel->name;
      request.grid = Argument<Dim3>(1, lane);
      request.block = Argument<Dim3>(2, lane);
      request.dynamic_shared_bytes = Argument(3, lane);
      request.parameters.resize(kernel->parameter_bytes);
      launch_.SpendBudget(kChildCost);
      const auto address =
          launch_.memory->Allocate(std::max<std::uint64_t>(kernel->parameter_bytes, 1), 0, true,
                                   AllocationKind::kVariable, "the parameters of a child launch");
      if (address) {
        launch_.parameter_blocks.push_back(*address);
        launch_.prepared[*address] = std::move(request);
      }
      Return(lane, address.value_or(0));
    });
  }

  // Starts a launch that has got its parameters. The arguments are the parameters and the stream.
  void LaunchChild() {
    EachLane(lanes_, [&](std::size_t lane) {
      const DeviceAddress address = Argument(0, lane);
      const std::uint64_t stream = Argument(1, lane);
      const auto prepared = launch_.prepared.find(address);
      if (prepared == launch_.prepared.end())
        return Refuse(lane, kInvalidValue,
                      "without the buffer of its parameters, which cudaGetParameterBuffer() gives");
      if (stream != kBlocksStream && stream != kTailLaunch && stream != kFireAndForget) {
        return Refuse(lane, kInvalidValue, "in a stream that does not exist in device code");
      }
      if (launch_.children.size() == kMostChildren) {
        return Refuse(
            lane, kTooManyPending,
            fmt::format("although this launch has {} children already", Grouped(kMostChildren)));
      }
      // A launch at the tail takes the place of its parent, which has ended by then.
      const bool at_tail = stream == kTailLaunch;
      const std::uint32_t depth = launch_.depth + (at_tail ? 0 : 1);
      if (depth > kMostDepth) {
        return Refuse(lane, kTooDeep,
                      fmt::format("at depth {}, and kernels may launch one another {} deep", depth,
                                  kMostDepth));
      }
      ChildLaunch child{.request = std::move(prepared->second), .at_tail = at_tail, .depth = depth};
      std::ranges::copy(MemoryAt(warp_, lane, address).first(child.request.parameters.size()),
                        child.request.parameters.begin());
      launch_.children.push_back(std::move(child));
      launch_.prepared.erase(prepared);
      Return(lane, kLaunched);
    });
  }

  void GetLastError(bool keep) {
    EachLane(lanes_, [&](std::size_t lane) { Return(lane, launch_.child_error); });
    if (!keep) launch_.child_error = 0;
  }

 private:
  void Refuse(std::size_t lane, std::uint64_t error, std::string_view why) {
    Report(warp_, step_, FindingKind::kInvalidLaunch, LaneMask{1} << lane,
           fmt::format("launches a kernel {}: the launch is refused", why));
    launch_.child_error = error;
    Return(lane, error);
  }

  // Returns the place of this call, which all of its allocations share.
  std::shared_ptr<const Maker> Here() {
    auto& maker = launch_.makers[{warp_.running.program, step_.index}];
    if (!maker) {
      maker = std::make_shared<const Maker>(
          Maker{PlaceOf(warp_, step_), CallerOf(warp_, step_), launch_.record.kernel});
    }
    return maker;
  }

  // Returns null if there is no kernel of the module at the address.
  const ptx::Function* KernelAt(std::uint64_t address) const {
    const auto& functions = launch_.kernel->module->functions;
    const auto id = FunctionAt(address);
    return id && *id < functions.size() && functions[*id].is_entry ? &functions[*id] : nullptr;
  }

  std::string WrongFree(DeviceAddress address) const {
    const Allocation* const allocation = launch_.memory->Find(address, 1);
    if (allocation == nullptr) return fmt::format("frees {:#x}, which is not allocated", address);
    const std::string element = ElementText(launch_, MemoryKind::kGlobal, address, 1);
    return allocation->kind == AllocationKind::kMalloc
               ? fmt::format("frees {}, which is not the start of what malloc returned", element)
               : fmt::format("frees {}, which no malloc in a kernel returned", element);
  }

  template <class T = std::uint64_t>
  T Argument(std::size_t index, std::size_t lane) const {
    T value{};
    if (index < call_.arguments.size()) {
      const CallInfo::Argument& from = call_.arguments[index];
      std::memcpy(&value, warp_.running.frame + from.caller + lane * from.stride,
                  std::min<std::size_t>(from.bytes, sizeof value));
    }
    return value;
  }

  void Return(std::size_t lane, std::uint64_t value) {
    if (call_.returns.empty()) return;
    const CallInfo::Argument& to = call_.returns.front();
    std::memcpy(warp_.running.frame + to.caller + lane * to.stride, &value,
                std::min<std::size_t>(to.bytes, sizeof value));
  }

  void Print(std::string_view text) {
    launch_.printed_bytes += text.size();
    launch_.log->OnPrint(launch_.printed_bytes > kMaxPrinted
                             ? "\n[more was printed than warpcheck keeps of one launch]\n"
                             : text);
  }

  Warp& warp_;
  const Step& step_;
  const LaneMask lanes_;
  const CallInfo& call_;
  Launch& launch_;
};

// Reports a call of a function that the file does not define, and stops the launch.
void ReportMissing(Warp& warp, const Step& step, LaneMask lanes, std::string_view name) {
  if (name.starts_with("_Z")) {
    Report(warp, step, FindingKind::kInvalidPtx, lanes,
           fmt::format("calls {}, which is declared and not defined in this file",
                       Demangle(std::string(name))),
           "define it in this file, or in a header that this file includes: each .cu file is "
           "compiled for itself, without -rdc=true, so that a kernel can call only the __device__ "
           "functions of its own file");
  } else {
    Report(warp, step, FindingKind::kUnsupportedCode, lanes,
           fmt::format("calls {}, which the emulator does not support in device code", name));
  }
  warp.launch->Stop(DeviceError::kLaunchFailure);
}

}  // namespace

void CallDeviceFunction(Warp& warp, const Step& step, LaneMask lanes, const CallInfo& call,
                        std::string_view name) {
  if (warp.launch->LeaveToOneThread()) return;
  DeviceCall device_call(warp, step, lanes, call);
  if (name == "vprintf") {
    device_call.Printf();
  } else if (name == "__assertfail") {
    device_call.AssertFail();
  } else if (name == "malloc") {
    device_call.Malloc();
  } else if (name == "free") {
    device_call.Free();
  } else if (name == "__cudaCDP2GetParameterBufferV2") {
    device_call.GetParameterBuffer();
  } else if (name == "__cudaCDP2LaunchDeviceV2") {
    device_call.LaunchChild();
  } else if (name == "__cudaCDP2GetLastError" || name == "__cudaCDP2PeekAtLastError") {
    device_call.GetLastError(name == "__cudaCDP2PeekAtLastError");
  } else {
    ReportMissing(warp, step, lanes, name);
  }
}

}  // namespace warpcheck::emulator
