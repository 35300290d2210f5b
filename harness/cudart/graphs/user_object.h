// A UserObject is something of the program that graphs keep alive: its function is called when the
// program and all graphs have given back their references.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>

namespace warpcheck::cudart {

class UserObject {
 public:
  UserObject(cudaHostFn_t destroy, void* data) : destroy_(destroy), data_(data) {}
  // Lets the next CallDestructors() of this thread call the function.
  ~UserObject();
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;

 private:
  cudaHostFn_t destroy_;
  void* data_;
};

// Calls the functions of the user objects that this thread has destroyed. Call it without the
// runtime's mutex.
void CallDestructors();
// Forgets them without a call, because the program that made them is gone.
void ForgetDestructors();

// The references that one owner has, by the object's handle.
class UserReferences {
 public:
  void Add(cudaUserObject_t handle, const std::shared_ptr<UserObject>& object, unsigned count);
  // Returns nullptr if the owner has no reference.
  std::shared_ptr<UserObject> Find(cudaUserObject_t handle) const;
  // Returns false, and changes nothing, if the owner has fewer references.
  bool Remove(cudaUserObject_t handle, unsigned count);

 private:
  struct Held {
    std::shared_ptr<UserObject> object;
    unsigned count = 0;
  };
  std::map<cudaUserObject_t, Held> held_;
};

}  // namespace warpcheck::cudart
