// Records findings while a kernel runs; some of them end the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/finding.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Adds a finding to the launch's record, and returns its index there. The launch must not be full
// of its kind (IsFull).
std::size_t AddFinding(Launch& launch, Finding finding);
inline bool IsFull(const Launch& launch, FindingKind kind) {
  const auto kept = launch.kept.find(kind);
  return kept != launch.kept.end() && kept->second.findings >= kMostOfAKind;
}
// Adds `count` to the finding that stands for further places, once the launch is full of that kind.
void CountFurther(Launch& launch, FindingKind kind, std::uint64_t count);

// Records a finding at `step`, one for each place and kind. Later findings of the same place and
// kind only add to its count. `message`, `hint` and `call` come from the first of them, which names
// the lowest of `lanes` as its thread.
void Report(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, std::string message,
            std::string hint = {}, std::string call = {});
// Returns true if a finding of that kind is already recorded at this place, so that Report needs no
// message.
bool Reported(const Warp& warp, const Step& step, FindingKind kind);

// Both functions record a finding and end the launch.
void ReportTrap(Warp& warp, const Step& step, LaneMask lanes);
void ReportBudget(Warp& warp, const Step& step);
// Does the same for a launch that ends because of AskToStop() (core/stop_request.h). The finding
// says where the warp was; its message may be empty.
void ReportInterrupted(Warp& warp);
// Records that an instruction is not supported, and ends the launch. Isa::unsupported points to
// this function.
void ReportUnsupported(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

}  // namespace warpcheck::emulator
