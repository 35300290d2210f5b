// score: 100
// The text is a texture of int4 over its linear memory, if it begins where textures may begin; else
// it is copied first. A texture has room for 2^27 vectors, so that longer texts come in parts. The
// table of runs has four rows in constant memory, that of mixed letters is in dynamic shared
// memory.
#include "cipher.h"

struct Letters {
  cudaTextureObject_t vectors;
  const int* plain;
  int n;
};

__constant__ int quarters[4][kMostLetters / 4];

struct Constant {
  __device__ void fill(const int*, int) {}
  __device__ int operator()(int letter) const {
    return quarters[letter / (kMostLetters / 4)][letter % (kMostLetters / 4)];
  }
};

extern __shared__ int dynamic[];
struct Dynamic {
  __device__ void fill(const int* table, int letters) {
    for (int i = threadIdx.x; i < letters; i += blockDim.x) dynamic[i] = table[i];
    __syncthreads();
  }
  __device__ int operator()(int letter) const { return dynamic[letter]; }
};

template <class Table>
__global__ void fetch_and_replace(Letters text, const int* table, int* out, int letters) {
  Table lookup;
  lookup.fill(table, letters);
  const int quads = text.n / 4;
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += gridDim.x * blockDim.x) {
    const int4 four = tex1Dfetch<int4>(text.vectors, q);
    const int4 result = {lookup(four.x), lookup(four.y), lookup(four.z), lookup(four.w)};
    __stcs(reinterpret_cast<int4*>(out) + q, result);
  }
  const int rest = 4 * quads + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1 && rest < text.n) out[rest] = lookup(text.plain[rest]);
}

static void substitute_part(const int* text, const int* table, int* out, int n, int letters,
                            int run) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int* copy = nullptr;
  if (reinterpret_cast<size_t>(text) % properties.textureAlignment != 0) {
    cudaMalloc(&copy, sizeof(int) * n);
    cudaMemcpy(copy, text, sizeof(int) * n, cudaMemcpyDeviceToDevice);
    text = copy;
  }
  Letters all{0, text, n};
  if (n >= 4) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<int*>(text);
    resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindSigned);
    resource.res.linear.sizeInBytes = n / 4 * sizeof(int4);
    cudaTextureDesc sampling{};
    sampling.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&all.vectors, &resource, &sampling, nullptr);
  }
  const int blocks = n / 3072 + 1;
  if (run >= 128) {
    cudaMemcpyToSymbol(quarters, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
    fetch_and_replace<Constant><<<blocks, 192>>>(all, table, out, letters);
  } else {
    fetch_and_replace<Dynamic><<<blocks, 192, letters * sizeof(int)>>>(all, table, out, letters);
  }
  cudaDeviceSynchronize();
  if (all.vectors != 0) cudaDestroyTextureObject(all.vectors);
  cudaFree(copy);
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  constexpr int kPart = 1 << 28;
  for (; n > kPart; n -= kPart, text += kPart, out += kPart) {
    substitute_part(text, table, out, kPart, letters, run);
  }
  substitute_part(text, table, out, n, letters, run);
}
