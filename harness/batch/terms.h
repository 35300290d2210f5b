// What every grade of a batch depends on: one batch has one of each.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace warpcheck::batch {

struct Terms {
  std::string assignment;
  std::string version;        // of warpcheck
  std::string checks_digest;  // of the rubric, the interface and the checks program
  std::string device;         // "emulator", "gpu"
  std::string device_remark;  // why not another; may be empty
  int ptx_target = 90;        // compute capability * 10
  std::uint64_t seed = 0;     // of the random inputs of all submissions
  bool sandboxed = true;
  bool memcheck = true;
  std::int64_t begun = 0;  // seconds since 1970, UTC

  // Why grades by these terms and by the others must not stand side by side, as a sentence without
  // a period: "it was begun with seed 5, not 7". Nothing where they may.
  std::optional<std::string> Conflict(const Terms& now) const;

  friend bool operator==(const Terms&, const Terms&) = default;
};

nlohmann::ordered_json ToJson(const Terms& terms);
// Throws std::exception with a message that names the field.
Terms TermsFrom(const nlohmann::json& object);

}  // namespace warpcheck::batch
