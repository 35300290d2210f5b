// This program rotates a picture about its centre through a texture: with the nearest texel, with
// interpolation, and beyond the border.
#include "check.h"

__global__ void Rotate(cudaTextureObject_t picture, float* out, int width, int height, float cosine,
                       float sine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = __fadd_rn(float(x) + 0.5f, -0.5f * width);
  const float v = __fadd_rn(float(y) + 0.5f, -0.5f * height);
  const float from_x =
      __fadd_rn(__fadd_rn(__fmul_rn(u, cosine), -__fmul_rn(v, sine)), 0.5f * width);
  const float from_y =
      __fadd_rn(__fadd_rn(__fmul_rn(v, cosine), __fmul_rn(u, sine)), 0.5f * height);
  out[y * width + x] = tex2D<float>(picture, from_x, from_y);
}

int main() {
  const int width = 64, height = 48;
  std::vector<float> picture(width * height);
  for (int i = 0; i < width * height; ++i) picture[i] = float((i % width) * 3 + (i / width) * 7);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, picture.data(), width * sizeof(float),
                            width * sizeof(float), height, cudaMemcpyHostToDevice));
  const Array<float> out(picture.size());
  for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    for (const cudaTextureAddressMode border : {cudaAddressModeClamp, cudaAddressModeBorder}) {
      const cudaTextureObject_t texture = TextureOf(array, border, filter);
      Rotate<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(texture, out.data(), width, height,
                                                              0.8f, 0.6f);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      CHECK(cudaDestroyTextureObject(texture));
      const std::vector<float> turned = out.Get();
      std::printf("filter %d, border %d, middle %.6f\n", int(filter), int(border),
                  turned[height / 2 * width + width / 2]);
      Show("turned", turned);
    }
  }
  CHECK(cudaFreeArray(array));
  return 0;
}
