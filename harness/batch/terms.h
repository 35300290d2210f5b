// What every grade of a batch depends on: one batch has one of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "base/record.h"
#include "results/checks_order.h"

namespace warpcheck::batch {

struct Terms {
  std::string assignment;
  std::string version;        // of warpcheck
  std::string checks_digest;  // of the rubric, the interface and the checks program
  GradingPlan plan;           // with one seed for all submissions
  std::int64_t begun = 0;     // seconds since 1970, UTC

  // Why grades by these terms and by the others must not stand side by side, as a sentence without
  // a period: "it was begun with seed 5, not 7". Nothing where they may.
  std::optional<std::string> Conflict(const Terms& now) const;

  friend bool operator==(const Terms&, const Terms&) = default;
};

}  // namespace warpcheck::batch

namespace warpcheck {

template <>
inline constexpr auto kFieldsOf<batch::Terms> = std::tuple{
    RecordField{"assignment", &batch::Terms::assignment},
    RecordField{"version", &batch::Terms::version},
    RecordField{"checks_digest", &batch::Terms::checks_digest},
    RecordField{"plan", &batch::Terms::plan}, RecordField{"begun", &batch::Terms::begun}};

}  // namespace warpcheck
