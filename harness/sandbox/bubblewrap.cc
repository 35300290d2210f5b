#include "sandbox/bubblewrap_options.h"
#include "sandbox/monitor.h"
#include "sandbox/sandbox.h"
#include "sandbox/warden_protocol.h"

namespace warpcheck::sandbox {
namespace {

class Bubblewrap : public Sandbox {
 public:
  explicit Bubblewrap(std::string program)
      : program_(std::move(program)), system_(SystemOptions()) {}

  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    LaunchPlan plan;
    plan.command = command;
    plan.unprivileged = UnprivilegedUser();
    auto stage = MountStage::Make(command.mounts, plan.unprivileged != 0);
    if (!stage) return Fail(stage.error());
    plan.stage = std::move(*stage);
    plan.prefix = Options(plan);
    return Monitor::Start(std::move(plan));
  }

 private:
  std::vector<std::string> Options(const LaunchPlan& plan) const {
    std::vector<std::string> options = {program_, "--disable-userns", "--die-with-parent"};
    const auto add = [&](const std::vector<std::string>& more) {
      options.insert(options.end(), more.begin(), more.end());
    };
    add(IsolationOptions());
    add(system_);
    const Command& command = plan.command;
    add({"--size", std::to_string(TmpBytes(command.limits.file_bytes)), "--tmpfs", "/tmp"});
    add(MountOptions(command.mounts, plan.stage));
    return options;
  }

  std::string program_;
  std::vector<std::string> system_;
};

}  // namespace

Result<std::unique_ptr<Sandbox>> MakeBubblewrap() {
  auto program = FindBubblewrap();
  if (!program) return Fail(program.error());
  return std::make_unique<Bubblewrap>(*std::move(program));
}

}  // namespace warpcheck::sandbox
