// Places the __shared__ variables of a kernel, and describes accesses outside of them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::emulator {

// A range of bytes, [begin, end), of a block's shared memory.
struct SharedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = ~std::uint64_t{0};  // by default, the end of the block's shared memory

  bool Contains(const SharedRange& other) const { return other.begin >= begin && other.end <= end; }
  friend bool operator==(const SharedRange&, const SharedRange&) = default;
};

struct SharedVariable {
  ptx::SymbolId symbol = 0;
  std::string name;  // the name in the source, without the name of its function
  SharedRange range;
  // True for extern __shared__, which extends to the end of the block's shared memory.
  bool is_dynamic = false;
};

struct SharedLayout {
  std::vector<SharedVariable> variables;  // static variables, in the order of their addresses
  std::uint64_t static_bytes = 0;         // the offset of dynamic shared memory
};

// Places the variables among `symbols` one after the other, each at a multiple of its alignment.
SharedLayout LayOutShared(const ptx::Module& module, const std::set<ptx::SymbolId>& symbols);

// Describes where the bytes [begin, begin + bytes) of shared memory lie, which extend beyond
// `allowed`: "just past the end of the shared variable tile (512 bytes), where sums lies".
// `allowed` extends from the start of one of `variables` to the end of one. `begin` is negative
// before the first variable. `block_bytes` is the size of the block's shared memory.
std::string DescribeShared(const std::vector<SharedVariable>& variables, const SharedRange& allowed,
                           std::int64_t begin, std::uint64_t bytes, std::uint64_t block_bytes);

}  // namespace warpcheck::emulator
