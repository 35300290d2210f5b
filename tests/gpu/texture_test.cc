#include <algorithm>
#include <cstring>

#include "gpu/device_rig.h"
#include "gpu/fake_textures.h"

namespace warpcheck::gpu {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class GpuTextureTest : public DeviceTest {
 protected:
  // Returns a texture of 3 x 2 bytes in rows of 32 bytes.
  TextureDescriptor Rows() {
    TextureDescriptor texture;
    texture.texels = Array(64);
    texture.pitch = 32;
    texture.layer = 64;
    texture.width = 3;
    texture.height = 2;
    texture.channel_bytes = 1;
    const std::vector<std::byte> bytes = {std::byte{1}, std::byte{2}, std::byte{3},
                                          std::byte{4}, std::byte{5}, std::byte{6}};
    EXPECT_EQ(device().WriteBox({texture.texels, {32, 64}}, {.width = 3, .height = 2}, bytes),
              DeviceError::kSuccess);
    return texture;
  }

  std::vector<int> RowsNow(const TextureDescriptor& texture) {
    std::vector<std::byte> bytes(6);
    EXPECT_EQ(device().ReadBox({texture.texels, {32, 64}}, {.width = 3, .height = 2}, bytes),
              DeviceError::kSuccess);
    std::vector<int> values;
    for (const std::byte byte : bytes) values.push_back(std::to_integer<int>(byte));
    return values;
  }

  // Returns the texels of the array of the only surface, or of the only texture.
  std::vector<std::byte>& Texels(bool surface) {
    const auto& resources = surface ? driver.surfaces : driver.resources;
    return ArrayBehind(resources.begin()->second.res.array.hArray).bytes;
  }
};

TEST_F(GpuTextureTest, ATextureOverAnArrayIsFilledBeforeEachLaunch) {
  const TextureDescriptor rows = Rows();
  const auto handle = device().CreateTexture(rows);
  ASSERT_TRUE(handle.has_value());
  std::vector<std::byte> seen;
  AddKernel([&](auto) { return seen = Texels(false), CUDA_SUCCESS; });
  ASSERT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(seen, ElementsAre(std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                std::byte{5}, std::byte{6}));
  ASSERT_EQ(device().Fill(rows.texels, std::byte{9}, 64), DeviceError::kSuccess);
  ASSERT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(seen, Each(std::byte{9}));
  EXPECT_EQ(device().DestroyTexture({.handle = *handle}), DeviceError::kSuccess);
  EXPECT_EQ(driver.arrays, 0);
  EXPECT_THAT(driver.textures, IsEmpty());
}

TEST_F(GpuTextureTest, StoresToASurfaceReachTheRows) {
  options.timed = true;  // each timed run stores once more
  TextureDescriptor rows = Rows();
  rows.is_surface = 1;
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  AddKernel([&](auto) {
    for (std::byte& texel : Texels(true)) texel = std::byte(std::to_integer<int>(texel) * 2);
    return CUDA_SUCCESS;
  });
  ASSERT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(RowsNow(rows), ElementsAre(2, 4, 6, 8, 10, 12));
}

TEST_F(GpuTextureTest, ATimedLaunchFillsTheArraysOfSurfacesAgainAndNoOther) {
  options.timed = true;
  TextureDescriptor rows = Rows();
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  rows.is_surface = 1;
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  AddKernel({});
  ASSERT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_EQ(driver.array_fills, 3) << "both before the launch, the surface's after it was timed";
}

TEST_F(GpuTextureTest, SurfacesOverOneArrayShareItAndTexturesDoNotReadBack) {
  TextureDescriptor rows = Rows();
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  rows.is_surface = 1;
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  EXPECT_EQ(driver.arrays, 2);
  AddKernel([&](auto) { return Texels(true).front() = std::byte{7}, CUDA_SUCCESS; });
  ASSERT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(RowsNow(rows), ElementsAre(7, 2, 3, 4, 5, 6));
}

TEST_F(GpuTextureTest, PlainMemoryIsReadWithoutAnArray) {
  TextureDescriptor pitched = Rows();
  pitched.is_pitched_memory = 1;
  const auto handle = device().CreateTexture(pitched);
  ASSERT_TRUE(handle.has_value());
  EXPECT_EQ(driver.resources[*handle].resType, CU_RESOURCE_TYPE_PITCH2D);
  EXPECT_EQ(driver.resources[*handle].res.pitch2D.pitchInBytes, 32u);
  TextureDescriptor linear = pitched;
  linear.is_pitched_memory = 0;
  linear.is_linear_memory = 1;
  linear.height = 0;
  const auto other = device().CreateTexture(linear);
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(driver.resources[*other].resType, CU_RESOURCE_TYPE_LINEAR);
  EXPECT_EQ(driver.resources[*other].res.linear.sizeInBytes, 3u);
  EXPECT_EQ(driver.arrays, 0);
}

TEST_F(GpuTextureTest, SamplingIsTheDrivers) {
  TextureDescriptor rows = Rows();
  rows.edge = {TextureEdge::kWrap, TextureEdge::kMirror, TextureEdge::kBorder};
  rows.border = {1, 2, 3, 4};
  rows.interpolates = rows.normalized_coordinates = rows.normalized_values = 1;
  const auto handle = device().CreateTexture(rows);
  ASSERT_TRUE(handle.has_value());
  const CUDA_TEXTURE_DESC& sampling = driver.textures[*handle];
  EXPECT_EQ(sampling.addressMode[0], CU_TR_ADDRESS_MODE_WRAP);
  EXPECT_EQ(sampling.addressMode[1], CU_TR_ADDRESS_MODE_MIRROR);
  EXPECT_EQ(sampling.addressMode[2], CU_TR_ADDRESS_MODE_BORDER);
  EXPECT_EQ(sampling.borderColor[3], 4);
  EXPECT_EQ(sampling.filterMode, CU_TR_FILTER_MODE_LINEAR);
  EXPECT_EQ(sampling.flags, unsigned{CU_TRSF_NORMALIZED_COORDINATES});
  rows.normalized_values = rows.normalized_coordinates = 0;
  const auto integers = device().CreateTexture(rows);
  ASSERT_TRUE(integers.has_value());
  EXPECT_EQ(driver.textures[*integers].flags, unsigned{CU_TRSF_READ_AS_INTEGER});
}

TEST_F(GpuTextureTest, RefusesTexelsThatAreNotThere) {
  TextureDescriptor rows = Rows();
  rows.height = 3;
  EXPECT_EQ(device().CreateTexture(rows).error(), DeviceError::kInvalidValue);
  rows.height = 2;
  rows.magic = 0;
  EXPECT_EQ(device().CreateTexture(rows).error(), DeviceError::kInvalidValue);
  EXPECT_EQ(device().DestroyTexture({.handle = 1}), DeviceError::kInvalidValue);
}

TEST_F(GpuTextureTest, FreedRowsAreNoLongerCopied) {
  TextureDescriptor rows = Rows();
  rows.is_surface = 1;
  ASSERT_TRUE(device().CreateTexture(rows).has_value());
  ASSERT_EQ(device().Free(rows.texels), DeviceError::kSuccess);
  AddKernel({});
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_EQ(device().Reset(), DeviceError::kSuccess);
  EXPECT_EQ(driver.arrays, 0);
  EXPECT_THAT(driver.surfaces, IsEmpty());
}

}  // namespace
}  // namespace warpcheck::gpu
