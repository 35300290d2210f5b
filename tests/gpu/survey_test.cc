#include <gtest/gtest.h>

#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace warpcheck::gpu {
namespace {

TEST(SurveyGpu, SaysWhyThereIsNoGpu) {
  const auto driver = LoadDriver();
  if (driver) GTEST_SKIP() << "this machine has a GPU";
  const Survey survey = SurveyGpu();
  EXPECT_EQ(survey.no_gpu, driver.error());
  EXPECT_EQ(survey.no_counters, std::nullopt);
  EXPECT_EQ(survey.name, "");
}

}  // namespace
}  // namespace warpcheck::gpu
