// These are the rules that every common consumer of JUnit XML needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

// Returns the rules that the file breaks, with their places; empty if it obeys all rules.
std::vector<std::string> BrokenJunitRules(std::string_view xml);

}  // namespace warpcheck
