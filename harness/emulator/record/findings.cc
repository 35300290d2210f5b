#include "emulator/record/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "emulator/core/block.h"
#include "emulator/core/observer.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {

std::size_t AddFinding(Launch& launch, Finding finding) {
  ++launch.kept[finding.kind].findings;
  launch.record.findings.push_back(std::move(finding));
  return launch.record.findings.size() - 1;
}

void CountFurther(Launch& launch, FindingKind kind, std::uint64_t count) {
  std::vector<Finding>& findings = launch.record.findings;
  std::optional<std::size_t>& further = launch.kept[kind].further;
  if (!further) {
    further = findings.size();
    findings.push_back(
        {.kind = kind,
         .kernel = launch.record.kernel,
         .message = fmt::format("the same at more than {} places; the others are not listed",
                                kMostOfAKind),
         .count = 0});
  }
  findings[*further].count += count;
}

bool Reported(const Warp& warp, const Step& step, FindingKind kind) {
  return warp.launch->places.contains({warp.running.program, step.index, kind}) ||
         IsFull(*warp.launch, kind);
}

void Report(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, std::string message,
            std::string hint, std::string call) {
  Launch& launch = *warp.launch;
  if (launch.stopped || launch.LeaveToOneThread()) return;
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  const auto found = launch.places.find({warp.running.program, step.index, kind});
  if (found != launch.places.end()) {
    launch.record.findings[found->second].count += count;
    return;
  }
  if (IsFull(launch, kind)) return CountFurther(launch, kind, count);
  Finding finding;
  finding.kind = kind;
  finding.where = PlaceOf(launch, *warp.running.program, step.index);
  finding.kernel = launch.record.kernel;
  finding.message = std::move(message);
  finding.count = count;
  finding.hint = std::move(hint);
  finding.call = std::move(call);
  finding.caller = CallerOf(warp, step);
  if (lanes != 0) {
    const int lane = std::countr_zero(lanes);
    finding.thread = ThreadPosition{warp.block->index, ThreadIndex(launch, warp, lane), lane};
  }
  const std::size_t index = AddFinding(launch, std::move(finding));
  launch.places[{warp.running.program, step.index, kind}] = index;
  if (warp.observers == nullptr) return;
  const Finding made = launch.record.findings[index];
  Tell(*warp.observers, &Observer::OnFinding, FindingEvent{warp, step, made, lanes});
}

void ReportTrap(Warp& warp, const Step& step, LaneMask lanes) {
  std::string message = "the kernel executes a trap instruction";
  std::string hint;
  if (warp.running.program->CallsGridSync() && !warp.launch->request->cooperative) {
    message += ": a grid's sync() needs a launch by cudaLaunchCooperativeKernel";
  } else if (!warp.running.program->function->body[step.index].from_asm) {
    hint =
        "__trap() is one. If the line has none, the compiler has put it in place of code that can "
        "do nothing defined, such as a store to a __constant__ variable: look for a warning of "
        "nvcc. The host writes constant memory, with cudaMemcpyToSymbol()";
  }
  Report(warp, step, FindingKind::kTrap, lanes, std::move(message), std::move(hint));
  warp.launch->Stop(DeviceError::kLaunchFailure);
}

void ReportInterrupted(Warp& warp) {
  const Program& program = *warp.running.program;
  if (warp.running.paths.empty()) return warp.launch->Stop(DeviceError::kLaunchTimeout);
  const Path& path = warp.running.paths.back();
  const std::uint32_t block =
      std::min<std::uint32_t>(path.block, static_cast<std::uint32_t>(program.blocks.size() - 1));
  Report(warp, program.steps[program.blocks[block].first], FindingKind::kBudgetExceeded, path.mask,
         warp.running.spins == 0 ? ""
                                 : "in a loop that waits for a value that no running thread "
                                   "writes");
  warp.launch->Stop(DeviceError::kLaunchTimeout);
}

void ReportUnsupported(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  Report(warp, step, FindingKind::kUnsupportedCode, mask,
         warp.running.program->refusals[step.data]);
  warp.launch->Stop(DeviceError::kIllegalInstruction);
}

void ReportBudget(Warp& warp, const Step& step) {
  const std::string_view waiting =
      warp.running.spins == 0 ? ""
                              : ", in a loop that waits for a value that no running thread writes";
  const std::string_view hint =
      warp.running.spins == 0
          ? ""
          : "look at what this loop waits for: no thread that still runs will write it. A block "
            "may only wait for blocks that have started for certain, such as those that drew a "
            "lower number by atomicAdd() on a counter; a lock must be released by the thread that "
            "took it";
  Report(warp, step, FindingKind::kBudgetExceeded, warp.running.paths.back().mask,
         fmt::format("the kernel did not end within its budget of {} warp instructions, and was "
                     "stopped here{}",
                     Grouped(warp.launch->options->instruction_budget), waiting),
         std::string(hint));
  warp.launch->Stop(DeviceError::kLaunchTimeout);
}

}  // namespace warpcheck::emulator
