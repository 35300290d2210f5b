#include "batch/terms.h"

#include <fmt/format.h>

#include "base/json_fields.h"

namespace warpcheck::batch {

std::optional<std::string> Terms::Conflict(const Terms& now) const {
  const auto differ = [](std::string_view what, const auto& was,
                         const auto& is) -> std::optional<std::string> {
    return fmt::format("it was begun with {} {}, not {}", what, was, is);
  };
  if (assignment != now.assignment) return differ("assignment", assignment, now.assignment);
  if (version != now.version) return differ("version", version, now.version);
  if (checks_digest != now.checks_digest) {
    return "the rubric, the interface or the checks of the assignment have changed since it began";
  }
  if (device != now.device) return differ("device", device, now.device);
  if (ptx_target != now.ptx_target) return differ("PTX target", ptx_target, now.ptx_target);
  if (seed != now.seed) return differ("seed", seed, now.seed);
  if (sandboxed != now.sandboxed) {
    return differ("the sandbox", sandboxed ? "on" : "off", now.sandboxed ? "on" : "off");
  }
  if (memcheck != now.memcheck) {
    return differ("memcheck", memcheck ? "on" : "off", now.memcheck ? "on" : "off");
  }
  return std::nullopt;
}

nlohmann::ordered_json ToJson(const Terms& terms) {
  return {{"assignment", terms.assignment},
          {"version", terms.version},
          {"checks_digest", terms.checks_digest},
          {"device", terms.device},
          {"device_remark", terms.device_remark},
          {"ptx_target", terms.ptx_target},
          {"seed", terms.seed},
          {"sandboxed", terms.sandboxed},
          {"memcheck", terms.memcheck},
          {"begun", terms.begun}};
}

Terms TermsFrom(const nlohmann::json& object) {
  Terms terms;
  terms.assignment = StringField(object, "assignment");
  terms.version = StringField(object, "version");
  terms.checks_digest = StringField(object, "checks_digest");
  terms.device = StringField(object, "device");
  terms.device_remark = StringField(object, "device_remark");
  terms.ptx_target = IntegerField<int>(object, "ptx_target");
  terms.seed = UnsignedField(object, "seed");
  terms.sandboxed = Field(object, "sandboxed").get<bool>();
  terms.memcheck = Field(object, "memcheck").get<bool>();
  terms.begun = IntegerField<std::int64_t>(object, "begun");
  return terms;
}

}  // namespace warpcheck::batch
