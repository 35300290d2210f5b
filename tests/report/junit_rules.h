// What every common consumer of JUnit XML accepts, as rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

// The rules that the file breaks, with their places; empty where it breaks none.
std::vector<std::string> BrokenJunitRules(std::string_view xml);

}  // namespace warpcheck
