// Findings made while a kernel runs, and what ends a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/finding.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Puts a finding into the launch's record, and gives its index there. Not where the launch is full
// of its kind.
std::size_t AddFinding(Launch& launch, Finding finding);
inline bool IsFull(const Launch& launch, FindingKind kind) {
  const auto kept = launch.kept.find(kind);
  return kept != launch.kept.end() && kept->second.findings >= kMostOfAKind;
}
// Counts what was found at further places, once the launch is full of that kind.
void CountFurther(Launch& launch, FindingKind kind, std::uint64_t count);

// Records a finding at `step` (once for each place and kind; later ones only add to its count).
// `message` and `hint` are used for the first occurrence only, whose lane is the lowest of `lanes`.
void Report(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, std::string message,
            std::string hint = {});
// True if a finding of that kind at this place is already recorded: the message is not needed.
bool Reported(const Warp& warp, const Step& step, FindingKind kind);

// Stop the launch.
void ReportTrap(Warp& warp, const Step& step, LaneMask lanes);
void ReportBudget(Warp& warp, const Step& step);
// A StepFunction: Isa::unsupported.
void ReportUnsupported(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

}  // namespace warpcheck::emulator
