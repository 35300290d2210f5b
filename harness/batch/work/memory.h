// Decides how many jobs may run at once, so that they do not push the machine into swapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace warpcheck::batch {

// Returns how many bytes programs can take before the machine swaps or a control group's limit is
// reached: the least that /proc/meminfo and the control groups of this process leave. Nothing if
// the system does not say. Tests replace "/" by `root`.
std::optional<std::uint64_t> AvailableMemory(const std::filesystem::path& root = "/");

// A job may take as much memory as its limits allow, but few do. So a job begins when there is room
// for what a job usually takes. If memory runs low after all, the job that began last is preempted;
// it begins again later, and nobody loses a grade.
struct MemoryRule {
  std::uint64_t job = std::uint64_t{1} << 30;        // has to be available to begin another job
  std::uint64_t reserve = std::uint64_t{512} << 20;  // has to be available to keep several running

  // One job may always run. `starting` of the running ones began so recently that the memory which
  // they will take is still counted as available.
  bool MayBegin(std::optional<std::uint64_t> available, std::size_t running,
                std::size_t starting) const {
    return running == 0 || !available || *available >= reserve + job * (starting + 1);
  }
  bool MustPreempt(std::optional<std::uint64_t> available, std::size_t running) const {
    return running > 1 && available && *available < reserve;
  }
};

}  // namespace warpcheck::batch
