// ParsedModules keeps parsed modules by their text, each with the kernels that were last decoded
// from it, because a submission is loaded again for every call of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "emulator/decode/decoded_module.h"
#include "emulator/decode/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class ParsedModules {
 public:
  // The most bytes of modules that are kept or in use. Modules in use are never dropped. If a new
  // module does not fit beside them, it is refused.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{384} << 20;

  // Returns the module of the text, and keeps it. Fails as ptx::ParseModule does, or if preparation
  // is exhausted.
  Result<std::shared_ptr<const ptx::Module>> Parse(std::string_view ptx);

  // Returns the kernels of a module that Parse returned. The preparation pays for decoding. To make
  // room, decoded modules that are not in use are dropped first.
  std::shared_ptr<const DecodedModule> Decoded(const std::shared_ptr<const ptx::Module>& module,
                                               DecodedFor wanted);

 private:
  void DropIdle();
  void DropIdleDecoded();

  std::map<std::string, std::shared_ptr<const ptx::Module>, std::less<>> kept_;
  std::uint64_t kept_bytes_ = 0;
  // Shared by all emulators that use this object. Decoded modules give their memory back to it, so
  // that it must be destroyed after them.
  Preparation preparation_;
  std::map<const ptx::Module*, std::shared_ptr<const DecodedModule>>
      decoded_;  // the last decoded kernels of each module
};

}  // namespace warpcheck::emulator
