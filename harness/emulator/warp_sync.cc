#include "emulator/warp_sync.h"

#include <fmt/format.h>

namespace warpcheck::emulator {

void ReportMembers(Warp& warp, const Step& step, LaneMask executing, LaneMask members, int lane) {
  const LaneMask of_lane = LaneMask{1} << lane;
  if (Reported(warp, step, FindingKind::kWarpSyncMask)) {
    Report(warp, step, FindingKind::kWarpSyncMask, of_lane, {});
    return;
  }
  const LaneMask absent = members & ~executing & ~warp.exited;
  std::string message =
      (members & of_lane) == 0
          ? fmt::format(
                "lane {} takes part in a warp-synchronous instruction whose mask 0x{:08x} "
                "does not name it",
                lane, members)
          : fmt::format(
                "the mask 0x{:08x} of a warp-synchronous instruction names lanes that do "
                "not execute it: 0x{:08x} (they took another branch)",
                members, absent);
  Report(warp, step, FindingKind::kWarpSyncMask, of_lane, std::move(message));
}

}  // namespace warpcheck::emulator
