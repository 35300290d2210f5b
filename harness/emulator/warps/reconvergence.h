// Instructions that lanes of a warp execute together, wherever each of them stands.
//
// bar.warp.sync waits until all lanes of its mask execute a bar.warp.sync with this mask, shfl.sync
// until all that have not exited execute a shfl.sync with the same qualifiers and mask; so do vote,
// match, redux and elect (PTX ISA). Nothing is said of where: since Volta, lanes in both branches
// of an `if` meet. So lanes that come to such an instruction become a subwarp of their own, if
// their masks name lanes on another path, and wait there until those have come, have exited, or can
// come no more: then a finding says so, and they go on alone.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Whether `step`, which `lanes` of the path on top are about to execute, names lanes that are
// elsewhere: on another path or in another subwarp.
bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes);

// Executes the instructions of subwarps that wait for each other and are all there. `in_vain`: of
// one that waits for lanes which will not come. False if there are none.
bool Reconverge(Warp& warp, bool force);

}  // namespace warpcheck::emulator
