// A PromiseResult says what a handout promises of an argument, and where the graded calls had less
// or something else.
#pragma once

#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck {

struct PromiseResult {
  std::string argument;                 // as the handout names it: "in", "rows * cols"
  std::string promise;                  // "from 1 to 70,000"; empty if there is nothing to promise
  std::vector<std::string> problems{};  // sentences; none if the calls had all that is promised

  friend bool operator==(const PromiseResult&, const PromiseResult&) = default;
};
WARPCHECK_FIELDS(PromiseResult, argument, promise, problems);

}  // namespace warpcheck
