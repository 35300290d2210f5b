// Writes the calls of a program as a numbered list: each call of the CUDA runtime that hands over
// work, records an event or waits, with the numbers of the calls that it waits for.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/source_location.h"
#include "order/host_call.h"

namespace warpcheck {

// `calls` must be sound. `shown` returns a place as the reader would write it.
std::string CallsText(const HostCalls& calls, std::size_t width,
                      const std::function<std::string(const SourceLocation&)>& shown);

}  // namespace warpcheck
