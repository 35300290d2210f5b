// Reads the elements of a dumped array as numbers and as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck {

// Returns an element. `type` is its type as NumPy writes it. Integers of 64 bits are rounded.
double NumberAt(std::string_view type, std::string_view bytes, std::uint64_t index);

// Returns the shortest text that gives the element back.
std::string TextAt(std::string_view type, std::string_view bytes, std::uint64_t index);

}  // namespace warpcheck
