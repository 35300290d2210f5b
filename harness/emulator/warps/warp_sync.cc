#include "emulator/warps/warp_sync.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "emulator/core/launch.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator {
namespace {

// Returns true if a thread at `block` of a kernel will only end.
bool EndsAtOnce(const Program& program, BlockId block) {
  constexpr int kMostJumps = 8;
  for (int jumps = 0; jumps < kMostJumps; ++jumps) {
    if (block >= program.blocks.size()) return true;
    const CodeBlock& code = program.blocks[block];
    if (code.first != code.last) return false;
    if (code.ending == Ending::kFall) {
      block = code.next;
      continue;
    }
    if (program.function->body[code.last].guard) return false;
    if (code.ending == Ending::kRet || code.ending == Ending::kExit) return true;
    if (code.ending != Ending::kBra) return false;
    block = static_cast<BlockId>(program.steps[code.last].data);
  }
  return false;
}

struct MaskText {
  std::string message;
  std::string hint = {};  // empty if that of the kind applies
};

// Reports a mask that does not fit. `text` makes a MaskText, and is called only for the first
// finding at a place.
template <class Text>
void ReportMask(Warp& warp, const Step& step, int lane, Text text) {
  const bool known = Reported(warp, step, FindingKind::kWarpSyncMask);
  MaskText made = known ? MaskText() : text();
  Report(warp, step, FindingKind::kWarpSyncMask, LaneMask{1} << lane, std::move(made.message),
         std::move(made.hint));
}

LaneMask OnlyExiting(const Subwarp& subwarp) {
  const std::size_t of_kernel =
      subwarp.frames.size() > 1 ? subwarp.frames[1].base : subwarp.paths.size();
  const Program& program = *subwarp.frames[0].program;
  LaneMask above = 0;
  LaneMask ending = 0;
  for (std::size_t i = subwarp.paths.size(); i-- > 0;) {
    const Path& path = subwarp.paths[i];
    const bool waits = i + 1 != subwarp.paths.size() || subwarp.state == WarpState::kAtJoin;
    if (waits && i < of_kernel && EndsAtOnce(program, path.block)) ending |= path.mask & ~above;
    above |= path.mask;
  }
  return ending;
}

}  // namespace

LaneMask LanesOnlyExiting(const Warp& warp) {
  LaneMask ending = OnlyExiting(warp.running);
  for (const Subwarp& subwarp : warp.parked) ending |= OnlyExiting(subwarp);
  return ending;
}

void ReportMembers(Warp& warp, const Step& step, LaneMask executing, LaneMask members, int lane) {
  ReportMask(warp, step, lane, [&] {
    if (((members >> lane) & 1U) == 0) {
      return MaskText{
          fmt::format("lane {} takes part in a warp-synchronous instruction whose mask 0x{:08x} "
                      "does not name it",
                      lane, members),
          executing == kAllLanes
              ? "all 32 lanes of the warp make this call: pass the mask 0xffffffff, which names "
                "all of them"
              : "name in the mask every lane that makes the call: compute the mask with "
                "__ballot_sync() from the condition, before the branch"};
    }
    return MaskText{fmt::format(
        "the mask 0x{:08x} of a warp-synchronous instruction names lanes that do not execute it: "
        "0x{:08x} (they took another branch)",
        members, members & ~executing & ~warp.exited & ~LanesOnlyExiting(warp))};
  });
}

void ReportOtherMasks(Warp& warp, const Step& step, LaneMask others, LaneMask members, int lane) {
  ReportMask(warp, step, lane, [&] {
    return MaskText{
        fmt::format("the mask 0x{:08x} of a warp-synchronous instruction names lanes that execute "
                    "it with another mask: 0x{:08x}",
                    members, others),
        "pass one mask in all lanes that make the call together"};
  });
}

}  // namespace warpcheck::emulator
