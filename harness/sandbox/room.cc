#include <algorithm>
#include <mutex>

#include "base/check.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/keeper.h"
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

class Room : public Sandbox {
 public:
  Room(std::string bubblewrap, std::vector<Mount> mounts, std::string keeper)
      : bubblewrap_(std::move(bubblewrap)),
        mounts_(std::move(mounts)),
        keeper_program_(std::move(keeper)) {
    for (const Mount& mount : mounts_) {
      WARPCHECK_CHECK(!mount.writable && !WouldBeCovered(mount),
                      "mounts of a room are read-only, and not below /tmp or /proc");
    }
  }

  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    WARPCHECK_CHECK(command.mounts.empty(), "a room has its mounts from the beginning");
    auto keeper = WARPCHECK_TRY(LivingKeeper());
    LaunchPlan plan;
    plan.command = command;
    plan.keeper = std::move(keeper);
    return Monitor::Start(std::move(plan));
  }

 private:
  Result<std::shared_ptr<Keeper>> LivingKeeper() {
    const std::lock_guard lock(mutex_);
    if (keeper_ != nullptr && keeper_->alive()) return keeper_;
    keeper_.reset();
    const unsigned user = UnprivilegedUser();
    const auto stage = WARPCHECK_TRY(MountStage::Make(mounts_, user != 0));
    auto made = Keeper::Make(Options(stage), keeper_program_, stage, user);
    if (!made) return CannotWork(made.error().message);
    keeper_ = *std::move(made);
    return keeper_;
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
  std::string keeper_program_;
  std::mutex mutex_;
  std::shared_ptr<Keeper> keeper_;  // shared with what is started in it
};

}  // namespace

Result<std::unique_ptr<Sandbox>> MakeRoom(std::vector<Mount> mounts, std::string keeper) {
  auto bubblewrap = WARPCHECK_TRY(FindBubblewrap());
  auto room = std::make_unique<Room>(std::move(bubblewrap), std::move(mounts), std::move(keeper));
  WARPCHECK_TRY(Works(*room));
  return room;
}

}  // namespace warpcheck::sandbox
