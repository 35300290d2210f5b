#include "host/deferred_sandbox.h"

#include <mutex>

#include "sandbox/bubblewrap.h"
#include "sandbox/unconfined.h"

namespace warpcheck {
namespace {

// Makes its Bubblewrap when it is first used, because a submission that the build cache has needs
// no sandbox.
class DeferredBubblewrap : public sandbox::Sandbox {
 public:
  Result<std::unique_ptr<sandbox::Process>> Start(const sandbox::Command& command) override {
    {
      const std::lock_guard lock(mutex_);
      if (!bubblewrap_) {
        bubblewrap_ = WARPCHECK_TRY(sandbox::MakeBubblewrap());
      }
    }
    return bubblewrap_->Start(command);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<sandbox::Sandbox> bubblewrap_;
};

}  // namespace

std::unique_ptr<sandbox::Sandbox> MakeDeferredSandbox(bool sandboxed) {
  if (sandboxed) return std::make_unique<DeferredBubblewrap>();
  return sandbox::MakeUnconfined();
}

}  // namespace warpcheck
