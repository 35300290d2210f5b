// Memory pools: what a program asks and sets of them. They keep no memory: what is freed is given
// back, which CUDA allows at any time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>

namespace warpcheck::cudart {

struct MemoryPool {
  // Whether memory may be used again early, by cudaMemPoolAttr: kept, and without effect.
  std::map<cudaMemPoolAttr, int> reuse{{cudaMemPoolReuseFollowEventDependencies, 1},
                                       {cudaMemPoolReuseAllowOpportunistic, 1},
                                       {cudaMemPoolReuseAllowInternalDependencies, 1}};
  std::uint64_t release_threshold = 0;  // the same
  std::uint64_t used = 0;               // bytes that are allocated
  std::uint64_t most_used = 0;          // since that was set to 0 last
  std::uint64_t most_reserved = 0;      // the same

  // Bytes that it has of the device: whole units.
  std::uint64_t Reserved() const;
};

class MemoryPools {
 public:
  MemoryPools() { Clear(); }
  void Clear();

  static cudaMemPool_t Default();
  cudaMemPool_t Create();
  // False where there is no such pool. The default pool cannot be destroyed. What is allocated of
  // one that is destroyed stays.
  bool Destroy(cudaMemPool_t pool);
  MemoryPool* Find(cudaMemPool_t pool);  // nullptr where there is none

  // The one that cudaMallocAsync takes memory of.
  cudaMemPool_t current() const { return current_; }
  void set_current(cudaMemPool_t pool) { current_ = pool; }

  void Allocated(cudaMemPool_t pool, const void* pointer, std::size_t bytes);
  void Freed(const void* pointer);  // of any memory

 private:
  struct Piece {
    cudaMemPool_t pool = nullptr;
    std::size_t bytes = 0;
  };

  std::map<cudaMemPool_t, MemoryPool> pools_;
  std::map<const void*, Piece> pieces_;
  cudaMemPool_t current_ = nullptr;
  std::uint64_t next_ = 0;
};

}  // namespace warpcheck::cudart
