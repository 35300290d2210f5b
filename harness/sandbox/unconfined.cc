#include "sandbox/unconfined.h"

#include <utility>

#include "sandbox/launch.h"
#include "sandbox/monitor.h"

namespace warpcheck::sandbox {
namespace {

class Unconfined : public Sandbox {
 public:
  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    LaunchPlan plan;
    plan.command = command;
    plan.command.calls = Calls::kAll;
    return Monitor::Start(std::move(plan));
  }
  bool isolates() const override { return false; }
};

}  // namespace

std::unique_ptr<Sandbox> MakeUnconfined() { return std::make_unique<Unconfined>(); }

}  // namespace warpcheck::sandbox
