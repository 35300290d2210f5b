#include "emulator/decode/parsed_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ptx/parser/parser.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kStepsOfAByte = 8;  // the cost of parsing each byte of a text

// Returns how many bytes a parsed module takes, including its text.
std::uint64_t HeldBy(std::string_view text, const ptx::Module& module) {
  return text.size() + module.held_bytes;
}

}  // namespace

void ParsedModules::DropIdle() {
  DropIdleDecoded();
  std::erase_if(kept_, [this](const auto& one) {
    if (one.second.use_count() > 1) return false;
    kept_bytes_ -= HeldBy(one.first, *one.second);
    return true;
  });
}

Result<std::shared_ptr<const ptx::Module>> ParsedModules::Parse(std::string_view ptx) {
  if (const auto known = kept_.find(ptx); known != kept_.end()) return known->second;
  if (!preparation_.Spend(kStepsOfAByte * ptx.size())) {
    return Fail(
        fmt::format("this program loads more PTX than the grader reads: one more module of "
                    "{} bytes is too much",
                    ptx.size()));
  }
  const std::uint64_t wanted = ptx.size() + ptx::limits::kHeldBytes;
  if (kept_bytes_ + wanted > kMostBytes) DropIdle();
  const std::uint64_t left = kMostBytes - std::min(kMostBytes, kept_bytes_ + ptx.size());
  auto parsed =
      WARPCHECK_TRY(ptx::ParseModule(ptx, "ptx", std::min(left, ptx::limits::kHeldBytes)));
  auto module = std::make_shared<const ptx::Module>(std::move(parsed));
  kept_bytes_ += HeldBy(ptx, *module);
  kept_.emplace(ptx, module);
  return module;
}

void ParsedModules::DropIdleDecoded() {
  std::erase_if(decoded_, [](const auto& one) { return one.second.use_count() == 1; });
}

std::shared_ptr<const DecodedModule> ParsedModules::Decoded(
    const std::shared_ptr<const ptx::Module>& module, DecodedFor wanted) {
  const auto known = decoded_.find(module.get());
  if (known != decoded_.end() && known->second->made_for() == wanted) return known->second;
  DropIdleDecoded();
  auto decoded = std::make_shared<const DecodedModule>(module, std::move(wanted), preparation_);
  decoded_[module.get()] = decoded;
  return decoded;
}

}  // namespace warpcheck::emulator
