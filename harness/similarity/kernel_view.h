// Reads the fingerprints of a submission's PTX.
//
// Most of what a disguise changes is not in PTX (names, comments, order, layout, unrolled loops,
// helpers, dead code). The rest is left out here: registers, the order of independent instructions,
// the widths and signs of integers, and the way in which an index is computed.
//
// Each instruction that has an effect (a load, a store, a comparison, a shuffle, an addition of
// floats, a barrier) gives a fingerprint. It consists of the operation and of its operands, as
// functions of the thread's index and the parameters (index_value.h). Its kind is the fingerprint
// without numbers: all lines of an unrolled loop have one kind, which is also the kind of the loop
// itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "similarity/fingerprint.h"

namespace warpcheck::similarity {

// Returns the number of a source by its name in PTX's line table; returns nothing for other files.
using FileNumber = std::function<std::optional<std::uint32_t>(std::string_view path)>;

// Returns the fingerprints of the first kMostReadInstructions of all functions, in any order.
std::vector<Fingerprint> KernelFingerprints(const ptx::Module& module, const FileNumber& number_of);

inline constexpr std::size_t kMostReadInstructions = 50'000;
// The most instructions that are examined to follow values, in all functions of a module; one takes
// about two microseconds. Beyond this limit values count as unknown.
inline constexpr std::size_t kMostReadingWork = 1'500'000;

}  // namespace warpcheck::similarity
