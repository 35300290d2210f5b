// Tests the GPU device on a real GPU. Each test has a process of its own, because a fault ends the
// context, and everything else that the process does on the GPU.
#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "gpu/gpu.h"
#include "gpu/needs_gpu/gpu_rig.h"

namespace warpcheck::gpu {
namespace {

constexpr const char* kKernels =
#include "kernels.ptx.inc"
    ;

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class KeepLog : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { launches.push_back(record); }
  void OnFinding(const Finding& finding) override { problem += finding.message; }
  void OnPrint(std::string_view text) override { printed += text; }

  std::vector<LaunchRecord> launches;
  std::string problem;
  std::string printed;
};

// Provides a device with the kernels of data/kernels.cu.
class Gpu {
 public:
  explicit Gpu(const Options& options = {}) {
    auto made = MakeGpu(log, options);
    if (!made) throw std::runtime_error(made.error().Text());
    device_ = std::move(*made);
    auto loaded = device_->LoadModule(kKernels);
    if (!loaded) throw std::runtime_error("the module does not load: " + log.problem);
    module = std::move(*loaded);
  }

  Device& device() { return *device_; }

  template <class T>
  DeviceAddress Upload(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    const auto address = device_->Allocate(bytes.size());
    if (!address) throw std::runtime_error("no memory");
    EXPECT_EQ(device_->Write(*address, bytes), DeviceError::kSuccess);
    return *address;
  }

  template <class T>
  std::vector<T> Download(DeviceAddress from, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(device_->Read(from, std::as_writable_bytes(std::span(values))),
              DeviceError::kSuccess);
    return values;
  }

  // Packs the parameters, which nvcc lays out one after the other.
  template <class... Parameters>
  LaunchRequest Request(const std::string& kernel, Parameters... parameters) {
    LaunchRequest request;
    request.module = module.id;
    request.kernel = kernel;
    const auto add = [&](const auto& value) {
      request.parameters.resize((request.parameters.size() + sizeof value - 1) / sizeof value *
                                sizeof value);
      const auto bytes = std::as_bytes(std::span(&value, 1));
      request.parameters.insert(request.parameters.end(), bytes.begin(), bytes.end());
    };
    (add(parameters), ...);
    return request;
  }

  const VariableInfo* Variable(std::string_view part) const {
    for (const VariableInfo& variable : module.variables) {
      if (variable.name.find(part) != std::string::npos) return &variable;
    }
    return nullptr;
  }

  KeepLog log;
  ModuleInfo module;

 private:
  std::unique_ptr<Device> device_;
};

class GpuDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = WhyNoGpu(); !why.empty()) GTEST_SKIP() << why;
  }

  static void InChild(const std::function<void()>& body) {
    EXPECT_EQ(InOwnProcess([&]() -> std::string {
                body();
                return HasFailure() ? "the test failed, see above" : "";
              }),
              "");
  }

  // Expects that a launch of one thread ends with `error`, and that every later request returns it
  // too.
  static void ExpectFault(const std::function<LaunchRequest(Gpu&)>& request, DeviceError error,
                          FindingKind kind, const std::string& says) {
    InChild([&] {
      Gpu gpu;
      EXPECT_EQ(CudaErrorName(gpu.device().Launch(request(gpu))), CudaErrorName(error));
      ASSERT_THAT(gpu.log.launches, SizeIs(1));
      const LaunchRecord& record = gpu.log.launches[0];
      ASSERT_THAT(record.findings, SizeIs(1));
      EXPECT_EQ(Name(record.findings[0].kind), Name(kind));
      EXPECT_THAT(record.findings[0].message, HasSubstr(says));
      EXPECT_EQ(gpu.device().Allocate(4), tl::unexpected(error));
    });
  }
};

TEST_F(GpuDeviceTest, KeepsMemory) {
  InChild([] {
    Gpu gpu;
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 0);
    const DeviceAddress a = gpu.Upload(values);
    const DeviceAddress b = *gpu.device().Allocate(4000);
    EXPECT_EQ(a % 512, 0u);
    EXPECT_EQ(b % 512, 0u);
    EXPECT_THAT(gpu.Download<int>(b, 1000), Each(-1));
    EXPECT_EQ(gpu.device().Copy(b, a, 4000), DeviceError::kSuccess);
    EXPECT_EQ(gpu.Download<int>(b, 1000), values);
    EXPECT_EQ(gpu.device().Copy(a + 4, a, 3996), DeviceError::kSuccess);
    values.insert(values.begin(), 0);
    values.pop_back();
    EXPECT_EQ(gpu.Download<int>(a, 1000), values);
    EXPECT_EQ(gpu.device().Fill(b + 4, std::byte{0}, 3996), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<int>(b, 1000), Each(0));
    EXPECT_EQ(gpu.device().Free(a), DeviceError::kSuccess);
    EXPECT_GT(gpu.device().Memory().free_bytes, 0u);
    EXPECT_GT(gpu.device().Properties().l2_bytes, 0u);
  });
}

// These are 3 x 2 texels, 0 1 2 / 10 11 12, in rows of 32 bytes.
TextureDescriptor SixTexels(Gpu& gpu) {
  std::vector<float> rows(16, -1);
  for (std::size_t i = 0; i < 3; ++i) {
    rows[i] = static_cast<float>(i);
    rows[8 + i] = static_cast<float>(10 + i);
  }
  TextureDescriptor texture;
  texture.texels = gpu.Upload(rows);
  texture.pitch = 32;
  texture.layer = 64;
  texture.width = 3;
  texture.height = 2;
  texture.is_float = 1;
  return texture;
}

TEST_F(GpuDeviceTest, SamplesTextures) {
  InChild([] {
    Gpu gpu(Options{.timed = true});
    TextureDescriptor texture = SixTexels(gpu);
    const DeviceAddress out = *gpu.device().Allocate(24);
    const auto sampled = [&](float shift) {
      const auto handle = gpu.device().CreateTexture(texture);
      if (!handle) throw std::runtime_error("no texture");
      LaunchRequest request = gpu.Request("sample", out, *handle, 3, shift);
      request.block = {3, 2, 1};
      EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
      EXPECT_EQ(gpu.device().DestroyTexture({.handle = *handle}), DeviceError::kSuccess);
      return gpu.Download<float>(out, 6);
    };
    for (const std::uint32_t pitched : {0U, 1U}) {
      texture.is_pitched_memory = pitched;
      texture.interpolates = 0;
      EXPECT_THAT(sampled(0), ElementsAre(0, 1, 2, 10, 11, 12));
      EXPECT_THAT(sampled(1), ElementsAre(1, 2, 2, 11, 12, 12)) << "clamped";
      texture.interpolates = 1;
      EXPECT_THAT(sampled(0.5F), ElementsAre(0.5F, 1.5F, 2, 10.5F, 11.5F, 12));
    }
    texture.is_pitched_memory = 0;
    texture.interpolates = 0;
    texture.edge = {TextureEdge::kBorder, TextureEdge::kBorder, TextureEdge::kBorder};
    texture.border = {7, 0, 0, 0};
    EXPECT_THAT(sampled(1), ElementsAre(1, 2, 7, 11, 12, 7));
  });
}

TEST_F(GpuDeviceTest, FetchesFromLinearMemoryAndLayers) {
  InChild([] {
    Gpu gpu;
    TextureDescriptor linear = SixTexels(gpu);
    linear.is_linear_memory = 1;
    linear.width = 8;
    linear.height = 0;
    const DeviceAddress out = *gpu.device().Allocate(40);
    const auto texture = gpu.device().CreateTexture(linear);
    ASSERT_TRUE(texture.has_value());
    LaunchRequest request = gpu.Request("fetch", out, *texture);
    request.block = {10, 1, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<float>(out, 10), ElementsAre(0, 1, 2, -1, -1, -1, -1, -1, 0, 0));

    TextureDescriptor layers;  // two layers of 3 bytes, read as 0 to 1
    layers.texels = gpu.Upload(std::vector<unsigned char>(64, 51));
    ASSERT_EQ(gpu.device().Fill(layers.texels + 32, std::byte{255}, 32), DeviceError::kSuccess);
    layers.pitch = layers.layer = 32;
    layers.width = 3;
    layers.layers = 2;
    layers.channel_bytes = 1;
    layers.normalized_values = 1;
    const auto layered = gpu.device().CreateTexture(layers);
    ASSERT_TRUE(layered.has_value());
    request = gpu.Request("sample_layers", out, *layered);
    request.block = {2, 1, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<float>(out, 2), ElementsAre(0.2F, 1.0F));
  });
}

TEST_F(GpuDeviceTest, StoresToSurfacesReachTheRows) {
  InChild([] {
    Gpu gpu(Options{.timed = true});
    TextureDescriptor surface = SixTexels(gpu);
    surface.is_surface = 1;
    const auto handle = gpu.device().CreateTexture(surface);
    ASSERT_TRUE(handle.has_value());
    LaunchRequest request = gpu.Request("double_surface", *handle);
    request.block = {3, 2, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<float>(surface.texels, 3), ElementsAre(0, 2, 4));
    EXPECT_THAT(gpu.Download<float>(surface.texels + 32, 3), ElementsAre(20, 22, 24));
    EXPECT_THAT(gpu.Download<float>(surface.texels + 12, 5), Each(-1));
  });
}

TEST_F(GpuDeviceTest, KnowsKernelsAndVariables) {
  InChild([] {
    Gpu gpu;
    EXPECT_THAT(gpu.module.kernels, SizeIs(13));
    for (const KernelInfo& kernel : gpu.module.kernels) {
      EXPECT_GT(kernel.registers, 0u) << kernel.name;
      if (kernel.name != "_Z9incrementPfi") continue;
      EXPECT_THAT(kernel.parameters,
                  testing::ElementsAre(KernelParameter{0, 8}, KernelParameter{8, 4}));
      EXPECT_EQ(kernel.parameter_bytes, 12u);
    }
    for (const char* name : {"counter", "table", "weights", "scales", "managed"}) {
      EXPECT_NE(gpu.Variable(name), nullptr) << name;
    }
  });
}

TEST_F(GpuDeviceTest, SharesVariablesWithTheHost) {
  InChild([] {
    Gpu gpu;
    for (const char* name : {"table", "scales"}) ASSERT_NE(gpu.Variable(name), nullptr) << name;
    const std::vector<int> four = {1, 2, 3, 4};
    const std::vector<int> two = {5, 6};
    EXPECT_EQ(gpu.device().Write(gpu.Variable("table")->address, std::as_bytes(std::span(four))),
              DeviceError::kSuccess);
    EXPECT_EQ(gpu.device().Write(gpu.Variable("scales")->address, std::as_bytes(std::span(two))),
              DeviceError::kSuccess);
    const DeviceAddress out = gpu.Upload(std::vector<int>(5));
    EXPECT_EQ(gpu.device().Launch(gpu.Request("read_variables", out)), DeviceError::kSuccess);
    EXPECT_EQ(gpu.Download<int>(out, 5), (std::vector{5, 4, 20, 6, 7}));
    EXPECT_EQ(gpu.Download<int>(gpu.Variable("table")->address, 1), std::vector{77});
  });
}

TEST_F(GpuDeviceTest, GivesMuchDynamicSharedMemory) {
  InChild([] {
    Gpu gpu;
    const std::uint32_t most = gpu.device().Properties().shared_bytes_per_block_optin;
    const DeviceAddress data = gpu.Upload(std::vector<int>(32));
    const int words = static_cast<int>(most / 4);
    LaunchRequest request = gpu.Request("through_shared", data, words);
    request.block = {32, 1, 1};
    request.allowed_shared_bytes = most;
    request.dynamic_shared_bytes = most;
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<int>(data, 32), Each(words));
    EXPECT_EQ(gpu.log.launches.back().resources->active_blocks, 1u);
    request.dynamic_shared_bytes = most + 4;
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kInvalidValue);
  });
}

TEST_F(GpuDeviceTest, LaunchesCooperatively) {
  InChild([] {
    Gpu gpu;
    const DeviceAddress data = gpu.Upload(std::vector<float>(64));
    LaunchRequest request = gpu.Request("_Z9incrementPfi", data, 64);
    request.block = {32, 1, 1};
    request.grid = {2, 1, 1};
    request.cooperative = true;
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<float>(data, 64), Each(1.0F));
    request.grid = {1000000, 1, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kCooperativeLaunchTooLarge);
    EXPECT_THAT(gpu.log.launches.back().findings.at(0).message,
                HasSubstr("1000000 blocks at once, and the device holds "));
  });
}

TEST_F(GpuDeviceTest, RefusesAsCudaDoes) {
  InChild([] {
    Gpu gpu;
    const DeviceAddress data = gpu.Upload(std::vector<int>(256));
    LaunchRequest request = gpu.Request("bounded", data);
    request.block = {256, 1, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kInvalidValue);
    EXPECT_THAT(gpu.log.launches.back().findings.at(0).message,
                HasSubstr("exceeds the kernel's __launch_bounds__(128)"));
    request.block = {128, 1, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
  });
}

TEST_F(GpuDeviceTest, PassesOnPrintf) {
  InChild([] {
    Gpu gpu;
    const DeviceAddress data = gpu.Upload(std::vector<int>{2});
    EXPECT_EQ(gpu.device().Launch(gpu.Request("print", data, 40)), DeviceError::kSuccess);
    EXPECT_EQ(gpu.log.printed, "printed 42\n");
  });
}

TEST_F(GpuDeviceTest, SeesWritesIntoRedZones) {
  InChild([] {
    Gpu gpu;
    const DeviceAddress data = gpu.Upload(std::vector<int>(25));
    for (const std::int64_t offset : {25, -1, 24}) {
      EXPECT_EQ(gpu.device().Launch(gpu.Request("write_at", data, offset)), DeviceError::kSuccess);
    }
    ASSERT_THAT(gpu.log.launches, SizeIs(3));
    ASSERT_THAT(gpu.log.launches[0].findings, SizeIs(1));
    EXPECT_THAT(gpu.log.launches[0].findings[0].message,
                HasSubstr("just past the end of the 100-byte allocation"));
    ASSERT_THAT(gpu.log.launches[1].findings, SizeIs(1));
    EXPECT_THAT(gpu.log.launches[1].findings[0].message,
                HasSubstr("4 bytes before the start of the 100-byte allocation"));
    EXPECT_THAT(gpu.log.launches[2].findings, IsEmpty());
  });
}

TEST_F(GpuDeviceTest, ExplainsAnIllegalAddress) {
  ExpectFault([](Gpu& gpu) { return gpu.Request("write_at", DeviceAddress{0}, std::int64_t{0}); },
              DeviceError::kIllegalAddress, FindingKind::kIllegalAddress,
              "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
}

TEST_F(GpuDeviceTest, ExplainsMisalignment) {
  ExpectFault(
      [](Gpu& gpu) { return gpu.Request("write_misaligned", gpu.Upload(std::vector<int>(4))); },
      DeviceError::kMisalignedAddress, FindingKind::kMisaligned,
      "CUDA_ERROR_MISALIGNED_ADDRESS (716)");
}

TEST_F(GpuDeviceTest, ExplainsATrap) {
  ExpectFault([](Gpu& gpu) { return gpu.Request("trap", gpu.Upload(std::vector<int>(4))); },
              DeviceError::kLaunchFailure, FindingKind::kTrap, "CUDA_ERROR_LAUNCH_FAILED (719)");
}

TEST_F(GpuDeviceTest, ExplainsAnAssert) {
  ExpectFault([](Gpu& gpu) { return gpu.Request("fail_assert", gpu.Upload(std::vector<int>(4))); },
              DeviceError::kAssert, FindingKind::kDeviceAssert,
              "assert(data[threadIdx.x] == 123456) fails");
}

TEST_F(GpuDeviceTest, SaysWhatIsWrongWithPtx) {
  InChild([] {
    Gpu gpu;
    EXPECT_EQ(gpu.device().LoadModule(".version 8.0\n.target sm_75\n.address_size 64\nnonsense\n"),
              tl::unexpected(DeviceError::kInvalidPtx));
    EXPECT_THAT(gpu.log.problem, HasSubstr("line 4"));
    const DeviceAddress data = gpu.Upload(std::vector<int>(1));  // the device still works
    EXPECT_EQ(gpu.device().Launch(gpu.Request("write_at", data, std::int64_t{0})),
              DeviceError::kSuccess);
  });
}

TEST_F(GpuDeviceTest, TimesALaunchAndRestoresMemory) {
  InChild([] {
    Options options;
    options.timed = true;
    Gpu gpu(options);
    constexpr int kFloats = 16 << 20;
    const DeviceAddress data = gpu.Upload(std::vector<float>(kFloats, 1.0F));
    LaunchRequest request = gpu.Request("_Z9incrementPfi", data, kFloats);
    request.block = {256, 1, 1};
    request.grid = {kFloats / 256, 1, 1};
    EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
    EXPECT_THAT(gpu.Download<float>(data, kFloats), Each(2.0F));
    const LaunchRecord& record = gpu.log.launches.at(0);
    EXPECT_THAT(record.findings, IsEmpty());
    ASSERT_TRUE(record.timing.has_value());
    const LaunchTiming& timing = *record.timing;
    const double bytes_per_second = 2.0 * 4 * kFloats / timing.median_us * 1e6;
    RecordProperty("median_us", std::to_string(timing.median_us));
    std::printf(
        "increment: %.2f us median, %.2f us fastest of %u, %.0f GB/s; copy %.0f GB/s; "
        "clocks %u and %u MHz\n",
        timing.median_us, timing.fastest_us, timing.runs, bytes_per_second / 1e9,
        timing.copy_bytes_per_second / 1e9, timing.sm_clock_mhz, timing.memory_clock_mhz);
    EXPECT_GE(timing.runs, 3u);
    EXPECT_GE(timing.median_us, timing.fastest_us);
    EXPECT_GT(timing.fastest_us, 0);
    EXPECT_GT(timing.sm_clock_mhz, 0u);
    EXPECT_GT(timing.memory_clock_mhz, 0u);
    // A copy reads and writes as the kernel does, so neither can be ten times as fast.
    EXPECT_GT(timing.copy_bytes_per_second, bytes_per_second / 10);
    EXPECT_LT(timing.copy_bytes_per_second, bytes_per_second * 10);
  });
}

void ExpectCounted(Counting counting) {
  Options options;
  options.counting = counting;
  options.counted_launch = 1;
  Gpu gpu(options);
  const DeviceAddress data = gpu.Upload(std::vector<float>(256));
  LaunchRequest request = gpu.Request("_Z9incrementPfi", data, 256);
  request.block = {256, 1, 1};
  EXPECT_EQ(gpu.device().Launch(gpu.Request("write_at", data, std::int64_t{0})),
            DeviceError::kSuccess);
  EXPECT_EQ(gpu.device().Launch(request), DeviceError::kSuccess);
  ASSERT_THAT(gpu.log.launches, SizeIs(2));
  const LaunchRecord& record = gpu.log.launches[1];
  const bool lines = counting == Counting::kLines;
  EXPECT_EQ(record.counters[Counter::kGlobalSectors], 64u) << record.not_measured;
  EXPECT_EQ(record.counters[Counter::kGlobalSectorsIdeal].has_value(), lines);
  EXPECT_EQ(record.lines.empty(), !lines);
  EXPECT_EQ(gpu.log.launches[0].counters[Counter::kGlobalSectors].has_value(), !lines);
}

TEST_F(GpuDeviceTest, CountsTotals) {
  InChild([] { ExpectCounted(Counting::kTotals); });
}

TEST_F(GpuDeviceTest, CountsLines) {
  InChild([] { ExpectCounted(Counting::kLines); });
}

TEST_F(GpuDeviceTest, IsSurveyed) {
  InChild([] {
    const Survey survey = SurveyGpu();
    EXPECT_EQ(survey.no_gpu, std::nullopt);
    EXPECT_EQ(survey.no_counters, std::nullopt)
        << (survey.no_counters ? survey.no_counters->Text() : "");
    EXPECT_THAT(survey.driver, testing::StartsWith("CUDA "));
    EXPECT_GE(survey.compute_major * 10 + survey.compute_minor, 75);
    EXPECT_NE(survey.name, "");
    EXPECT_THAT(SurveyGpu(99).no_gpu->Text(), HasSubstr("there is no GPU 99"));
  });
}

}  // namespace
}  // namespace warpcheck::gpu
