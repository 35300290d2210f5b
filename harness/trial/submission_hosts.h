// Submission hosts: one for each time that calls are made, the next one started ahead.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// A submission host that has been started, and our end of its socket.
struct SubmissionHost {
  std::unique_ptr<sandbox::Process> process;
  Descriptor socket;
  sandbox::Limits limits;
  std::chrono::milliseconds host_time{0};
};

class SubmissionHosts {
 public:
  struct Settings {
    std::filesystem::path program;
    std::filesystem::path shared_object;
  };
  // Where they see nothing of the machine but the system, their program and the submission.
  static Result<std::unique_ptr<sandbox::Sandbox>> MakeJail(const Settings& settings);

  // `sandbox` outlives this: such a jail, or one that does not isolate.
  SubmissionHosts(Settings settings, sandbox::Sandbox& sandbox);

  // A fresh host, for calls that may use so much time on it; the next one starts meanwhile.
  Result<SubmissionHost> Next(std::chrono::milliseconds host_time);

 private:
  Result<SubmissionHost> Start(std::chrono::milliseconds host_time);

  Settings settings_;
  sandbox::Sandbox& sandbox_;
  std::optional<SubmissionHost> spare_;
};

}  // namespace warpcheck
