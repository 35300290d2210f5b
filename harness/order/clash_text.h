// FindingOf() says in the program's words what two operations do to each other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "debuginfo/host_lines.h"
#include "device/finding.h"
#include "order/order.h"
#include "order/origin.h"

namespace warpcheck::order {

using OriginOf = std::function<std::optional<Origin>(std::uintptr_t address)>;

// Returns the finding of a clash, with the lines of both operations where the program has them.
// `origin_of` returns the memory that holds an address; nothing if the program has not allocated
// it.
Finding FindingOf(const Clash& clash, const OriginOf& origin_of, HostLines& lines);

}  // namespace warpcheck::order
