// CopyOf() turns the parameters of a copy into the copy itself. Calls that copy, and nodes of
// graphs, use it.
#pragma once

#include "cudart/graphs/node.h"
#include "cudart/transfer.h"

namespace warpcheck::cudart {

// A copy between memory and a part of a variable of device code.
struct SymbolCopy {
  bool to_symbol = false;
  const void* symbol = nullptr;
  std::size_t offset = 0;  // of the part, in bytes
  const void* memory = nullptr;
  std::size_t bytes = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

// These fail as the calls do: cudaErrorInvalidValue, cudaErrorInvalidPitchValue,
// cudaErrorInvalidSymbol, cudaErrorInvalidMemcpyDirection. `parameters` may be nullptr.
cudaError_t CopyOf(Runtime& runtime, const cudaMemcpy3DParms* parameters, CopyNode* copy);
cudaError_t CopyOf(Runtime& runtime, const SymbolCopy& symbol, CopyNode* copy);

}  // namespace warpcheck::cudart
