#pragma once

#include <cstdint>
#include <string>

namespace warpcheck {

// "8,388,608".
std::string Grouped(std::uint64_t number);

}  // namespace warpcheck
