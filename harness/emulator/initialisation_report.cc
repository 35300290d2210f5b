// What the checker of initialisation says.
#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "emulator/block.h"
#include "emulator/events.h"
#include "emulator/initialisation.h"
#include "emulator/launch.h"

namespace warpcheck::emulator {
namespace {

Dim3 ThreadAt(const Dim3& block, std::uint32_t linear) {
  return {.x = linear % block.x, .y = linear / block.x % block.y, .z = linear / block.x / block.y};
}

// "element 5 (4 bytes at 0x...) of the 400-byte allocation at 0x..."
std::string Text(const Launch& launch, MemoryKind memory, std::uint64_t address,
                 std::uint32_t bytes) {
  if (memory == MemoryKind::kShared) {
    return fmt::format("{} bytes at byte {} of shared memory", bytes, address);
  }
  if (memory == MemoryKind::kLocal) {
    return fmt::format("{} bytes at byte {} of the thread's local memory", bytes, address);
  }
  const Allocation* allocation = launch.memory->Find(address, 1);
  if (allocation == nullptr) return fmt::format("{} bytes at {:#x}", bytes, address);
  const std::uint64_t offset = address - allocation->begin;
  return fmt::format("element {} ({} bytes at {:#x}) of {}", offset / bytes, bytes, address,
                     Named(*allocation));
}

// "line 5", "line 5 of other.cu"
std::string LineText(const SourceLocation& use, const SourceLocation& read) {
  if (!use.known()) return "an unknown line";
  if (use == read) return "the same line";
  if (use.file == read.file) return fmt::format("line {}", use.line);
  return fmt::format("line {} of {}", use.line,
                     std::filesystem::path(use.file).filename().string());
}

}  // namespace

void InitialisationChecker::Report(Warp& warp, const Step& step, LaneMask lanes, Use use,
                                   std::uint32_t number) {
  Launch& launch = *warp.launch;
  if (launch.stopped) return;
  const Origin origin = origins_.Find(number);
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  const auto [found, added] = launch.places.try_emplace(
      {origin.program, origin.instruction, FindingKind::kUninitialisedUse},
      launch.record.findings.size());
  if (!added) {
    launch.record.findings[found->second].count += count;
    return;
  }
  Finding finding;
  finding.kind = FindingKind::kUninitialisedUse;
  finding.where = PlaceOf(launch, *origin.program, origin.instruction);
  finding.kernel = launch.record.kernel;
  finding.count = count;
  std::string what = "memory";
  if (origin.lanes != 0) {
    const LaneMask both = lanes & origin.lanes;
    const int lane = std::countr_zero(both != 0 ? both : origin.lanes);
    what =
        Text(launch, origin.memory, origin.addresses[static_cast<std::size_t>(lane)], origin.bytes);
    const std::uint32_t linear = origin.warp * kLanes + static_cast<std::uint32_t>(lane);
    finding.thread = ThreadPosition{origin.block, ThreadAt(launch.request->block, linear), lane};
  }
  const std::string line = LineText(PlaceOf(warp, step), finding.where);
  switch (use) {
    case Use::kStore:
      finding.message = fmt::format(
          "reads {}, which nothing has written, and {} stores a result "
          "of that",
          what, line);
      break;
    case Use::kAddress:
      finding.message = fmt::format(
          "reads {}, which nothing has written, and {} uses a result of "
          "that as an address",
          what, line);
      break;
    case Use::kBranch:
      finding.message = fmt::format(
          "reads {}, which nothing has written, and {} branches by a "
          "result of that",
          what, line);
      break;
    case Use::kAtomic:
      finding.message =
          fmt::format("an atomic operation updates {}, which nothing has written", what);
      break;
  }
  launch.record.findings.push_back(finding);
  if (warp.observers == nullptr) return;
  Tell(*warp.observers, &Observer::OnFinding, FindingEvent{warp, step, finding, lanes});
}

void InitialisationChecker::ReportRead(const AccessEvent& event, LaneMask lanes) {
  std::string message;
  if (!Reported(event.warp, event.step, FindingKind::kUninitialisedRead)) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    message = fmt::format(
        "reads {}, of which nothing has written all bytes",
        Text(*event.warp.launch, event.memory, event.addresses[lane], event.info.bytes));
  }
  warpcheck::emulator::Report(event.warp, event.step, FindingKind::kUninitialisedRead, lanes,
                              std::move(message));
}

}  // namespace warpcheck::emulator
