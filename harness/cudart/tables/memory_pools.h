// MemoryPools keeps what a program asks and sets of memory pools. Pools have no memory here: freed
// memory goes back to the device at once, which CUDA allows at any time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>

namespace warpcheck::cudart {

struct MemoryPool {
  // The settings that say when memory may be reused early, by cudaMemPoolAttr. They are stored and
  // have no effect.
  std::map<cudaMemPoolAttr, int> reuse{{cudaMemPoolReuseFollowEventDependencies, 1},
                                       {cudaMemPoolReuseAllowOpportunistic, 1},
                                       {cudaMemPoolReuseAllowInternalDependencies, 1}};
  std::uint64_t release_threshold = 0;  // stored without effect
  std::uint64_t used = 0;               // the allocated bytes
  std::uint64_t most_used = 0;          // the peak since it was last reset
  std::uint64_t most_reserved = 0;      // the peak of Reserved() since it was last reset

  // Returns how many bytes of the device the pool has, in whole units.
  std::uint64_t Reserved() const;
};

class MemoryPools {
 public:
  MemoryPools() { Clear(); }
  void Clear();

  static cudaMemPool_t Default();
  cudaMemPool_t Create();
  // Returns false if there is no such pool, or if it is the default pool. Allocations from a
  // destroyed pool stay.
  bool Destroy(cudaMemPool_t pool);
  MemoryPool* Find(cudaMemPool_t pool);  // nullptr if there is no such pool

  // Returns the pool from which cudaMallocAsync allocates.
  cudaMemPool_t current() const { return current_; }
  void set_current(cudaMemPool_t pool) { current_ = pool; }

  void Allocated(cudaMemPool_t pool, const void* pointer, std::size_t bytes);
  void Freed(const void* pointer);  // may be called for any memory
  // Returns true if the memory that begins at `pointer` is of a pool.
  bool Holds(const void* pointer) const { return pieces_.contains(pointer); }

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
