// Says what a complaint is about as data, so that its sentences may change freely.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "device/finding.h"

namespace warpcheck {

// The kinds of findings come first, with the values that they have as FindingKind.
enum class ComplaintKind : std::uint8_t {
#define FINDING(name, text, meaning, page) k##name,
#include "device/finding.def"
#undef FINDING
#define COMPLAINT(name, text, meaning) k##name,
#include "results/complaint_kind.def"
#undef COMPLAINT
};

constexpr auto NamesOf(std::type_identity<ComplaintKind>) {
  return EnumList{
#define FINDING(name, text, meaning, page) std::string_view(text),
#include "device/finding.def"
#undef FINDING
#define COMPLAINT(name, text, meaning) std::string_view(text),
#include "results/complaint_kind.def"
#undef COMPLAINT
  };
}

// Returns the name in results, such as "wrong_elements".
inline std::string_view Name(ComplaintKind kind) { return NameOf(kind); }

// Returns the kind of complaints that tell a finding of this kind.
constexpr ComplaintKind ComplaintKindOf(FindingKind kind) {
  return static_cast<ComplaintKind>(kind);
}

// Returns the kind of the finding that such complaints tell, or nothing if they tell none.
constexpr std::optional<FindingKind> FindingKindOf(ComplaintKind kind) {
  if (kind >= ComplaintKind::kCheck) return std::nullopt;
  return static_cast<FindingKind>(kind);
}

// A ComplaintId is equal for complaints that are one mistake at one place, in whatever words they
// are told and with whatever numbers.
struct ComplaintId {
  ComplaintId(ComplaintKind the_kind, std::string what = {})  // NOLINT(*-explicit-*)
      : kind(the_kind), about(std::move(what)) {}

  ComplaintKind kind;
  // Tells mistakes of one kind apart, such as the measure of a missed target; empty if the kind
  // says it all.
  std::string about;
};

}  // namespace warpcheck
