// Shares work among threads.
#pragma once

#include <cstddef>
#include <functional>

namespace warpcheck {

// Returns `wanted`, or the number of processors if it is 0; at least 1.
std::size_t WorkersFor(std::size_t wanted);

// Calls work(i, worker) for each i below `count`, in `workers` threads. They begin with each i in
// order. `worker` is the number of the thread, from 0 on.
void InParallel(std::size_t count, std::size_t workers,
                const std::function<void(std::size_t i, std::size_t worker)>& work);

}  // namespace warpcheck
