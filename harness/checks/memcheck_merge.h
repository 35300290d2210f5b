// Puts what memcheck saw, when calls were made again under it, to what the calls did.
#pragma once

#include <optional>

#include "base/error.h"
#include "checks/trial.h"

namespace warpcheck {

// Adds the findings of `checked`'s launches to those of `trial`; a finding that has no place, but
// is one that memcheck places, gives way or gets its place. Returns why accesses may have gone
// unseen, if so.
std::optional<Error> AddMemcheck(Trial& trial, const Trial& checked);

}  // namespace warpcheck
