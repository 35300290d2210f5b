// Tests CUDA arrays, texture objects and surface objects: what the device gets, and which requests
// are refused.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include "cudart/objects.h"
#include "device/texture_descriptor.h"

// Programs still call cudaMemcpyToArray and cudaMemcpyFromArray.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr cudaChannelFormatDesc kFloat = {32, 0, 0, 0, cudaChannelFormatKindFloat};
constexpr cudaChannelFormatDesc kByte4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};
constexpr cudaChannelFormatDesc kInt = {32, 0, 0, 0, cudaChannelFormatKindSigned};

class TextureTest : public RuntimeTest {
 protected:
  cudaArray_t Array(cudaExtent extent, unsigned flags = 0,
                    const cudaChannelFormatDesc& format = kFloat) {
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMalloc3DArray(&array, &format, extent, flags), cudaSuccess);
    return array;
  }
  static cudaResourceDesc Of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
  cudaError_t Create(const cudaResourceDesc& resource, const cudaTextureDesc& sampling = {}) {
    return cudaCreateTextureObject(&object, &resource, &sampling, nullptr);
  }
  TextureDescriptor Descriptor() {
    TextureDescriptor descriptor;
    const std::span<TextureDescriptor> one(&descriptor, 1);
    EXPECT_EQ(device.Read(object, std::as_writable_bytes(one)), DeviceError::kSuccess);
    return descriptor;
  }

  cudaTextureObject_t object = 0;
};

TEST_F(TextureTest, AnArrayKnowsWhatItIs) {
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &kByte4, 5, 3, cudaArraySurfaceLoadStore), cudaSuccess);
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  EXPECT_EQ(cudaArrayGetInfo(&format, &extent, &flags, array), cudaSuccess);
  EXPECT_EQ(extent.width, 5u);
  EXPECT_EQ(extent.height, 3u);
  EXPECT_EQ(extent.depth, 0u);
  EXPECT_EQ(flags, unsigned{cudaArraySurfaceLoadStore});
  EXPECT_EQ(cudaGetChannelDesc(&format, array), cudaSuccess);
  EXPECT_EQ(format.w, 8);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(device.Allocated(), 0u);
  EXPECT_EQ(cudaArrayGetInfo(&format, &extent, &flags, array), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(nullptr), cudaSuccess);
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(TextureTest, RefusesArraysThatCudaHasNot) {
  cudaArray_t array = nullptr;
  const auto allocate = [&](cudaChannelFormatDesc format, std::size_t width, std::size_t height) {
    return cudaMallocArray(&array, &format, width, height, 0);
  };
  EXPECT_EQ(allocate({8, 8, 8, 0, cudaChannelFormatKindUnsigned}, 4, 4),
            cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(allocate({32, 16, 0, 0, cudaChannelFormatKindSigned}, 4, 4),
            cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(allocate({8, 0, 0, 0, cudaChannelFormatKindFloat}, 4, 4),
            cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(allocate({0, 0, 0, 0, cudaChannelFormatKindNone}, 4, 4),
            cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(allocate(kFloat, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(allocate(kFloat, 131073, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(nullptr, &kFloat, 4, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, nullptr, 4, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &kFloat, {4, 0, 2}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &kFloat, {4, 4, 0}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &kFloat, {4, 4, 6}, cudaArrayCubemap), cudaErrorNotSupported);
  EXPECT_THAT(device.unsupported, ElementsAre("cudaMalloc3DArray"));
  EXPECT_EQ(device.Allocated(), 0u);
}

TEST_F(TextureTest, CopiesPartsOfArrays) {
  const cudaArray_t array = Array({4, 3, 0});
  std::array<float, 12> from{};
  std::iota(from.begin(), from.end(), 1.0F);
  ASSERT_EQ(cudaMemcpy2DToArray(array, 0, 0, from.data(), 16, 16, 3, cudaMemcpyHostToDevice),
            cudaSuccess);
  std::array<float, 4> to{};
  EXPECT_EQ(cudaMemcpy2DFromArray(to.data(), 8, array, 8, 1, 8, 2, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_THAT(to, ElementsAre(7, 8, 11, 12));
  const cudaArray_t other = Array({4, 3, 0});
  EXPECT_EQ(cudaMemcpy2DArrayToArray(other, 4, 0, array, 0, 1, 12, 2, cudaMemcpyDeviceToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArray(to.data(), other, 8, 0, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(to[0], 6) << "the rest of row 0";
  EXPECT_EQ(to[1], 7);
  EXPECT_EQ(to[3], 9) << "goes on in row 1";
  EXPECT_EQ(cudaMemcpyToArray(array, 12, 0, "abcdefgh", 8, cudaMemcpyHostToDevice), cudaSuccess);
  std::array<char, 8> text{};
  EXPECT_EQ(cudaMemcpyFromArray(text.data(), array, 12, 0, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::string(text.data(), 8), "abcdefgh");
}

TEST_F(TextureTest, CopiesBoxesInElements) {
  const cudaArray_t array = Array({4, 2, 2});
  std::array<float, 16> from{};
  std::iota(from.begin(), from.end(), 0.0F);
  cudaMemcpy3DParms in = {};
  in.srcPtr = {from.data(), 16, 4, 2};
  in.dstArray = array;
  in.extent = {4, 2, 2};
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  std::array<float, 2> to{};
  cudaMemcpy3DParms out = {};
  out.srcArray = array;
  out.srcPos = {2, 1, 1};
  out.dstPtr = {to.data(), 8, 2, 1};
  out.extent = {2, 1, 1};
  out.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_THAT(to, ElementsAre(14, 15));
  out.srcPtr = in.srcPtr;
  EXPECT_EQ(cudaMemcpy3D(&out), cudaErrorInvalidValue) << "two sources";
}

TEST_F(TextureTest, RefusesCopiesThatDoNotFit) {
  const cudaArray_t array = Array({4, 3, 0});
  std::array<float, 64> host{};
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, host.data(), 8, 16, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, host.data(), 16, 16, 3, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  device.misuses.clear();
  EXPECT_EQ(cudaMemcpy2DToArray(array, 4, 1, host.data(), 16, 16, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  ASSERT_EQ(device.misuses.size(), 1u);
  EXPECT_THAT(
      device.misuses[0],
      HasSubstr("did nothing: the destination is too small: 16 bytes of 3 rows and 1 slices from "
                "byte 4, row 1, slice 0 of a CUDA array of 4x3 elements of 4 bytes"));
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  device.misuses.clear();
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, host.data(), 16, 16, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidValue);
  ASSERT_EQ(device.misuses.size(), 2u);
  EXPECT_THAT(device.misuses[0], HasSubstr("a CUDA array that was freed, or never allocated"));
  EXPECT_THAT(device.misuses[1], HasSubstr("cannot free its argument: it was freed before"));
}

TEST_F(TextureTest, AnArrayNeverFreedIsALeak) {
  Array({4, 3, 0});
  NoteLeftovers();
  ASSERT_EQ(device.misuses.size(), 1u);
  EXPECT_THAT(device.misuses[0], HasSubstr("leak: "));
}

TEST_F(TextureTest, ObjectsThatAreNeverDestroyedAreTold) {
  const cudaResourceDesc resource = Of(Array({5, 3, 0}, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(Create(resource), cudaSuccess);
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  NoteLeftovers();
  EXPECT_THAT(device.misuses,
              UnorderedElementsAre(
                  HasSubstr("leak: "),
                  HasSubstr("leaked_handle: the texture object of cudaCreateTextureObject"),
                  HasSubstr("leaked_handle: the surface object of cudaCreateSurfaceObject")));
}

TEST_F(TextureTest, DestroyedObjectsAreNotTold) {
  const cudaArray_t array = Array({5, 3, 0});
  ASSERT_EQ(Create(Of(array)), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  NoteLeftovers();
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(TextureTest, DescribesAnArray) {
  const cudaArray_t array = Array({5, 3, 0}, 0, kByte4);
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeMirror;
  sampling.addressMode[1] = cudaAddressModeBorder;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeNormalizedFloat;
  sampling.normalizedCoords = 1;
  sampling.borderColor[3] = 0.5F;
  ASSERT_EQ(Create(Of(array), sampling), cudaSuccess);
  const TextureDescriptor texture = Descriptor();
  EXPECT_TRUE(IsSound(texture));
  EXPECT_EQ(texture.width, 5u);
  EXPECT_EQ(texture.height, 3u);
  EXPECT_EQ(texture.depth, 0u);
  EXPECT_EQ(texture.pitch, 32u);
  EXPECT_EQ(texture.TexelBytes(), 4u);
  EXPECT_EQ(texture.is_float + texture.is_signed + texture.is_surface, 0u);
  EXPECT_EQ(texture.interpolates, 1u);
  EXPECT_EQ(texture.normalized_coordinates, 1u);
  EXPECT_EQ(texture.normalized_values, 1u);
  EXPECT_THAT(texture.edge,
              ElementsAre(TextureEdge::kMirror, TextureEdge::kBorder, TextureEdge::kWrap));
  EXPECT_EQ(texture.border[3], 0.5F);
  cudaTextureDesc got = {};
  cudaResourceDesc resource = {};
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&got, object), cudaSuccess);
  EXPECT_EQ(got.filterMode, cudaFilterModeLinear);
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&resource, object), cudaSuccess);
  EXPECT_EQ(resource.res.array.array, array);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  EXPECT_THAT(device.misuses, IsEmpty());
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaErrorInvalidValue);
  ASSERT_EQ(device.misuses.size(), 1u);
  EXPECT_THAT(device.misuses[0], HasSubstr("gets an object that was destroyed before"));
}

TEST_F(TextureTest, DescribesLinearAndPitchedMemory) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 1024), cudaSuccess);
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = memory;
  linear.res.linear.desc = kFloat;
  linear.res.linear.sizeInBytes = 1022;
  ASSERT_EQ(Create(linear), cudaSuccess);
  EXPECT_EQ(Descriptor().width, 255u);
  EXPECT_EQ(Descriptor().is_linear_memory, 1u);
  EXPECT_EQ(Descriptor().texels, reinterpret_cast<DeviceAddress>(memory));
  linear.res.linear.sizeInBytes = 1028;
  EXPECT_EQ(Create(linear), cudaErrorInvalidValue) << "ends too soon";
  linear.res.linear.sizeInBytes = 64;
  linear.res.linear.devPtr = static_cast<char*>(memory) + 4;
  EXPECT_EQ(Create(linear), cudaErrorInvalidValue) << "not aligned";
  linear.res.linear.devPtr = &linear;
  EXPECT_EQ(Create(linear), cudaErrorInvalidValue) << "of the host";
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = memory;
  pitched.res.pitch2D.desc = kFloat;
  pitched.res.pitch2D.width = 7;
  pitched.res.pitch2D.height = 32;
  pitched.res.pitch2D.pitchInBytes = 32;
  ASSERT_EQ(Create(pitched), cudaSuccess);
  EXPECT_EQ(Descriptor().pitch, 32u);
  EXPECT_EQ(Descriptor().height, 32u);
  pitched.res.pitch2D.pitchInBytes = 48;
  EXPECT_EQ(Create(pitched), cudaErrorInvalidValue) << "not a multiple of 32";
  pitched.res.pitch2D.pitchInBytes = 32;
  pitched.res.pitch2D.height = 33;
  EXPECT_EQ(Create(pitched), cudaErrorInvalidValue) << "ends too soon";
}

TEST_F(TextureTest, RefusesWhatCannotBeSampled) {
  const cudaResourceDesc integers = Of(Array({4, 4, 0}, 0, kInt));
  cudaTextureDesc sampling = {};
  sampling.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(Create(integers, sampling), cudaErrorInvalidFilterSetting);
  sampling = {};
  sampling.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(Create(integers, sampling), cudaErrorInvalidNormSetting);
  EXPECT_EQ(Create(Of(nullptr)), cudaErrorInvalidValue);
  cudaResourceDesc mipmaps = {};
  mipmaps.resType = cudaResourceTypeMipmappedArray;
  EXPECT_EQ(Create(mipmaps), cudaErrorNotSupported);
  EXPECT_EQ(cudaCreateTextureObject(nullptr, &integers, &sampling, nullptr), cudaErrorInvalidValue);
  EXPECT_THAT(device.unsupported, ElementsAre("cudaCreateTextureObject"));
}

TEST_F(TextureTest, SurfacesNeedTheirFlag) {
  cudaSurfaceObject_t surface = 0;
  const cudaResourceDesc plain = Of(Array({4, 4, 0}));
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &plain), cudaErrorInvalidValue);
  const cudaResourceDesc good = Of(Array({4, 4, 0}, cudaArraySurfaceLoadStore));
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &good), cudaSuccess);
  object = surface;
  EXPECT_EQ(Descriptor().is_surface, 1u);
  cudaResourceDesc resource = {};
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&resource, surface), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(surface), cudaErrorInvalidValue) << "it is no texture";
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
}

TEST_F(TextureTest, LimitsAreAmongTheProperties) {
  cudaDeviceProp p{};
  ASSERT_EQ(Object("kernels").Call("properties", &p), cudaSuccess);
  EXPECT_EQ(p.textureAlignment, 512u);
  EXPECT_EQ(p.texturePitchAlignment, 32u);
  EXPECT_EQ(p.maxTexture1D, 131072);
  EXPECT_EQ(p.maxTexture2D[1], 65536);
  EXPECT_EQ(p.maxTexture2DLinear[2], 2097120);
  EXPECT_EQ(p.maxTexture3D[2], 16384);
  EXPECT_EQ(p.maxSurface2DLayered[2], 2048);
  EXPECT_EQ(p.maxTextureCubemap, 0) << "not offered";
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSurface3DDepth, 0), cudaSuccess);
  EXPECT_EQ(value, 16384);
}

TEST_F(TextureTest, AResetFreesAll) {
  ASSERT_EQ(Create(Of(Array({4, 4, 0}))), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(device.Allocated(), 0u);
}

}  // namespace
}  // namespace warpcheck::cudart
