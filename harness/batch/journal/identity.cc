#include "batch/journal/identity.h"

#include <fmt/format.h>

#include <string_view>

#include "base/json/record.h"

namespace warpcheck::batch {
namespace {

std::string ValueText(const nlohmann::ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.is_string() ? value.get<std::string>() : JsonText(value);
}

// The field of a plan that changes no grade.
constexpr std::string_view kRemark = "device_remark";

}  // namespace

std::optional<std::string> BatchIdentity::Conflict(const BatchIdentity& now) const {
  const auto differ = [](std::string_view what, const auto& was,
                         const auto& is) -> std::optional<std::string> {
    return fmt::format("it was begun with {} {}, not {}", what, was, is);
  };
  if (assignment != now.assignment) return differ("assignment", assignment, now.assignment);
  if (version != now.version) return differ("version", version, now.version);
  if (checks_digest != now.checks_digest) {
    return "the rubric, the header or the checks of the assignment have changed since it began";
  }
  const auto planned = ToJson(plan);
  const auto planned_now = ToJson(now.plan);
  for (const auto& [name, was] : planned.items()) {
    const auto& is = planned_now[name];
    if (name != kRemark && is != was) return differ(name, ValueText(was), ValueText(is));
  }
  return std::nullopt;
}

}  // namespace warpcheck::batch
