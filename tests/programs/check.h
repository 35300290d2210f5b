// The programs share these functions: errors end a program, and results are printed so that two
// runs can be compared byte by byte.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                          \
  do {                                                                       \
    const cudaError_t check_error = (call);                                  \
    if (check_error != cudaSuccess) {                                        \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(check_error)); \
      std::exit(3);                                                          \
    }                                                                        \
  } while (false)

// Returns the FNV-1a hash of the bytes.
template <class T>
std::uint64_t Checksum(const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) {
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  }
  return hash;
}

template <class T>
void Show(const char* name, const std::vector<T>& values) {
  std::printf("%s: %zu values, checksum %016llx\n", name, values.size(),
              static_cast<unsigned long long>(Checksum(values)));
}

// Returns pseudo-random numbers that are equal on every device (a linear congruential generator).
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : state_(seed) {}
  std::uint32_t Next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  float NextFloat() { return static_cast<float>(Next() % 2048) / 1024.0f - 1.0f; }

 private:
  std::uint32_t state_;
};

// Owns device memory, which its destructor frees.
template <class T>
class Array {
 public:
  explicit Array(std::size_t size) : size_(size) { CHECK(cudaMalloc(&data_, size * sizeof(T))); }
  explicit Array(const std::vector<T>& values) : Array(values.size()) { Set(values); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { CHECK(cudaFree(data_)); }

  T* data() const { return data_; }
  void Set(const std::vector<T>& values) {
    CHECK(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  void Zero() { CHECK(cudaMemset(data_, 0, size_ * sizeof(T))); }
  std::vector<T> Get() const {
    std::vector<T> values(size_);
    CHECK(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// Makes a texture that reads the elements of a two-dimensional array unchanged. The caller destroys
// it.
inline cudaTextureObject_t TextureOf(cudaArray_t array, cudaTextureAddressMode edge,
                                     cudaTextureFilterMode filter, bool normalised = false) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = edge;
  description.filterMode = filter;
  description.readMode = cudaReadModeElementType;
  description.normalizedCoords = normalised;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}
