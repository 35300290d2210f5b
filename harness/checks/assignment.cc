#include "checks/assignment.h"

#include "checks/listener.h"

namespace warpcheck {

std::vector<Trial> Assignment::CallInTurn(const std::vector<Plan>& calls) {
  std::vector<std::shared_ptr<const Plan>> plans;
  for (const Plan& call : calls) plans.push_back(std::make_shared<const Plan>(call));
  return Session::Current().Call(plans, Limits());
}

Trial Assignment::CallReference(const Trial& trial) const {
  return Session::Current().CallReference(trial.plan, Limits());
}

std::string Assignment::TrialName() const { return RunningCase(); }

Random& Assignment::Generator() {
  if (!generator_) generator_.emplace(Session::Current().seed(), TrialName());
  return *generator_;
}

}  // namespace warpcheck
