// Writes arrays in NumPy's format .npy, version 1.0 (numpy.lib.format).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

// Returns the file. `type` is the type of the elements as NumPy writes it ("<f4"), and `bytes` are
// the elements, row-major.
std::string NpyFile(std::string_view type, const std::vector<std::uint64_t>& extents,
                    std::string_view bytes);

}  // namespace warpcheck
