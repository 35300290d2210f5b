// The device code inside an object that nvcc made. Layout: the wrapper
// {0x466243B1, version, data, unused}, and at `data` a header followed by entries; no field of
// either is trusted.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace warpcheck::cudart {

// The PTX in the fat binary `bytes` (from its header on) for the highest architecture that is not
// above `architecture` (90 for compute_90), decompressed. Fails where there is none: machine code
// only, only newer architectures, or bytes that are not a fat binary.
Result<std::string> SelectPtx(std::span<const std::byte> bytes, int architecture);

// The bytes of the fat binary that `wrapper` points to, in an object loaded by this process, as
// its header states their number, and at most 256 MiB. Fails on a wrapper or header of another
// kind, such as those of -rdc=true.
Result<std::span<const std::byte>> FatBinaryBytes(const void* wrapper);

// The PTX behind a wrapper of either kind. Of code compiled with -rdc=true only that of a single
// file can be had: linking is nobody's work here.
Result<std::string> PtxBehind(const void* wrapper, int architecture);

}  // namespace warpcheck::cudart
