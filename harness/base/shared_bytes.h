// SharedBytes is a sequence of bytes that never change; copies share them.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace warpcheck {

class SharedBytes {
 public:
  SharedBytes() = default;
  // Takes ownership of the bytes.
  SharedBytes(std::vector<std::byte> bytes) : SharedBytes(Of(std::move(bytes))) {}
  // Makes a view of `size` bytes at `first`, which the shared pointer keeps alive.
  SharedBytes(std::shared_ptr<const std::byte> first, std::size_t size)
      : first_(std::move(first)), size_(size) {}

  // Takes ownership of the values; the sequence is their bytes in memory.
  template <class T>
  static SharedBytes Of(std::vector<T> values) {
    const std::size_t size = values.size() * sizeof(T);
    const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
    return {{kept, reinterpret_cast<const std::byte*>(kept->data())}, size};
  }

  const std::byte* data() const { return first_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::byte* begin() const { return data(); }
  const std::byte* end() const { return data() + size_; }

  friend bool operator==(const SharedBytes& a, const SharedBytes& b) {
    return a.size_ == b.size_ &&
           (a.data() == b.data() || a.empty() || std::memcmp(a.data(), b.data(), a.size_) == 0);
  }

 private:
  std::shared_ptr<const std::byte> first_;
  std::size_t size_ = 0;
};

}  // namespace warpcheck
