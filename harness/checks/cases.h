// The parameters of all cases over one type, which a case finds others in.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace warpcheck {

template <class Parameter>
class Cases {
 public:
  // By their names.
  static std::map<std::string, Parameter>& All() {
    static std::map<std::string, Parameter> cases;
    return cases;
  }
};

// The last argument of INSTANTIATE_TEST_SUITE_P: names a case as its parameter prints, after a
// prefix, and remembers the parameter.
class CaseNames {
 public:
  explicit CaseNames(std::string prefix = {}) : prefix_(std::move(prefix)) {}

  template <class Parameter>
  std::string operator()(const testing::TestParamInfo<Parameter>& info) const {
    const std::string name = testing::PrintToString(info.param);
    Cases<Parameter>::All().emplace(name, info.param);
    return prefix_ + name;
  }

 private:
  std::string prefix_;
};

}  // namespace warpcheck
