// Decides how many jobs may run at once, so that they do not make the machine swap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace warpcheck::batch {

// Returns how many bytes programs can take before the machine swaps or reaches a control group's
// limit. This is the smallest value that /proc/meminfo and the control groups of this process give.
// Returns nothing if the system gives no value. Tests replace "/" by `root`.
std::optional<std::uint64_t> AvailableMemory(const std::filesystem::path& root = "/");

// A job may take as much memory as its limits allow, but few jobs do. So a job begins when there is
// room for what a job usually takes. If the memory runs low later, the job that began last is
// preempted. It begins again later, and no grade is lost.
struct MemoryRule {
  // This many bytes must be available to begin another job.
  std::uint64_t job = std::uint64_t{1} << 30;
  // This many bytes must be available to keep several jobs running.
  std::uint64_t reserve = std::uint64_t{512} << 20;

  // One job may always run. `starting` of the running jobs began so recently that the memory which
  // they will take still counts as available.
  bool MayBegin(std::optional<std::uint64_t> available, std::size_t running,
                std::size_t starting) const {
    return running == 0 || !available || *available >= reserve + job * (starting + 1);
  }
  bool MustPreempt(std::optional<std::uint64_t> available, std::size_t running) const {
    return running > 1 && available && *available < reserve;
  }
};

}  // namespace warpcheck::batch
