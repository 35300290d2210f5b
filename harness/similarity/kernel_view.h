// The fingerprints of what nvcc made of a submission. What a disguise changes is gone from PTX
// already (names, comments, order, layout, loops that are unrolled, helpers, dead code), or is
// taken out here: which register holds what, in which order independent instructions stand, widths
// and signs of integers, the way to an index.
//
// Each instruction that does something (a load, a store, a comparison, a shuffle, an addition of
// floats, a barrier) is a fingerprint: what it does, and to what, as a function of the thread's
// place and the parameters (index_value.h). Its kind is the same without numbers: of a loop that
// was unrolled all lines are of one kind, and of that loop as it was before, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "similarity/fingerprint.h"

namespace warpcheck::similarity {

// The number of a source by its name in PTX's line table; none for others' files.
using FileNumber = std::function<std::optional<std::uint32_t>(std::string_view path)>;

// Of all functions together; of the first kMostReadInstructions. In no order.
std::vector<Fingerprint> KernelFingerprints(const ptx::Module& module, const FileNumber& number_of);

inline constexpr std::size_t kMostReadInstructions = 50'000;

}  // namespace warpcheck::similarity
