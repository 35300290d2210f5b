// Splits text into words as a shell does.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::batch {

// Splits at spaces, and interprets quotes and backslashes. Fails if a quote does not end.
Result<std::vector<std::string>> SplitOptions(const std::string& text);

}  // namespace warpcheck::batch
