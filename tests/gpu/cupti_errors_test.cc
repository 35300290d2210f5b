#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include "device/counters.h"
#include "gpu/cupti/cupti_api.h"
#include "gpu/cupti_fake.h"

namespace warpcheck::gpu {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CuptiErrors, TellTheWayOutOfMissingPermission) {
  EXPECT_EQ(CuptiError("cuptiRangeProfilerEnable", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES).Text(),
            "error: counters cannot be read: this user may not read the GPU's counters "
            "(cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, 35)\n  let every user "
            "read them: write the line \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" "
            "into a file in /etc/modprobe.d/, and restart. Or give this process CAP_PERFMON or "
            "CAP_SYS_ADMIN (docker run --cap-add=PERFMON), or run as root");
}

struct Case {
  CUptiResult status;
  const char* says;
  const char* hint;
};

class CuptiReasons : public testing::TestWithParam<Case> {};

TEST_P(CuptiReasons, SayWhatIsWrongAndWhatToDo) {
  const Case& tested = GetParam();
  const Error error = CuptiError("cuptiX", tested.status);
  EXPECT_THAT(error.message, AllOf(StartsWith("counters cannot be read: "), HasSubstr(tested.says),
                                   HasSubstr("(cuptiX: CUPTI_ERROR_"),
                                   EndsWith(", " + std::to_string(tested.status) + ")")));
  EXPECT_THAT(error.hint, HasSubstr(tested.hint));
}

INSTANTIATE_TEST_SUITE_P(
    , CuptiReasons,
    testing::Values(
        Case{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
             "another profiler or debugger is at work", "without ncu"},
        Case{CUPTI_ERROR_HARDWARE_BUSY, "in use by another program", "another grading run"},
        Case{CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "virtual GPUs", "--device emulator"},
        Case{CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "hypervisor",
             "enable_profiling"},
        Case{CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "MIG", "without MIG"},
        Case{CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "confidential", "emulator"},
        Case{CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "mining", "emulator"},
        Case{CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "SLI", "SLI off"},
        Case{CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "WSL", "update WSL"},
        Case{CUPTI_ERROR_NOT_SUPPORTED, "does not support", "emulator"},
        Case{CUPTI_ERROR_INVALID_CHIP_NAME, "does not know the GPU's chip", "CUDA Toolkit"},
        Case{CUPTI_ERROR_NOT_INITIALIZED, "no CUDA driver", "a driver and a CUDA Toolkit that fit"},
        Case{CUPTI_ERROR_OUT_OF_MEMORY, "no memory", ""},
        Case{CUPTI_ERROR_UNKNOWN, "without saying why", ""}),
    [](const auto& tested) { return "Status" + std::to_string(tested.param.status); });

TEST(CuptiErrors, GiveTheNumberOfAStatusThatIsNew) {
  const Error error = CuptiError("cuptiX", static_cast<CUptiResult>(1234));
  EXPECT_EQ(error.message, "counters cannot be read: cuptiX failed with status 1234");
}

TEST(CuptiErrors, NameADeviceThatHasNoChipName) {
  CuptiFake fake;
  fake.api.DeviceGetChipName.pointer = [](CUpti_Device_GetChipName_Params*) {
    return CUPTI_SUCCESS;
  };
  const auto chip = ChipName(fake.api, {.ordinal = 3, .context = nullptr});
  ASSERT_FALSE(chip);
  EXPECT_EQ(chip.error().message, "counters cannot be read: CUPTI has no name for GPU 3");
}

TEST(LoadCupti, SaysWhereItLookedAndWhatToInstall) {
  const std::string paths[] = {"/nowhere/libcupti.so.13", "/nowhere/libcupti.so"};
  const auto api = LoadCuptiFrom(paths);
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().Text(),
            "error: CUPTI cannot be loaded; tried /nowhere/libcupti.so.13, /nowhere/libcupti.so\n"
            "  install CUPTI, which belongs to the CUDA Toolkit, and point CUDA_HOME at the "
            "toolkit: CUDA_HOME=/path/to/cuda, or install the wheel's extra, `pip install "
            "'./FILE.whl[gpu]'`; kernels run without it, but nothing is counted");
}

TEST(LoadCupti, SaysWhatAnOtherLibraryLacks) {
  const std::string paths[] = {"libm.so.6"};
  const auto api = LoadCuptiFrom(paths);
  ASSERT_FALSE(api);
  EXPECT_THAT(api.error().message, AllOf(StartsWith("libm.so.6 has no cuptiProfilerInitialize, "),
                                         HasSubstr("cuptiSassMetricsEnable"),
                                         EndsWith(": it is too old, or it is not CUPTI")));
  EXPECT_THAT(api.error().hint, HasSubstr("CUDA Toolkit 13"));
}

TEST(CuptiPaths, BeginWithTheLibraryPathAndTheToolkitThatWasNamed) {
  const char* const before = std::getenv("CUDA_HOME");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("CUDA_HOME", "/my/cuda", 1);
  const auto paths = CuptiPaths();
  if (before == nullptr) ::unsetenv("CUDA_HOME");
  if (before != nullptr) ::setenv("CUDA_HOME", kept.c_str(), 1);
  ASSERT_GT(paths.size(), 4U);
  EXPECT_EQ(paths[0], "libcupti.so.13");
  EXPECT_EQ(paths[3], "/my/cuda/lib64/libcupti.so.13");
  EXPECT_THAT(paths, testing::Contains("/my/cuda/extras/CUPTI/lib64/libcupti.so"));
  EXPECT_EQ(paths.back(), "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so");
}

// Returns true for a metric of asynchronous copies, which Turing does not have (PTX ISA,
// "cp.async": sm_80 or higher).
bool IsCopyOfTuring(std::string_view chip, std::string_view metric) {
  return chip == "TU102" && metric == Info(Counter::kAsyncCopyRequests).metric;
}

// Uses the machine's CUPTI, which needs no GPU for this. It must know every name in counters.def.
TEST(CuptiMetrics, AreKnownToCuptiOnEveryGenerationSinceTuring) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "CUPTI loads libraries in a way that the address sanitizer forbids";
#endif
  const auto cupti = LoadCupti();
  if (!cupti) GTEST_SKIP() << cupti.error().Text();
  std::vector<std::string> metrics;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    EXPECT_EQ(info.metric.empty(), info.scope == CounterScope::kEmulator) << info.name;
    if (!info.metric.empty()) metrics.emplace_back(info.metric);
  }
  for (const AccessWidth& width : AccessWidths()) metrics.emplace_back(width.metric);
  for (const char* chip : {"TU102", "GA100", "AD102", "GH100", "GB100"}) {
    CUpti_Profiler_Host_Initialize_Params host{};  // loads the tables of the chip
    host.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip;
    ASSERT_EQ((*cupti)->ProfilerHostInitialize.pointer(&host), CUPTI_SUCCESS) << chip;
    for (const std::string& metric : metrics) {
      if (IsCopyOfTuring(chip, metric)) continue;
      CUpti_SassMetrics_GetProperties_Params properties{};
      properties.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
      properties.pChipName = chip;
      properties.pMetricName = metric.c_str();
      EXPECT_EQ((*cupti)->SassMetricsGetProperties.pointer(&properties), CUPTI_SUCCESS)
          << metric << " of " << chip;
    }
    CUpti_Profiler_Host_Deinitialize_Params end{};
    end.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
    end.pHostObject = host.pHostObject;
    EXPECT_EQ((*cupti)->ProfilerHostDeinitialize.pointer(&end), CUPTI_SUCCESS);
  }
}

}  // namespace
}  // namespace warpcheck::gpu
