#include <algorithm>
#include <mutex>

#include "base/check.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/fork_server.h"
#include "sandbox/monitor.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {
namespace {

namespace fs = std::filesystem;

// Programs cover these with their own.
bool WouldBeCovered(const Mount& mount) {
  const fs::path inside = mount.inside.lexically_normal();
  return std::ranges::any_of(
      std::initializer_list<fs::path>{"/tmp", "/proc"},
      [&](const auto& own) { return std::ranges::mismatch(own, inside).in1 == own.end(); });
}

class Jail : public Sandbox {
 public:
  Jail(std::string bubblewrap, std::vector<Mount> mounts, std::string fork_server)
      : bubblewrap_(std::move(bubblewrap)),
        mounts_(std::move(mounts)),
        fork_server_program_(std::move(fork_server)) {
    for (const Mount& mount : mounts_) {
      WARPCHECK_CHECK(!mount.writable && !WouldBeCovered(mount),
                      "mounts of a jail are read-only, and not below /tmp or /proc");
    }
  }

  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    WARPCHECK_CHECK(command.mounts.empty(), "a jail has its mounts from the beginning");
    auto fork_server = WARPCHECK_TRY(LivingForkServer());
    LaunchPlan plan;
    plan.command = command;
    plan.fork_server = std::move(fork_server);
    return Monitor::Start(std::move(plan));
  }

 private:
  Result<std::shared_ptr<ForkServer>> LivingForkServer() {
    const std::lock_guard lock(mutex_);
    if (fork_server_ != nullptr && fork_server_->alive()) return fork_server_;
    fork_server_.reset();
    const unsigned user = UnprivilegedUser();
    const auto stage = WARPCHECK_TRY(MountStage::Make(mounts_, user != 0));
    auto made = ForkServer::Make(Options(stage), fork_server_program_, stage, user);
    if (!made) return CannotWork(made.error().message);
    fork_server_ = *std::move(made);
    return fork_server_;
  }

  std::vector<std::string> Options(const MountStage& stage) const {
    std::vector<std::string> options = {bubblewrap_};
    for (const auto& more :
         {IsolationOptions(), SystemOptions(), std::vector<std::string>{"--dir", "/tmp"},
          MountOptions(mounts_, stage)}) {
      options.insert(options.end(), more.begin(), more.end());
    }
    return options;
  }

  std::string bubblewrap_;
  std::vector<Mount> mounts_;
  std::string fork_server_program_;
  std::mutex mutex_;
  std::shared_ptr<ForkServer> fork_server_;  // shared with what is started in it
};

}  // namespace

Result<std::unique_ptr<Sandbox>> MakeJail(std::vector<Mount> mounts, std::string fork_server) {
  auto bubblewrap = WARPCHECK_TRY(FindBubblewrap());
  auto jail =
      std::make_unique<Jail>(std::move(bubblewrap), std::move(mounts), std::move(fork_server));
  WARPCHECK_TRY(Works(*jail));
  return jail;
}

}  // namespace warpcheck::sandbox
