#include "checks/memcheck_merge.h"

#include <algorithm>

namespace warpcheck {
namespace {

bool IsFault(FindingKind kind) {
  return kind == FindingKind::kIllegalAddress || kind == FindingKind::kMisaligned ||
         kind == FindingKind::kTrap || kind == FindingKind::kStackOverflow;
}

bool Configured(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block;
}

void Add(LaunchRecord& launch, const std::vector<Finding>& seen) {
  if (seen.empty()) return;
  std::erase_if(launch.findings, [&](const Finding& finding) {
    return !finding.where.known() && std::ranges::any_of(seen, [&](const Finding& other) {
      return other.kind == finding.kind;
    });
  });
  for (Finding& finding : launch.findings) {
    if (finding.where.known() || !IsFault(finding.kind)) continue;
    finding.where = seen.front().where;
    finding.thread = seen.front().thread;
  }
  launch.findings.insert(launch.findings.end(), seen.begin(), seen.end());
}

Error Unseen(std::string message) {
  Error error;
  error.message = std::move(message);
  error.hint = "--device emulator sees every access";
  return error;
}

}  // namespace

std::optional<Error> AddMemcheck(Trial& trial, const Trial& checked) {
  const std::size_t both = std::min(trial.launches.size(), checked.launches.size());
  for (std::size_t i = 0; i < both; ++i) {
    const LaunchRecord& again = checked.launches[i];
    if (!Configured(trial.launches[i], again)) {
      return Unseen("the call launches other kernels when it is made again under memcheck");
    }
    const bool lost =
        again.error == DeviceError::kLaunchTimeout || again.error == DeviceError::kUnknown;
    if (lost && trial.launches[i].error != again.error) {
      return Unseen("under memcheck the launch of " + again.kernel +
                    " did not end: " + again.not_measured);
    }
    Add(trial.launches[i], again.findings);
  }
  if (checked.launches.size() < trial.launches.size()) {
    return Unseen("the call launches fewer kernels when it is made again under memcheck");
  }
  return std::nullopt;
}

}  // namespace warpcheck
