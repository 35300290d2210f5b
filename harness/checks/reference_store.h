// Runs of the reference that one process has made and others need not make again: files in a folder
// that the judge alone can read. No submission sees it, nor learns from the time that a call takes:
// the reference is called after the submission's call has ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "checks/plan.h"
#include "checks/trial.h"

namespace warpcheck {

class ReferenceStore {
 public:
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

  // `folder` exists; several processes may share it. `judge` is what else a run depends on: which
  // program, which device. Where the folder holds `max_bytes`, nothing more is kept.
  ReferenceStore(std::filesystem::path folder, std::string judge,
                 std::uint64_t max_bytes = kMaxBytes);

  // The run with this function, these arguments and limits. Nothing where it was not kept, or
  // where its file is damaged.
  std::optional<Trial> Find(const std::shared_ptr<const Plan>& plan,
                            const CallLimits& limits) const;

  // Keeps a run that is no InvalidReference. One that cannot be written is made again next time.
  void Keep(const Trial& trial, const CallLimits& limits) const;

 private:
  bool HasRoom(std::uint64_t bytes) const;

  std::filesystem::path folder_;
  std::string judge_;
  std::uint64_t max_bytes_;
};

// Tells the running program from another, and from itself built anew.
std::string ThisProgram();

}  // namespace warpcheck
