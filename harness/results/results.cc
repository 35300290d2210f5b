#include "results/results.h"

#include <array>

namespace warpcheck {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "passed", "skipped", "not_measured", "failed", "error", "invalid_reference", "harness_fault",
};

}  // namespace

std::string_view Name(Verdict verdict) { return kNames[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> VerdictNamed(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

}  // namespace warpcheck
