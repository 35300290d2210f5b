// Finds PTX in the device code of an object that nvcc made. A wrapper {0x466243B1, version, data,
// unused} points to a header, and entries follow the header. No field is trusted.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace warpcheck::cudart {

// Returns the PTX in the fat binary `bytes`, which begins with its header, for the highest
// architecture that is not above `architecture` (90 for compute_90). Decompresses the PTX. Fails if
// there is only machine code, or only PTX of newer architectures, or if the bytes are no fat
// binary.
Result<std::string> SelectPtx(std::span<const std::byte> bytes, int architecture);

// Returns the bytes of the fat binary that `wrapper` points to in an object of this process. The
// header says how many bytes there are, at most 256 MiB. Fails for a wrapper or header of another
// kind, such as one of -rdc=true.
Result<std::span<const std::byte>> FatBinaryBytes(const void* wrapper);

// Returns the PTX that a wrapper of either kind points to. For code compiled with -rdc=true, only
// the PTX of a single file is available, because nothing links it here.
Result<std::string> PtxBehind(const void* wrapper, int architecture);

}  // namespace warpcheck::cudart
