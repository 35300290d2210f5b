// Tests the instructions of textures and surfaces: what they read and write, whether fetches agree
// with an H200, and which findings they make.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <numeric>

#include "emulator/h200_textures.h"
#include "emulator/texture_rig.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kFloats2D[] =
    "tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd1, {%f4, %f5}]; mov.b32 %r8, %f8; "
    "mov.b32 %r9, %f9;";

std::vector<std::uint32_t> Counting(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

// Returns a texture of unsigned 32-bit texels.
TextureDescriptor Plain(std::uint32_t width, std::uint32_t height = 0, std::uint32_t depth = 0,
                        std::uint32_t layers = 0) {
  TextureDescriptor texture;
  texture.width = width;
  texture.height = height;
  texture.depth = depth;
  texture.layers = layers;
  return texture;
}

TextureDescriptor Surface(std::uint32_t width, std::uint32_t height = 0, std::uint32_t depth = 0,
                          std::uint32_t layers = 0) {
  TextureDescriptor surface = Plain(width, height, depth, layers);
  surface.is_surface = 1;
  return surface;
}

TEST(TextureAccess, FetchesWhatTheGpuFetches) {
  constexpr const char* kCoordinates[] = {
      "1d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%f4}];",
      "2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%f4, %f5}];",
      "3d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%f4, %f5, %f6, %f6}];"};
  TextureRig rig;
  int recorded = 0;
  for (const TextureFetch& fetch : RecordedFetches()) {
    const auto dimension = static_cast<std::size_t>(fetch.dimensions - 1);
    const auto& at = fetch.coordinates;
    const Texel got = rig.Fetch(fmt::format("tex.{}", kCoordinates[dimension]),
                                rig.Make(fetch.texture, fetch.texels), {at[0], at[1], at[2], 0});
    const bool exact =
        !fetch.texture.interpolates && !(fetch.texture.normalized_coordinates && OnAnEdge(fetch));
    recorded += exact ? 1 : 0;
    ASSERT_EQ(
        got, exact ? fetch.expected : Sample(fetch.texture, fetch.texels.data(), fetch.coordinates))
        << fetch.line;
  }
  EXPECT_GT(recorded, 400);
}

TEST(TextureAccess, LinearMemoryIsFetchedByIndex) {
  TextureDescriptor texture = Plain(3);
  texture.is_linear_memory = 1;
  TextureRig rig;
  const DeviceAddress object = rig.Make(texture, std::vector<std::uint32_t>{7, 8, 9});
  const auto threads = rig.Run("tex.1d.v4.u32.s32 {%r8, %r9, %r10, %r11}, [%rd1, {%r4}];", object,
                               {{0}, {2}, {3}, {~0U}});
  EXPECT_EQ(threads[0].out[0], 7U);
  EXPECT_EQ(threads[1].out[0], 9U);
  EXPECT_EQ(threads[2].out[0], 0U);
  EXPECT_EQ(threads[3].out[0], 0U);
  EXPECT_THAT(rig.device.Findings(), IsEmpty());
}

TEST(TextureAccess, LayersAreChosenByAnIndexThatIsClamped) {
  TextureRig rig;
  const DeviceAddress rows = rig.Make(Plain(4, 0, 0, 3), Counting(12));
  constexpr char kRow[] = "tex.a1d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%r4, %f5}];";
  const std::uint32_t two_and_a_half = std::bit_cast<std::uint32_t>(2.5F);
  const auto threads =
      rig.Run(kRow, rows, {{0, two_and_a_half}, {2, two_and_a_half}, {9, two_and_a_half}});
  EXPECT_EQ(threads[0].out[0], 2U);
  EXPECT_EQ(threads[1].out[0], 10U);
  EXPECT_EQ(threads[2].out[0], 10U) << "the last layer";
  const DeviceAddress slices = rig.Make(Plain(4, 2, 0, 2), Counting(16));
  const auto one =
      rig.Run("tex.a2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%r4, %f5, %f6, %f6}];", slices,
              {{1, two_and_a_half, std::bit_cast<std::uint32_t>(1.5F)}});
  EXPECT_EQ(one[0].out[0], 14U);
}

TEST(TextureAccess, LevelsAndGradientsChangeNothingWithoutMipmaps) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Plain(4, 4), Counting(16));
  const std::array<float, 4> at = {1.5F, 2.5F, 3, 0};
  EXPECT_EQ(rig.Fetch("tex.level.2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%f4, %f5}], %f6;",
                      object, at)[0],
            9U);
  EXPECT_EQ(rig.Fetch("tex.grad.2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%f4, %f5}], "
                      "{%f4, %f5}, {%f4, %f5};",
                      object, at)[0],
            9U);
}

// tests/programs/texture_gather.cu compares this with an H200.
TEST(TextureAccess, GathersAChannelOfFourTexels) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Plain(4, 4), Counting(16));
  const auto gather = [&](std::string_view channel) {
    return rig.Fetch(fmt::format("tld4.{}.2d.v4.u32.f32 {{%r8, %r9, %r10, %r11}}, [%rd1, "
                                 "{{%f4, %f5}}];",
                                 channel),
                     object, {2, 2, 0, 0});
  };
  EXPECT_EQ(gather("r"), (std::array<std::uint32_t, 4>{9, 10, 6, 5}));
  EXPECT_EQ(gather("g"), (std::array<std::uint32_t, 4>{0, 0, 0, 0})) << "it has one channel";
}

TEST(TextureAccess, TellsThatTheTexelIsThere) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Plain(4, 4), Counting(16));
  EXPECT_EQ(rig.Fetch("tex.2d.v4.u32.f32 {%r8, _, _, _}|%p1, [%rd1, {%f4, %f5}]; "
                      "selp.u32 %r9, 1, 0, %p1;",
                      object, {0, 1, 0, 0}),
            (std::array<std::uint32_t, 4>{4, 1, 0, 0}));
}

TEST(TextureAccess, LanesHaveObjectsOfTheirOwn) {
  TextureRig rig;
  const std::uint64_t first = rig.Make(Plain(2, 1), std::vector<std::uint32_t>{1, 2});
  const std::uint64_t second = rig.Make(Plain(2, 1), std::vector<std::uint32_t>{3, 4});
  const auto half = [](std::uint64_t value, int i) {
    return static_cast<std::uint32_t>(value >> (32 * i));
  };
  const auto threads =
      rig.Run("mov.b64 %rd5, {%r4, %r5}; tex.2d.v4.u32.f32 {%r8, _, _, _}, [%rd5, {%f6, %f6}];", 0,
              {{half(first, 0), half(first, 1)},
               {half(second, 0), half(second, 1)},
               {half(first, 0), half(first, 1)}});
  EXPECT_EQ(threads[0].out[0], 1U);
  EXPECT_EQ(threads[1].out[0], 3U);
  EXPECT_EQ(threads[2].out[0], 1U);
}

TEST(TextureAccess, AnswersQuestions) {
  TextureRig rig;
  TextureDescriptor texture = Plain(5, 6, 7);
  texture.normalized_coordinates = 1;
  EXPECT_EQ(rig.Access("txq.width.b32 %r8, [%rd1]; txq.height.b32 %r9, [%rd1]; "
                       "txq.depth.b32 %r10, [%rd1]; txq.normalized_coords.b32 %r11, [%rd1];",
                       rig.Make(texture, Counting(210)), {}),
            (std::array<std::uint32_t, 4>{5, 6, 7, 1}));
  EXPECT_EQ(rig.Access("suq.width.b32 %r8, [%rd1]; suq.height.b32 %r9, [%rd1]; "
                       "suq.array_size.b32 %r10, [%rd1];",
                       rig.Make(Surface(8, 0, 0, 2), Counting(16)), {}),
            (std::array<std::uint32_t, 4>{8, 0, 2, 0}));
}

TEST(SurfaceAccess, ReadsAndWritesByBytes) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Surface(4, 2), Counting(8));
  constexpr char kRead[] = "suld.b.2d.b32.trap {%r8}, [%rd1, {%r4, %r5}];";
  EXPECT_EQ(rig.Access(kRead, object, {8, 1, 0, 0})[0], 6U);
  EXPECT_EQ(
      rig.Access("suld.b.2d.v2.b32.trap {%r8, %r9}, [%rd1, {%r4, %r5}];", object, {8, 1, 0, 0}),
      (std::array<std::uint32_t, 4>{6, 7, 0, 0}));
  EXPECT_EQ(rig.Access("suld.b.2d.v4.b8.trap {%h1, %h2, %h3, %h4}, [%rd1, {%r4, %r5}]; "
                       "cvt.u32.u16 %r8, %h1; cvt.u32.u16 %r9, %h4;",
                       object, {4, 1, 0, 0}),
            (std::array<std::uint32_t, 4>{5, 0, 0, 0}));
  EXPECT_EQ(rig.Access("suld.b.2d.b64.trap {%rd5}, [%rd1, {%r4, %r5}]; mov.b64 {%r8, %r9}, %rd5;",
                       object, {0, 1, 0, 0}),
            (std::array<std::uint32_t, 4>{4, 5, 0, 0}));
  rig.Access("sust.b.2d.b32.trap [%rd1, {%r4, %r5}], {%r6};", object, {12, 0, 77, 0});
  EXPECT_EQ(rig.Access(kRead, object, {12, 0, 0, 0})[0], 77U);
  rig.Access("mov.u16 %h1, 0x1ff; sust.b.2d.b8.trap [%rd1, {%r4, %r5}], {%h1};", object,
             {1, 0, 0, 0});
  EXPECT_EQ(rig.Access(kRead, object, {0, 0, 0, 0})[0], 0xff00U);
  EXPECT_THAT(rig.device.Findings(), IsEmpty());
}

TEST(SurfaceAccess, HasSlicesAndLayers) {
  TextureRig rig;
  const DeviceAddress volume = rig.Make(Surface(2, 2, 2), Counting(8));
  EXPECT_EQ(rig.Access("suld.b.3d.b32.trap {%r8}, [%rd1, {%r4, %r5, %r6, %r6}];", volume,
                       {4, 1, 1, 0})[0],
            7U);
  const DeviceAddress layers = rig.Make(Surface(2, 2, 0, 3), Counting(12));
  EXPECT_EQ(rig.Access("suld.b.a2d.b32.trap {%r8}, [%rd1, {%r4, %r5, %r6, %r6}];", layers,
                       {2, 4, 0, 0})[0],
            9U);
  rig.Access("sust.b.a1d.b32.trap [%rd1, {%r4, %r5}], {%r6};",
             rig.Make(Surface(2, 0, 0, 2), Counting(4)), {1, 4, 5, 0});
  EXPECT_EQ(rig.error, DeviceError::kSuccess);
}

TEST(SurfaceAccess, OutsideIsClampedOrZero) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Surface(4, 2), Counting(8));
  EXPECT_EQ(rig.Access("suld.b.2d.b32.clamp {%r8}, [%rd1, {%r4, %r5}];", object, {16, 9, 0, 0})[0],
            7U);
  EXPECT_EQ(rig.Access("mov.u32 %r8, 5; suld.b.2d.b32.zero {%r8}, [%rd1, {%r4, %r5}];", object,
                       {16, 0, 0, 0})[0],
            0U);
  const auto before = rig.TexelsOf(object);
  rig.Access("sust.b.2d.b32.zero [%rd1, {%r4, %r5}], {%r6};", object, {0, -1, 77, 0});
  EXPECT_EQ(rig.TexelsOf(object), before) << "dropped";
  rig.Access("sust.b.2d.b32.clamp [%rd1, {%r4, %r5}], {%r6};", object, {-4, 0, 77, 0});
  EXPECT_EQ(std::to_integer<int>(rig.TexelsOf(object)[0]), 77);
  EXPECT_THAT(rig.device.Findings(), IsEmpty());
}

// After an attempt on several threads has failed, one thread runs the launch again.
TEST(SurfaceAccess, HappensOnceHoweverManyThreadsRunTheBlocks) {
  std::vector<bool> kept;
  Options options;
  options.threads = 2;
  options.on_parallel = [&](bool one) { kept.push_back(one); };
  TextureRig rig(options);
  rig.blocks = 2048;
  const DeviceAddress object = rig.Make(Surface(2048), std::vector<std::uint32_t>(2048));
  rig.Access(
      "mov.u32 %r12, %ctaid.x; shl.b32 %r12, %r12, 2; "
      "suld.b.1d.b32.trap {%r13}, [%rd1, {%r12}]; add.u32 %r13, %r13, 1; "
      "sust.b.1d.b32.trap [%rd1, {%r12}], {%r13};",
      object, {});
  EXPECT_THAT(kept, ElementsAre(false));
  const std::vector<std::uint32_t> ones(2048, 1);
  EXPECT_EQ(rig.TexelsOf(object), std::vector<std::byte>(std::as_bytes(std::span(ones)).begin(),
                                                         std::as_bytes(std::span(ones)).end()));
}

TEST(SurfaceAccess, OutsideTraps) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Surface(4, 2), Counting(8));
  rig.Run("sust.b.2d.b32.trap [%rd1, {%r4, %r5}], {%r6};", object,
          {{12, 1, 7, 0}, {16, 1, 7, 0}, {20, 1, 7, 0}});
  EXPECT_EQ(rig.error, DeviceError::kLaunchFailure);
  EXPECT_THAT(rig.device.Findings(),
              ElementsAre("surface_out_of_bounds: writes 4 bytes at byte 16 of row 1, outside a "
                          "surface of 4x2 texels of 4 bytes; x is in bytes"));
  EXPECT_EQ(rig.device.last().findings[0].where.Text(), "student.cu:7");
  EXPECT_EQ(rig.device.last().findings[0].count, 2U);
  EXPECT_EQ(rig.device.last().findings[0].thread->lane, 1);
}

TEST(SurfaceAccess, IsAligned) {
  TextureRig rig;
  rig.Access("suld.b.1d.b32.trap {%r8}, [%rd1, {%r4}];", rig.Make(Surface(4), Counting(4)),
             {2, 0, 0, 0});
  EXPECT_EQ(rig.error, DeviceError::kMisalignedAddress);
  EXPECT_THAT(rig.device.Findings(),
              ElementsAre("misaligned: reads 4 bytes at byte 2 of a surface, which is not a "
                          "multiple of 4"));
}

// A wrong object, with the text of its finding and the values that are read.
struct Wrong {
  std::string line;
  std::string finding;
};

void ExpectWrong(TextureRig& rig, DeviceAddress object, const Wrong& wrong) {
  const auto out = rig.Access("mov.u32 %r8, 3; " + wrong.line, object, {});
  EXPECT_EQ(rig.error, DeviceError::kSuccess);
  EXPECT_THAT(rig.device.Findings(), ElementsAre(wrong.finding));
  EXPECT_EQ(rig.device.last().findings[0].where.Text(), "student.cu:7");
  EXPECT_EQ(out[0], ~0U) << "poison";
}

TEST(TextureFindings, ObjectsThatAreNone) {
  TextureRig rig;
  const Wrong fetch{kFloats2D, "invalid_texture: uses the texture object 0, which is never valid"};
  ExpectWrong(rig, 0, fetch);
  EXPECT_THAT(rig.device.last().findings[0].hint, HasSubstr("whose pitch is not a multiple of 32"));
  const std::string none = "invalid_texture: uses a value that is not a texture object";
  ExpectWrong(rig, 0x7fff12345678, {kFloats2D, none});
  EXPECT_EQ(rig.device.last().findings[0].hint, "");
  ExpectWrong(rig, rig.device.Upload(Counting(64)), {kFloats2D, none});
  const DeviceAddress object = rig.Make(Plain(4, 4), Counting(16));
  EXPECT_EQ(rig.device.device->Free(object), DeviceError::kSuccess);
  ExpectWrong(rig, object,
              {kFloats2D, "invalid_texture: uses a texture object that was destroyed"});
  EXPECT_THAT(rig.device.last().findings[0].hint, HasSubstr("after the last kernel that uses it"));
}

TEST(TextureFindings, ObjectsOfAnotherKind) {
  TextureRig rig;
  constexpr char kLoad[] = "suld.b.2d.b32.zero {%r8}, [%rd1, {%r4, %r5}];";
  ExpectWrong(rig, rig.Make(Plain(4, 4), Counting(16)),
              {kLoad, "invalid_texture: uses a texture object as a surface"});
  ExpectWrong(rig, rig.Make(Surface(4, 4), Counting(16)),
              {kFloats2D, "invalid_texture: uses a surface object as a texture"});
  ExpectWrong(rig, rig.Make(Plain(4), Counting(4)),
              {kFloats2D, "invalid_texture: reads a 1D texture as a 2D one"});
  ExpectWrong(rig, rig.Make(Plain(4, 4, 0, 2), Counting(32)),
              {kFloats2D, "invalid_texture: reads a layered 2D texture as a 2D one"});
  TextureDescriptor linear = Plain(4);
  linear.is_linear_memory = 1;
  ExpectWrong(
      rig, rig.Make(linear, Counting(4)),
      {"tex.1d.v4.u32.f32 {%r8, _, _, _}, [%rd1, {%f4}];",
       "invalid_texture: samples a texture of linear memory, which only tex1Dfetch can read"});
}

TEST(TextureFindings, TexelsThatWereFreed) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Plain(4, 4), Counting(16));
  const auto texture = rig.device.Download<TextureDescriptor>(object, 1)[0];
  EXPECT_EQ(rig.device.device->Free(texture.texels), DeviceError::kSuccess);
  ExpectWrong(rig, object, {kFloats2D, "use_after_free: reads a texture whose memory was freed"});
}

// A kernel may write anything into a descriptor.
TEST(TextureFindings, ForgedDescriptorsReadNothingElse) {
  TextureRig rig;
  const DeviceAddress good = rig.Make(Plain(4, 4), Counting(16));
  const auto forge = [&](auto change) {
    auto texture = rig.device.Download<TextureDescriptor>(good, 1)[0];
    change(texture);
    rig.Fetch(kFloats2D, rig.device.Upload(std::vector<TextureDescriptor>{texture}), {9, 9, 9, 9});
    EXPECT_EQ(rig.device.last().findings.size(), 1U);
  };
  forge([](TextureDescriptor& t) { t.width = ~0U; });
  forge([](TextureDescriptor& t) { t.channels = 3; });
  forge([](TextureDescriptor& t) { t.channel_bytes = 200; });
  forge([](TextureDescriptor& t) { t.pitch = 0; });
  forge([](TextureDescriptor& t) { t.pitch = std::uint64_t{1} << 40; });
  forge([](TextureDescriptor& t) { t.texels += 4; });
  forge([](TextureDescriptor& t) { t.texels += 1 << 20; });
  forge([](TextureDescriptor& t) { t.height = 1 << 16; });
}

TEST(TextureFindings, WhatIsNotThereSaysSo) {
  TextureRig rig;
  rig.Access("tex.cube.v4.u32.f32 {%r8, _, _, _}, [%rd1, {%f4, %f5, %f6, %f6}];",
             rig.Make(Plain(4, 4), Counting(16)), {});
  EXPECT_NE(rig.error, DeviceError::kSuccess);
  ASSERT_EQ(rig.device.Findings().size(), 1U);
  EXPECT_THAT(rig.device.Findings()[0],
              testing::AllOf(testing::HasSubstr("tex.cube.v4.u32.f32 in line"),
                             testing::HasSubstr("reads a cubemap, which the emulator does not")));
  EXPECT_EQ(rig.device.last().findings[0].where.line, 7);
}

TEST(TextureCheckers, ReadsOfTexelsThatNothingHasWritten) {
  Options options;
  options.checkers.push_back(CheckerNamed("initialisation"));
  TextureRig rig(options);
  rig.Fetch(kFloats2D, rig.Make(Plain(4, 4), Counting(16)), {1, 1, 0, 0});
  EXPECT_THAT(rig.device.Findings(), IsEmpty());
  rig.Fetch(kFloats2D, rig.Make(Plain(4, 4), std::vector<std::uint32_t>()), {1, 1, 0, 0});
  ASSERT_EQ(rig.device.last().findings.size(), 1U);
  EXPECT_EQ(rig.device.last().findings[0].kind, FindingKind::kUninitialisedUse);
  EXPECT_EQ(rig.device.last().findings[0].where.Text(), "student.cu:7");
  EXPECT_THAT(rig.device.Findings()[0],
              testing::HasSubstr(
                  "which nothing has written, and line 8 stores a value that depends on it"));
}

TEST(TextureCheckers, SurfaceWritesInitialise) {
  Options options;
  options.checkers.push_back(CheckerNamed("initialisation"));
  TextureRig rig(options);
  const DeviceAddress object = rig.Make(Surface(4, 2), std::vector<std::uint32_t>());
  rig.Access(
      "sust.b.2d.b32.trap [%rd1, {%r4, %r5}], {%r6}; "
      "suld.b.2d.b32.trap {%r8}, [%rd1, {%r4, %r5}];",
      object, {4, 1, 9, 0});
  EXPECT_THAT(rig.device.Findings(), IsEmpty());
  rig.Access("suld.b.2d.b32.trap {%r8}, [%rd1, {%r4, %r5}];", object, {8, 1, 9, 0});
  EXPECT_EQ(rig.device.last().findings.size(), 1U);
}

TEST(TextureCheckers, RacesThroughASurface) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  TextureRig rig(options);
  const DeviceAddress object = rig.Make(Surface(64), Counting(64));
  std::vector<std::array<std::uint32_t, 4>> apart;
  std::vector<std::array<std::uint32_t, 4>> same;
  for (std::uint32_t i = 0; i < 64; ++i) {
    apart.push_back({4 * i, i, 0, 0});
    same.push_back({0, i, 0, 0});
  }
  constexpr char kStore[] = "sust.b.1d.b32.trap [%rd1, {%r4}], {%r5};";
  rig.Run(kStore, object, apart);
  EXPECT_THAT(rig.device.Findings(), IsEmpty());
  rig.Run(kStore, object, same);
  ASSERT_FALSE(rig.device.last().findings.empty());
  EXPECT_EQ(rig.device.last().findings[0].kind, FindingKind::kGlobalRace);
}

// Returns a counter of the last launch.
std::uint64_t Last(const TextureRig& rig, Counter counter) {
  return rig.device.last().counters[counter].value_or(~std::uint64_t{0});
}

// A row of texels of an array lies in sectors of four texels. Four lanes look up a sector once.
TEST(TextureAccess, OfArraysCountsSectors) {
  TextureRig rig;
  const DeviceAddress object = rig.Make(Plain(64, 64), Counting(std::size_t{64} * 64));
  const auto sectors_of = [&](float column, float row) {
    std::vector<std::array<std::uint32_t, 4>> coordinates;
    for (int i = 0; i < 32; ++i) {
      const auto lane = static_cast<float>(i);
      coordinates.push_back({std::bit_cast<std::uint32_t>(0.5F + column * lane),
                             std::bit_cast<std::uint32_t>(0.5F + row * lane)});
    }
    rig.Run("tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd1, {%f4, %f5}];", object, coordinates);
    EXPECT_EQ(rig.device.last().unseen, "");
    return Last(rig, Counter::kTextureSectors);
  };
  EXPECT_EQ(sectors_of(1, 0), 8U);
  EXPECT_EQ(sectors_of(0, 1), 16U);
  EXPECT_EQ(sectors_of(0, 0), 8U);
  EXPECT_EQ(sectors_of(1, 1), 16U);
  EXPECT_EQ(sectors_of(2, 0), 16U);
}

// The record says so if sectors are not known.
TEST(TextureAccess, OfWideTexelsInASolidIsNotCounted) {
  TextureDescriptor texture = Plain(4, 4);
  texture.depth = 4;
  texture.channels = 2;
  texture.interpolates = 1;
  TextureRig rig;
  rig.Fetch("tex.3d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd1, {%f4, %f5, %f6, %f7}];",
            rig.Make(texture, Counting(128)), {1, 1, 1, 0});
  EXPECT_EQ(rig.device.last().unseen, "linear filtering in 3D of texels wider than 4 bytes");
  EXPECT_EQ(Last(rig, Counter::kTextureSectors), 0U);
}

TEST(TextureAccess, CountsRequestsOfTexturesAndSurfacesApart) {
  TextureRig rig;
  const std::vector<std::array<std::uint32_t, 4>> two_warps(64);
  rig.Run("tex.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%rd1, {%f4, %f5}];",
          rig.Make(Plain(4, 4), Counting(16)), two_warps);
  EXPECT_EQ(Last(rig, Counter::kTextureRequests), 2U);
  EXPECT_EQ(Last(rig, Counter::kSurfaceRequests), 0U);
  rig.Run("suld.b.1d.b32.trap {%r8}, [%rd1, {%r4}];", rig.Make(Surface(64), Counting(64)),
          two_warps);
  EXPECT_EQ(Last(rig, Counter::kTextureRequests), 0U);
  EXPECT_EQ(Last(rig, Counter::kSurfaceRequests), 2U);
}

// Fetches by index from linear memory count as loads of the same bytes. A lane outside reads
// nothing, and does not count.
TEST(TextureAccess, OfLinearMemoryCountsAsLoads) {
  TextureDescriptor texture = Plain(1024);
  texture.is_linear_memory = 1;
  TextureRig rig;
  const DeviceAddress object = rig.Make(texture, Counting(1024));
  const auto counters_of = [&](std::uint32_t stride, std::uint32_t first) {
    std::vector<std::array<std::uint32_t, 4>> indices;
    for (std::uint32_t i = 0; i < 32; ++i) indices.push_back({first + i * stride});
    rig.Run("tex.1d.v4.u32.s32 {%r8, %r9, %r10, %r11}, [%rd1, {%r4}];", object, indices);
    EXPECT_EQ(rig.device.last().unseen, "");
    for (const LineCounters& line : rig.device.last().lines) {
      if (line.where.line == 7) return line.counters;
    }
    return CounterSet();
  };
  const CounterSet row = counters_of(1, 0);
  // Line 7 also loads the thread's inputs: 32 times 16 bytes, with one vector load.
  const CounterSet outside = counters_of(1, 1024);
  const auto added = [&](const CounterSet& counters, Counter counter) {
    return *counters[counter] - *outside[counter];
  };
  EXPECT_EQ(added(row, Counter::kGlobalSectors), 4U);
  EXPECT_EQ(added(row, Counter::kTextureSectors), 4U);
  EXPECT_EQ(added(row, Counter::kGlobalLoadSectors), 4U);
  EXPECT_EQ(added(row, Counter::kGlobalSectorsIdeal), 4U);
  EXPECT_EQ(added(row, Counter::kGlobalLoadRequests), 1U);
  EXPECT_EQ(added(row, Counter::kGlobalBytes), 128U);
  EXPECT_EQ(added(row, Counter::kGlobalLanes), 32U);
  EXPECT_EQ(added(counters_of(8, 0), Counter::kGlobalSectors), 32U);
  EXPECT_EQ(added(counters_of(8, 0), Counter::kGlobalSectorsIdeal), 4U);
  EXPECT_EQ(added(counters_of(1, 1004), Counter::kGlobalLanes), 20U);
}

}  // namespace
}  // namespace warpcheck::emulator
