// Arrays of one call as the judge holds them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <vector>

#include "base/result.h"
#include "base/shared_bytes.h"

namespace warpcheck {

// Row-major extents, the slowest dimension first: {rows, columns}.
using Extents = std::vector<std::size_t>;

struct ByteRange {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

// What a device array holds before the call. Shared by the handle, the calls and their runs.
struct ArrayStart {
  std::type_index type;
  Extents extents;
  SharedBytes bytes;
  bool is_input = false;  // has to be unchanged after the call
  // Of `bytes`: those that mean nothing, which a kernel may not use before it has written them.
  std::vector<ByteRange> unwritten{};
};

// A handle of an array in device memory: const T for inputs.
template <class T>
struct DeviceArray {
  std::shared_ptr<const ArrayStart> start;
};

// An array in the host's memory, copied for the call; what becomes of the copy is not seen.
template <class T>
struct HostArray {
  std::vector<T> values;
};

// An array's elements after a call.
template <class T>
struct Values {
  Extents extents;
  std::vector<T> data;
  // What may explain wrong elements: accesses outside arrays, calls that warpcheck does not offer.
  std::vector<std::string> notes;
  SourceLocation where;                       // of the first note that has one
  std::string hint{};                         // how to mend what the first note says
  std::shared_ptr<const ArrayStart> start{};  // before the call; null where that is not known
  std::vector<SourceLocation> stores{};       // lines that store to global memory, as far as known
};

// For GoogleTest's own messages.
template <class T>
void PrintTo(const Values<T>& values, std::ostream* out) {
  *out << "an array of " << values.data.size() << " elements";
}

std::size_t ElementsOf(const Extents& extents);

// `index` in row-major order as "[row, column]", "[index]" where there is one dimension.
std::string IndexText(const Extents& extents, std::size_t index);

// Whether all bits are set, as those of an array that nothing has written.
bool IsUnset(std::span<const std::byte> bytes);

// The stretches of elements, `size` bytes each, that have all bits set.
std::vector<ByteRange> UnsetElements(std::span<const std::byte> bytes, std::size_t size);

template <class T>
std::vector<std::byte> BytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace warpcheck
