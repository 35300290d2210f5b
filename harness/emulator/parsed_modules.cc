#include "emulator/parsed_modules.h"

#include <utility>

#include "ptx/parser.h"

namespace warpcheck::emulator {

Result<std::shared_ptr<const ptx::Module>> ParsedModules::Parse(std::string_view ptx) {
  if (const auto known = kept_.find(ptx); known != kept_.end()) return known->second;
  auto parsed = ptx::ParseModule(ptx);
  if (!parsed) return Fail(parsed.error());
  auto module = std::make_shared<const ptx::Module>(*std::move(parsed));
  if (ptx.size() <= kMostBytes - kept_bytes_) {
    kept_.emplace(ptx, module);
    kept_bytes_ += ptx.size();
  }
  return module;
}

}  // namespace warpcheck::emulator
