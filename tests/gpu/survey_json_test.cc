#include <gtest/gtest.h>

#include "gpu/gpu.h"

namespace warpcheck::gpu {
namespace {

TEST(SurveyJson, ReadsWhatItWrites) {
  Survey survey;
  survey.name = "NVIDIA H200";
  survey.driver = "CUDA 13.0";
  survey.compute_major = 9;
  survey.no_counters.emplace().message = "not allowed";
  survey.no_counters->hint = "ask";
  const auto read = ParseSurvey(SurveyText(survey));
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_EQ(read->name, "NVIDIA H200");
  EXPECT_EQ(read->driver, "CUDA 13.0");
  EXPECT_EQ(read->compute_major, 9);
  EXPECT_EQ(read->no_gpu, std::nullopt);
  EXPECT_EQ(read->no_counters, survey.no_counters);
}

TEST(SurveyJson, SaysWhatItCannotRead) {
  EXPECT_EQ(ParseSurvey("{}").error().message,
            "the survey of the GPU cannot be read: no field \"name\"");
  EXPECT_FALSE(ParseSurvey("a crash"));
}

}  // namespace
}  // namespace warpcheck::gpu
