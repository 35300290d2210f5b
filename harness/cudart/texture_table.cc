#include "cudart/texture_table.h"

namespace warpcheck::cudart {

cudaArray_t TextureTable::Add(const Array& array) {
  const auto handle = reinterpret_cast<cudaArray_t>(next_ += 16);
  arrays_[handle] = array;
  return handle;
}

const Array* TextureTable::Find(cudaArray_const_t array) const {
  const auto found = arrays_.find(array);
  return found == arrays_.end() ? nullptr : &found->second;
}

const TextureObject* TextureTable::Find(Handle handle, bool surface) const {
  const auto found = objects_.find(handle);
  return found == objects_.end() || found->second.is_surface != surface ? nullptr : &found->second;
}

void TextureTable::Remove(Handle handle) {
  objects_.erase(handle);
  destroyed_.insert(handle);
}

}  // namespace warpcheck::cudart
