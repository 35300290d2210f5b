#include "cudart/channel_format.h"

#include <algorithm>
#include <array>

namespace warpcheck::cudart {

cudaError_t ReadFormat(const cudaChannelFormatDesc& format, TextureDescriptor* texture) {
  const bool known = format.f == cudaChannelFormatKindSigned ||
                     format.f == cudaChannelFormatKindUnsigned ||
                     format.f == cudaChannelFormatKindFloat;
  if (!known) {
    return format.f == cudaChannelFormatKindNone ? cudaErrorInvalidChannelDescriptor
                                                 : cudaErrorNotSupported;
  }
  const std::array<int, 4> bits = {format.x, format.y, format.z, format.w};
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const int width = bits[0];
  const bool fits = width == 32 || width == 16 || (width == 8 && !is_float);
  const auto* const end = std::find_if(bits.begin(), bits.end(), [&](int b) { return b != width; });
  const bool rest_is_empty = std::all_of(end, bits.end(), [](int b) { return b == 0; });
  const auto channels = static_cast<std::uint32_t>(end - bits.begin());
  if (!fits || !rest_is_empty || channels == 3) return cudaErrorInvalidChannelDescriptor;
  texture->channels = channels;
  texture->channel_bytes = static_cast<std::uint32_t>(width) / 8;
  texture->is_float = is_float ? 1 : 0;
  texture->is_signed = format.f == cudaChannelFormatKindSigned ? 1 : 0;
  return cudaSuccess;
}

}  // namespace warpcheck::cudart
