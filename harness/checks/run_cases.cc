#include "checks/run_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "checks/failures/case_listener.h"
#include "trial/case_log.h"

namespace warpcheck {

void RunCases(std::span<const std::string> cases, ResultsWriter& results) {
  GTEST_FLAG_SET(filter, fmt::format("{}", fmt::join(cases, ":")));
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  CaseListener listener(results, CaseLog::Current());
  listeners.Append(&listener);
  [[maybe_unused]] const int verdict = RUN_ALL_TESTS();
  listeners.Release(&listener);
}

}  // namespace warpcheck
