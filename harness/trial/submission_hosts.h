// SubmissionHosts starts submission hosts, a fresh one for each group of calls. The next host
// starts ahead of time.
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
  // Makes a sandbox whose programs see only the system, the submission host and the submission.
  static Result<std::unique_ptr<sandbox::Sandbox>> MakeJail(const Settings& settings);

  // `sandbox` is a sandbox from MakeJail, or one that does not isolate. It must outlive this
  // object.
  SubmissionHosts(Settings settings, sandbox::Sandbox& sandbox);

  // Returns a fresh host whose calls may use `host_time`, and starts the next one.
  Result<SubmissionHost> Next(std::chrono::milliseconds host_time);

 private:
  Result<SubmissionHost> Start(std::chrono::milliseconds host_time);

  Settings settings_;
  sandbox::Sandbox& sandbox_;
  std::optional<SubmissionHost> spare_;
};

}  // namespace warpcheck
