#include "cudart/tables/memory_pools.h"

#include <algorithm>

namespace warpcheck::cudart {

namespace {

constexpr std::uint64_t kUnit = std::uint64_t{2} << 20;  // a pool grows by this many bytes
constexpr std::uint64_t kDefaultHandle = 0x100;

}  // namespace

std::uint64_t MemoryPool::Reserved() const { return (used + kUnit - 1) / kUnit * kUnit; }

cudaMemPool_t MemoryPools::Default() { return reinterpret_cast<cudaMemPool_t>(kDefaultHandle); }

void MemoryPools::Clear() {
  pools_.clear();
  pieces_.clear();
  pools_[Default()] = {};
  current_ = Default();
  next_ = std::max(next_, kDefaultHandle);
}

cudaMemPool_t MemoryPools::Create() {
  const auto handle = reinterpret_cast<cudaMemPool_t>(next_ += 16);
  pools_[handle] = {};
  return handle;
}

bool MemoryPools::Destroy(cudaMemPool_t pool) {
  if (pool == Default() || pools_.erase(pool) == 0) return false;
  if (current_ == pool) current_ = Default();
  return true;
}

MemoryPool* MemoryPools::Find(cudaMemPool_t pool) {
  const auto found = pools_.find(pool);
  return found == pools_.end() ? nullptr : &found->second;
}

void MemoryPools::Allocated(cudaMemPool_t pool, const void* pointer, std::size_t bytes) {
  MemoryPool* const from = Find(pool);
  if (from == nullptr || pointer == nullptr) return;
  pieces_[pointer] = {pool, bytes};
  from->used += bytes;
  from->most_used = std::max(from->most_used, from->used);
  from->most_reserved = std::max(from->most_reserved, from->Reserved());
}

void MemoryPools::Freed(const void* pointer) {
  const auto found = pieces_.find(pointer);
  if (found == pieces_.end()) return;
  if (MemoryPool* const pool = Find(found->second.pool)) pool->used -= found->second.bytes;
  pieces_.erase(found);
}

}  // namespace warpcheck::cudart
