#include <gmock/gmock.h>

#include "gpu/device_rig.h"
#include "gpu/gpu_module.h"

namespace warpcheck::gpu {
namespace {

constexpr const char* kModule =
#include "module.ptx.inc"
    ;

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

TEST(PtxNames, HaveWhatNvccWrites) {
  const PtxNames names = ReadNames(kModule);
  EXPECT_THAT(names.kernels, ElementsAre("_Z7use_allPfi"));
  EXPECT_THAT(names.variable_candidates, IsSupersetOf({"counter", "table", "weights", "scales",
                                                       "managed", "initial", "_ZN5inner5wordsE"}));
}

TEST(PtxNames, AreNoWordsOfFunctionsInitialValuesAndComments) {
  const PtxNames names = ReadNames(R"(
    .visible .global .align 4 .u32 first = second;  // .global .u32 no;
    /* .const .u32 nor; */ .const .b8 table[4] = {1, 2, 3, 4};
    .visible .func (.param .b32 result) helper(.param .b32 value);
    .weak .entry kernel(.param .u64 kernel_param_0) { ld.global.u32 %r1, [a]; .global .u32 b; }
    .extern .shared .align 16 .b8 tile[];
    .file 1 "a.global; .global .u32 quoted;"
    .global .u64 pointers[2] = {generic(one), two};)");
  EXPECT_THAT(names.kernels, ElementsAre("kernel"));
  EXPECT_THAT(names.variable_candidates, ElementsAre("first", "table", "pointers"));
  EXPECT_THAT(names.constants, ElementsAre("table"));
}

TEST(PtxNames, EndWithTheText) {
  for (const char* text : {"", ".global", ".global .u32 a", "/*", "//", "\"", "}", ".global \""}) {
    EXPECT_LE(ReadNames(text).variable_candidates.size(), 1u) << text;
  }
}

constexpr const char* kTextureKernels = R"(
    .entry plain() { ld.global.f32 %f1, [%rd1]; }
    .entry fetches() { { tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}]; } }
    .entry samples() { tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];
                       tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]; }
    .entry stores() { sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3}; })";

TEST(PtxNames, TellWhichKernelsUseTextures) {
  EXPECT_THAT(ReadNames(kTextureKernels).texture_use,
              ElementsAre(std::pair("fetches", TextureUse::kFetches),
                          std::pair("samples", TextureUse::kOther),
                          std::pair("stores", TextureUse::kOther)));
}

TEST(PtxNames, TakeTexturesOfAFunctionAsThoseOfEveryKernel) {
  EXPECT_THAT(ReadNames(".entry first() { ret; } .func helper() { tex.1d.v4.s32.s32 {%r1, %r2, "
                        "%r3, %r4}, [%rd1, {%r1}]; } .entry second() { ret; }")
                  .texture_use,
              ElementsAre(std::pair("first", TextureUse::kFetches),
                          std::pair("second", TextureUse::kFetches)));
}

class Module : public DeviceTest {};

TEST_F(Module, ListsKernelsAndVariables) {
  driver.Add({.name = "_Z5scalePfi",
              .parameters = {{0, 8}, {8, 4}},
              .registers = 18,
              .static_shared = 256,
              .local_bytes = 16,
              .constant_bytes = 64,
              .max_threads = 512});
  driver.Add({.name = "nothing"});
  driver.variables["known"].resize(400);
  const auto module = device().LoadModule(
      ".global .b8 known[400]; .global .u32 unknown; .entry _Z5scalePfi(); .entry missing();"
      ".visible .entry _Z5scalePfi() {} .visible .entry nothing() {}");
  ASSERT_TRUE(module.has_value());
  KernelInfo scale;
  scale.name = "_Z5scalePfi";
  scale.parameters = {{0, 8}, {8, 4}};
  scale.parameter_bytes = 12;
  scale.static_shared_bytes = 256;
  scale.local_bytes = 16;
  scale.constant_bytes = 64;
  scale.registers = 18;
  scale.max_threads_per_block = 512;
  KernelInfo nothing;
  nothing.name = "nothing";
  nothing.registers = 32;
  nothing.max_threads_per_block = 1024;
  EXPECT_THAT(module->kernels, ElementsAre(scale, nothing));
  VariableInfo known;
  known.name = "known";
  known.address = reinterpret_cast<DeviceAddress>(driver.variables["known"].data());
  known.bytes = 400;
  EXPECT_THAT(module->variables, ElementsAre(known));
  EXPECT_THAT(log.findings, IsEmpty());
}

TEST_F(Module, VariablesAreMemoryLikeAnyOther) {
  driver.variables["known"].resize(400);
  const auto module = device().LoadModule(".global .b8 known[400];");
  ASSERT_TRUE(module.has_value());
  const DeviceAddress known = module->variables.at(0).address;
  EXPECT_EQ(device().Fill(known + 300, std::byte{1}, 100), DeviceError::kSuccess);
  EXPECT_EQ(device().Fill(known + 300, std::byte{1}, 101), DeviceError::kInvalidValue);
  EXPECT_EQ(driver.variables["known"][399], std::byte{1});
  EXPECT_EQ(device().UnloadModule(module->id), DeviceError::kSuccess);
  EXPECT_EQ(device().Fill(known, std::byte{1}, 1), DeviceError::kInvalidValue);
  EXPECT_EQ(device().UnloadModule(module->id), DeviceError::kInvalidResourceHandle);
}

TEST_F(Module, GoesAtOnceUnlessTheRangeProfilerMayKnowIt) {
  for (const auto& [counting, left] :
       {std::pair{Counting::kNone, 0}, {Counting::kLines, 0}, {Counting::kTotals, 1}}) {
    options.counting = counting;
    Destroy();
    const auto module = device().LoadModule(".global .b8 known[4];");
    ASSERT_TRUE(module.has_value());
    EXPECT_EQ(driver.modules, 1);
    EXPECT_EQ(device().UnloadModule(module->id), DeviceError::kSuccess);
    EXPECT_EQ(driver.modules, left);
    EXPECT_EQ(device().UnloadModule(module->id), DeviceError::kInvalidResourceHandle);
    Destroy();
    EXPECT_EQ(driver.modules, 0);
  }
}

TEST_F(Module, IsUsedAgainWithTheValuesThatItWasLoadedWith) {
  options.counting = Counting::kTotals;
  auto& known = driver.variables["known"];
  known.resize(4, std::byte{7});
  const std::string ptx = ".global .b8 known[4];";
  const auto first = device().LoadModule(ptx);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(device().Fill(first->variables.at(0).address, std::byte{1}, 4), DeviceError::kSuccess);
  const auto beside = device().LoadModule(ptx);  // the first one is in use
  ASSERT_TRUE(beside.has_value());
  EXPECT_EQ(driver.modules, 2);
  EXPECT_EQ(device().UnloadModule(first->id), DeviceError::kSuccess);

  const auto again = device().LoadModule(ptx);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(driver.modules, 2);
  EXPECT_NE(again->id, first->id);
  EXPECT_EQ(again->variables, first->variables);
  EXPECT_EQ(known, std::vector<std::byte>(4, std::byte{7}));
  EXPECT_EQ(device().UnloadModule(first->id), DeviceError::kInvalidResourceHandle);
  EXPECT_TRUE(device().LoadModule(ptx + " ").has_value());
  EXPECT_EQ(driver.modules, 3);
}

TEST_F(Module, IsLoadedAgainIfItsVariablesAreLarge) {
  options.counting = Counting::kTotals;
  driver.variables["known"].resize(3 << 20);
  for (int loaded = 1; loaded <= 2; ++loaded) {
    const auto module = device().LoadModule(".global .b8 known[3145728];");
    ASSERT_TRUE(module.has_value());
    EXPECT_EQ(driver.modules, loaded);
    EXPECT_EQ(device().UnloadModule(module->id), DeviceError::kSuccess);
  }
}

TEST_F(Module, SaysWhatTheCompilerSays) {
  driver.load_error = CUDA_ERROR_INVALID_PTX;
  driver.load_log = "ptxas application ptx input, line 7; fatal   : Parsing error near 'x'\n";
  EXPECT_EQ(device().LoadModule("x"), tl::unexpected(DeviceError::kInvalidPtx));
  ASSERT_EQ(log.findings.size(), 1u);
  EXPECT_EQ(log.findings[0].kind, FindingKind::kInvalidPtx);
  EXPECT_EQ(log.findings[0].message,
            "the driver cannot load the device code: CUDA_ERROR_NAME (218): the driver's words\n"
            "ptxas application ptx input, line 7; fatal   : Parsing error near 'x'");
}

TEST_F(Module, SaysThatTheToolkitIsNewerThanTheDriver) {
  driver.load_error = CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  EXPECT_EQ(device().LoadModule("x"), tl::unexpected(DeviceError::kInvalidPtx));
  ASSERT_EQ(log.findings.size(), 1u);
  EXPECT_EQ(log.findings[0].message,
            "the driver cannot load the device code: CUDA_ERROR_NAME (222): the driver's words\n"
            "  the toolkit is newer than the driver, which supports CUDA 13.0: update the driver, "
            "or compile with that toolkit");
}

TEST_F(Module, PassesOnThatTheCodeIsForANewerGpu) {
  driver.load_error = CUDA_ERROR_NO_BINARY_FOR_GPU;
  EXPECT_EQ(device().LoadModule("x"), tl::unexpected(DeviceError::kNoKernelImageForDevice));
  driver.load_error = CUDA_SUCCESS;
  EXPECT_TRUE(device().LoadModule("x").has_value());  // the error is not sticky
}

}  // namespace
}  // namespace warpcheck::gpu
