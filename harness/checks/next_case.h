// NextCase() chooses the case whose call follows the calls of another case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "checks/random.h"

namespace warpcheck {

// `costs` has the cost of each case, and `own` is the index of the case that another one follows.
// Returns the index of one of the cheapest cases, or of one that costs at most a quarter of the
// dearest; nothing if there is no other. The first of the cheapest cases is followed by one of the
// dearest of these, whatever is drawn: a program with room for its first call alone must fail. For
// any other case it is drawn.
std::optional<std::size_t> NextCase(std::span<const std::uint64_t> costs, std::size_t own,
                                    Random& random);

}  // namespace warpcheck
