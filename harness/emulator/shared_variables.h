// Where the __shared__ variables of a kernel lie, and which of them an access may mean.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "emulator/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// Bytes [begin, end) of a block's shared memory.
struct SharedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = ~std::uint64_t{0};  // that of the block's shared memory

  bool Contains(const SharedRange& other) const { return other.begin >= begin && other.end <= end; }
  friend bool operator==(const SharedRange&, const SharedRange&) = default;
};

struct SharedVariable {
  ptx::SymbolId symbol = 0;
  std::string name;  // as in the source, without its function's
  SharedRange range;
  bool is_dynamic = false;  // extern __shared__: its end is the block's
};

struct SharedLayout {
  std::vector<SharedVariable> variables;  // static ones in the order of their addresses
  std::uint64_t static_bytes = 0;         // dynamic shared memory begins there
};

// Of the variables among `symbols`: one after the other, each at a multiple of its alignment.
SharedLayout LayOutShared(const ptx::Module& module, const std::set<ptx::SymbolId>& symbols);

// The registers of a function that hold addresses of shared variables, as far as its code tells:
// a variable's address is followed through sums, conversions and choices. Not through memory or
// calls.
class SharedOrigins {
 public:
  explicit SharedOrigins(const ptx::Module& module) : module_(module) {}

  // False where it takes more work than is left.
  bool Find(const ptx::Function& function, Preparation& preparation);

  // The variables that an address in `reg` may be of; none where the code does not tell.
  const std::vector<ptx::SymbolId>& Of(ptx::RegisterId reg) const;

 private:
  struct Origin {
    // kUnset: no instruction has written it yet. kValue: a number, or an address from elsewhere.
    // kAnything: an address that may be of any variable.
    enum class Kind : std::uint8_t { kUnset, kValue, kVariables, kAnything };
    Kind kind = Kind::kUnset;
    std::vector<ptx::SymbolId> variables;  // sorted

    friend bool operator==(const Origin&, const Origin&) = default;
  };

  static Origin Either(const Origin& a, const Origin& b);
  static Origin Sum(const Origin& a, const Origin& b);
  Origin OfOperand(const ptx::Operand& operand) const;
  Origin OfResult(const ptx::Instruction& instruction) const;
  Origin OfOther(const ptx::Instruction& instruction) const;
  bool Visit(const ptx::Instruction& instruction);

  const ptx::Module& module_;
  std::vector<Origin> registers_;
};

// "just past the end of the shared variable tile (512 bytes), where sums lies": of bytes
// [begin, begin + bytes) of shared memory, which reach beyond `allowed`, a stretch from the
// beginning of one of `variables` to the end of one. `block_bytes`: of the block's shared memory.
std::string DescribeShared(const std::vector<SharedVariable>& variables, const SharedRange& allowed,
                           std::uint64_t begin, std::uint64_t bytes, std::uint64_t block_bytes);

}  // namespace warpcheck::emulator
