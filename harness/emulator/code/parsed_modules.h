// Modules that were parsed before, by their text, and what they were last decoded to: a submission
// is loaded anew for every call of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "emulator/code/decoded_module.h"
#include "emulator/code/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class ParsedModules {
 public:
  // Of all modules that are kept or in use. Those in use are never dropped: what does not fit
  // beside them is refused.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{384} << 20;

  // As ptx::ParseModule.
  Result<std::shared_ptr<const ptx::Module>> Parse(std::string_view ptx);

  // The kernels of a module that Parse gave. Work and memory of making them are counted
  // (preparation.h); what nobody uses is dropped before.
  std::shared_ptr<const DecodedModule> Decoded(const std::shared_ptr<const ptx::Module>& module,
                                               DecodedFor wanted);

 private:
  void DropIdle();
  void DropIdleDecoded();

  std::map<std::string, std::shared_ptr<const ptx::Module>, std::less<>> kept_;
  std::uint64_t kept_bytes_ = 0;
  // Of all emulators that look up here. What is decoded gives back to it: it ends after that.
  Preparation preparation_;
  std::map<const ptx::Module*, std::shared_ptr<const DecodedModule>> decoded_;  // the last of each
};

}  // namespace warpcheck::emulator
