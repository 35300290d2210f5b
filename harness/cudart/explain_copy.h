// Why a copy or a fill was refused, in words.
#pragma once

#include <string>

#include "cudart/transfer.h"

namespace warpcheck::cudart {

// One side of it: `bytes` from `pointer` on, which are to be on `side`.
struct CopySide {
  std::string_view name;  // "destination", "source"
  const void* pointer = nullptr;
  std::uint64_t bytes = 0;
  Side side = Side::kEither;
};

// "the destination is host memory, where cudaMemcpyHostToDevice wants memory of the device"; empty
// where that side is as it should be.
std::string WhyWrong(Runtime& runtime, const CopySide& side, std::string_view kind);

// The name in the language, "cudaMemcpyHostToDevice"; "kind 9" for no such kind.
std::string NameOf(cudaMemcpyKind kind);

}  // namespace warpcheck::cudart
