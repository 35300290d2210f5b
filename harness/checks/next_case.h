// NextCase() chooses the case whose call follows the calls of another case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "checks/random.h"

namespace warpcheck {

// Chooses the case that is called next after the case with the index `own`. `costs` has the cost of
// each case. Returns the index of one of the cheapest cases, or of a case that costs at most a
// quarter of the dearest; returns nothing if there is no other case. The first of the cheapest
// cases is always followed by one of the dearest of these, so that a program that allocates memory
// only for its first call must fail. For any other case the choice is random.
std::optional<std::size_t> NextCase(std::span<const std::uint64_t> costs, std::size_t own,
                                    Random& random);

}  // namespace warpcheck
