// Loads the objects that nvcc made from data/*.cu, in the way that submissions are loaded.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "cudart/cudart.h"
#include "cudart/fake_device.h"

namespace warpcheck::cudart {

class Object {
 public:
  explicit Object(const std::string& name)
      : handle_(dlopen((WARPCHECK_TEST_OBJECTS "/" + name + ".so").c_str(), RTLD_NOW)) {
    if (handle_ == nullptr) ADD_FAILURE() << dlerror();
  }
  ~Object() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  template <class R = int, class... Arguments>
  R Call(const char* function, Arguments... arguments) const {
    void* const symbol = dlsym(handle_, function);
    if (symbol == nullptr) {
      ADD_FAILURE() << "no function " << function;
      return R();
    }
    return reinterpret_cast<R (*)(Arguments...)>(symbol)(arguments...);
  }

 private:
  void* handle_;
};

// A fake device is attached as long as this object lives.
class RuntimeTest : public testing::Test {
 protected:
  RuntimeTest() { Attach(&device); }
  ~RuntimeTest() override { Attach(nullptr); }

  FakeDevice device;
};

}  // namespace warpcheck::cudart
