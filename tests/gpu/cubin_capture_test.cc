#include <gmock/gmock.h>

#include "gpu/cupti/cubin.h"
#include "gpu/cupti/cupti_api.h"
#include "gpu/cupti_fake.h"

namespace warpcheck::gpu {
namespace {

std::string Text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(CubinCapture, HandsOutTheModuleThatWasLoadedLast) {
  CuptiFake fake;
  auto capture = CubinCapture::Start(fake.api);
  ASSERT_TRUE(capture) << capture.error().Text();
  EXPECT_EQ(Text((*capture)->Take()), "");
  fake.LoadModule("first");
  fake.LoadModule("second");
  EXPECT_EQ(Text((*capture)->Take()), "second");
  EXPECT_EQ(Text((*capture)->Take()), "");
}

TEST(CubinCapture, EndsWithTheObject) {
  CuptiFake fake;
  { ASSERT_TRUE(CubinCapture::Start(fake.api)); }
  EXPECT_EQ(fake.callback, nullptr);
  EXPECT_TRUE(CubinCapture::Start(fake.api));
}

TEST(CubinCapture, IsRefusedWhileAnotherToolWatches) {
  CuptiFake fake;
  const auto first = CubinCapture::Start(fake.api);
  const auto second = CubinCapture::Start(fake.api);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message,
              testing::HasSubstr("another profiler or debugger is at work"));
}

TEST(CubinCapture, LetsGoWhereItCannotWatch) {
  CuptiFake fake;
  fake.failures["cuptiEnableCallback"] = CUPTI_ERROR_INVALID_OPERATION;
  EXPECT_FALSE(CubinCapture::Start(fake.api));
  EXPECT_EQ(fake.callback, nullptr);
}

}  // namespace
}  // namespace warpcheck::gpu
