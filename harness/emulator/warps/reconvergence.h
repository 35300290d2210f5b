// Makes lanes of a warp meet at instructions that they execute together, even if they are at
// different places of the code.
//
// bar.warp.sync waits until all lanes of its mask execute a bar.warp.sync with this mask. shfl.sync
// waits until all lanes of its mask that have not exited execute a shfl.sync with the same
// qualifiers and mask; vote, match, redux and elect do the same (PTX ISA). The lanes need not be at
// the same place: since Volta, lanes in both branches of an `if` meet. So lanes whose masks name
// lanes on another path become a subwarp of their own. They wait until the named lanes have come or
// have exited. If the named lanes cannot come any more, a finding says so, and the waiting lanes
// continue alone.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Returns true if `step`, which `lanes` of the top path are about to execute, names lanes on
// another path or in another subwarp.
bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes);

// Executes the instruction of a group of subwarps that wait for each other and are complete. With
// `force`, the group may be incomplete, because the missing lanes will not come. Returns false if
// there is no such group.
bool Reconverge(Warp& warp, bool force);

}  // namespace warpcheck::emulator
