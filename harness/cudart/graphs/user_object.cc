#include "cudart/graphs/user_object.h"

#include <utility>
#include <vector>

namespace warpcheck::cudart {
namespace {

using Destructor = std::pair<cudaHostFn_t, void*>;

std::vector<Destructor>& WaitingDestructors() {
  thread_local std::vector<Destructor> waiting;
  return waiting;
}

}  // namespace

UserObject::~UserObject() { WaitingDestructors().emplace_back(destroy_, data_); }

void CallDestructors() {
  for (const auto& [function, data] : std::exchange(WaitingDestructors(), {})) function(data);
}

void ForgetDestructors() { WaitingDestructors().clear(); }

void UserReferences::Add(cudaUserObject_t handle, const std::shared_ptr<UserObject>& object,
                         unsigned count) {
  Held& held = held_[handle];
  held.object = object;
  held.count += count;
}

std::shared_ptr<UserObject> UserReferences::Find(cudaUserObject_t handle) const {
  const auto found = held_.find(handle);
  return found == held_.end() ? nullptr : found->second.object;
}

bool UserReferences::Remove(cudaUserObject_t handle, unsigned count) {
  const auto found = held_.find(handle);
  if (found == held_.end() || found->second.count < count) return false;
  found->second.count -= count;
  if (found->second.count == 0) held_.erase(found);
  return true;
}

}  // namespace warpcheck::cudart
