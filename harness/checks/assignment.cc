#include "checks/assignment.h"

#include "checks/listener.h"

namespace warpcheck {

Trial Assignment::CallReference(const Trial& trial) const {
  return Session::Current().CallReference(trial.plan, Limits());
}

std::string Assignment::TrialName() const { return RunningCase(); }

Random& Assignment::Generator() {
  if (!generator_) generator_.emplace(Session::Current().seed(), TrialName());
  return *generator_;
}

}  // namespace warpcheck
