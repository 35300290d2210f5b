// HostThread numbers the threads of the host.
#pragma once

#include <cstdint>

namespace warpcheck::cudart {

// From 1 on. A std::thread::id may come back once its thread has ended; a number does not.
using HostThread = std::uint64_t;

HostThread ThisThread();

}  // namespace warpcheck::cudart
