#include "cudart/saved_bytes.h"

#include <memory>
#include <utility>

namespace warpcheck::cudart {

SavedBytes::SavedBytes(std::byte* host, const Strides& strides, const Extent3& extent)
    : host_(host), strides_(strides), extent_(extent), old_(extent.Bytes()) {
  MoveBox(old_.data(), Packed(extent), host, strides, extent);
}

order::LateWrite SavedBytes::TakeNew() {
  std::vector<std::byte> now(old_.size());
  MoveBox(now.data(), Packed(extent_), host_, strides_, extent_);
  MoveBox(host_, strides_, old_.data(), Packed(extent_), extent_);
  return {.host = host_,
          .strides = strides_,
          .extent = extent_,
          .bytes = std::make_shared<const std::vector<std::byte>>(std::move(now))};
}

}  // namespace warpcheck::cudart
