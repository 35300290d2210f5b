#include "host/gpu_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST(ListGpus, TakesWhatTheVariableAllows) {
  EXPECT_THAT(ListGpus("3,GPU-5a"), ElementsAre("3", "GPU-5a"));
}

TEST(ListGpus, CountsDeviceFiles) {
  TemporaryFolder devices;
  EXPECT_THAT(ListGpus("", devices.path()), ElementsAre("0"));
  for (const char* const name :
       {"nvidia4", "nvidia7", "nvidiactl", "nvidia-uvm", "nvidia", "null"}) {
    devices.Write(name, "");
  }
  EXPECT_THAT(ListGpus("", devices.path()), ElementsAre("0", "1"));
}

}  // namespace
}  // namespace warpcheck
