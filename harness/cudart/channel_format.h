// What cudaChannelFormatDesc says, as devices have it.
#pragma once

#include <cuda_runtime_api.h>

#include "device/texture_descriptor.h"

namespace warpcheck::cudart {

// Sets the channels of `texture`. cudaErrorInvalidChannelDescriptor for a format that CUDA has not;
// cudaErrorNotSupported for one that warpcheck has not: video, compressed.
cudaError_t ReadFormat(const cudaChannelFormatDesc& format, TextureDescriptor* texture);

}  // namespace warpcheck::cudart
