// Modules that were parsed before, by their text: a submission is loaded anew for every call of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class ParsedModules {
 public:
  // Texts beyond that are not kept: a submission could make up new ones without end.
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;

  // As ptx::ParseModule.
  Result<std::shared_ptr<const ptx::Module>> Parse(std::string_view ptx);

 private:
  std::map<std::string, std::shared_ptr<const ptx::Module>, std::less<>> kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace warpcheck::emulator
