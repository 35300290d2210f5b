#include "emulator/record/overhead.h"

namespace warpcheck::emulator {

void SpendOverhead(Launch& launch, std::uint64_t warp_instructions) {
  std::uint64_t* const left = launch.options->overhead;
  if (left == nullptr || launch.part != nullptr || launch.stopped) return;
  if (warp_instructions < *left) {
    *left -= warp_instructions;
    return;
  }
  *left = 0;
  launch.record.findings.push_back(
      {.kind = FindingKind::kBudgetExceeded,
       .kernel = launch.record.kernel,
       .message = "the kernel was stopped: starting blocks, allocating memory in kernels, reaching "
                  "many arrays with one access, copies and races took more work than all calls "
                  "together may take"});
  launch.Stop(DeviceError::kLaunchTimeout);
}

}  // namespace warpcheck::emulator
