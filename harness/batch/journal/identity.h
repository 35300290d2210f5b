// A BatchIdentity has the settings on which every grade of a batch depends. A batch has one
// identity, which its journal keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/record.h"
#include "results/checks_order.h"

namespace warpcheck::batch {

struct BatchIdentity {
  std::string assignment;
  std::string version;        // the version of warpcheck
  std::string checks_digest;  // the digest of the rubric, the interface and the checks program
  GradingPlan plan;           // the plan of the gradings, with one seed for all submissions
  std::int64_t begun = 0;     // seconds since 1970, UTC

  // Returns why grades with this identity cannot be mixed with grades that have the identity `now`,
  // as a sentence without a period ("it was begun with seed 5, not 7"). Returns nothing if they can
  // be mixed.
  std::optional<std::string> Conflict(const BatchIdentity& now) const;

  friend bool operator==(const BatchIdentity&, const BatchIdentity&) = default;
};

WARPCHECK_FIELDS(BatchIdentity, assignment, version, checks_digest, plan, begun);

}  // namespace warpcheck::batch
