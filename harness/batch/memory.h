// How many graders the memory of a machine has room for, so that none of them pushes it into swap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace warpcheck::batch {

// Bytes that programs can take before the machine swaps or the control group ends one of them: the
// least that /proc/meminfo and the limits of this process's control groups leave. Nothing where the
// system does not tell. `root` stands in for "/" in tests.
std::optional<std::uint64_t> AvailableMemory(const std::filesystem::path& root = "/");

// A job may take as much as its limits allow, but few do. So one begins where there is room for
// what a job usually takes, and where memory runs low after all, the youngest is put off: it begins
// again later, and costs nobody a grade.
struct MemoryRule {
  std::uint64_t job = std::uint64_t{1} << 30;        // what has to be there to begin another
  std::uint64_t reserve = std::uint64_t{512} << 20;  // what has to be there to keep several

  // One job always runs: alone, it has its limits to itself. `young` of the running ones began so
  // shortly ago that what they take does not show yet.
  bool MayBegin(std::optional<std::uint64_t> available, std::size_t running,
                std::size_t young) const {
    return running == 0 || !available || *available >= reserve + job * (young + 1);
  }
  bool MustPutOff(std::optional<std::uint64_t> available, std::size_t running) const {
    return running > 1 && available && *available < reserve;
  }
};

}  // namespace warpcheck::batch
