#include "base/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace warpcheck {

std::size_t WorkersFor(std::size_t wanted) {
  return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

void InParallel(std::size_t count, std::size_t workers,
                const std::function<void(std::size_t i, std::size_t worker)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto work_on = [&](std::size_t worker) {
    for (std::size_t i = next++; i < count; i = next++) work(i, worker);
  };
  std::vector<std::jthread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker) threads.emplace_back(work_on, worker);
}

}  // namespace warpcheck
