#include "device/finding.h"

#include <array>

namespace warpcheck {
namespace {

struct Row {
  std::string_view name;
  std::string_view meaning;
};

constexpr auto kRows = std::to_array<Row>({
#define FINDING(name, text, meaning) {text, meaning},
#include "device/finding.def"
#undef FINDING
});

}  // namespace

std::string_view Name(FindingKind kind) { return kRows[static_cast<std::size_t>(kind)].name; }

std::string_view Meaning(FindingKind kind) { return kRows[static_cast<std::size_t>(kind)].meaning; }

std::optional<FindingKind> FindingKindNamed(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<FindingKind>(i);
  }
  return std::nullopt;
}

bool IsOutOfBounds(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBoundsRead:
    case FindingKind::kOutOfBoundsWrite:
    case FindingKind::kUseAfterFree:
    case FindingKind::kSharedOutOfBounds:
    case FindingKind::kLocalOutOfBounds:
      return true;
    default:
      return false;
  }
}

bool IsMisuse(FindingKind kind) {
  switch (kind) {
    case FindingKind::kInvalidFree:
    case FindingKind::kUncheckedLaunch:
    case FindingKind::kWrongCopy:
    case FindingKind::kInvalidHandle:
    case FindingKind::kUnfinishedCopy:
    case FindingKind::kUnfinishedKernel:
    case FindingKind::kLeak:
      return true;
    default:
      return false;
  }
}

bool IsInformation(FindingKind kind) {
  return kind == FindingKind::kLeak || kind == FindingKind::kSameValueRace ||
         kind == FindingKind::kRaceLimit;
}

}  // namespace warpcheck
