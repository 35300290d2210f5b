// CallersOf() says who called an instruction that has faulted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpcheck {

// Walks the stack outwards from a signal handler, past the instruction at `code`. Writes to
// `callers` where its callers go on, the nearest first, and returns how many it has written. It
// takes no memory and no lock.
std::size_t CallersOf(std::uint64_t code, std::span<std::uint64_t> callers);

}  // namespace warpcheck
