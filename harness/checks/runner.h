// Carries out planned calls, each on a device of its own: the submission's in a sandboxed
// submission host, the reference's in this process.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/plan.h"
#include "checks/trial.h"
#include "emulator/emulator.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// What one call may use, or several in turn together.
struct CallLimits {
  std::uint64_t instructions = 400'000'000;  // warp instructions of all its kernels together
  std::uint64_t device_bytes = std::uint64_t{512} << 20;
  std::chrono::milliseconds host_time{10'000};  // without the time that kernels take
};

class Runner {
 public:
  struct Settings {
    std::filesystem::path shared_object;
    std::filesystem::path submission_host;
    std::vector<std::string> student_sources;  // as in the PTX's .file table; empty: every file
    std::optional<std::uint64_t> order_seed;   // permutes blocks and warps
  };

  // `sandbox` outlives the runner.
  Runner(Settings settings, sandbox::Sandbox& sandbox);

  // Makes the calls one after the other in one submission host, on one device, and gives a trial of
  // each, up to the first that does not return. A fault of the harness ends the running case
  // (docket.h). After two calls that used up their host time, later ones are not made:
  // Trial::stopped_early.
  std::vector<Trial> CallSubmission(const std::vector<std::shared_ptr<const Plan>>& plans,
                                    const CallLimits& limits);

  // Never fails for what the reference does: see InvalidReference.
  Trial CallReference(std::shared_ptr<const Plan> plan, const CallLimits& limits);

 private:
  // The path without the folder that all student sources share.
  std::string ShortName(const std::string& path) const;
  void Shorten(Trial& trial) const;

  // A submission host that has been started, and our end of its socket.
  struct Host {
    std::unique_ptr<sandbox::Process> process;
    int socket = -1;
    sandbox::Limits limits;
    std::chrono::milliseconds host_time{0};

    Host() = default;
    Host(Host&& other) noexcept { *this = std::move(other); }
    Host& operator=(Host&& other) noexcept;
    ~Host();
    int TakeSocket() { return std::exchange(socket, -1); }
  };
  Host StartHost(const CallLimits& limits);
  // A fresh host; the one for the next call starts meanwhile.
  Host NextHost(const CallLimits& limits);
  emulator::Options SubmissionOptions(const CallLimits& limits) const;
  // Gives `last` the host's ending.
  void EndHost(Host& host, Trial& last);

  Settings settings_;
  sandbox::Sandbox& sandbox_;
  std::optional<Host> spare_;
  int timeouts_ = 0;
};

// Why a trial of the reference is no standard to judge by; empty if it is one.
std::string InvalidReference(const Trial& trial);

}  // namespace warpcheck
