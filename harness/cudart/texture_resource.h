// From the descriptions of the program to the descriptor of a texture or surface.
#pragma once

#include "cudart/runtime.h"

namespace warpcheck::cudart {

// Where the texels are and what they are. cudaErrorNotSupported for mipmapped arrays and formats
// that warpcheck has not; CUDA's own errors for what is wrong.
cudaError_t ReadResource(Runtime& runtime, const cudaResourceDesc& resource,
                         TextureDescriptor* texture);

// How they are sampled; after ReadResource. cudaErrorNotSupported for sRGB.
cudaError_t ReadSampling(const cudaTextureDesc& sampling, TextureDescriptor* texture);

}  // namespace warpcheck::cudart
