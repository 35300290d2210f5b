// This file describes the arrays of a call, as the judge has them.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/shared_bytes.h"
#include "device/finding.h"
#include "device/types.h"
#include "remote/call.h"

namespace warpcheck {

// The extents in row-major order, the slowest dimension first: {rows, columns}.
using Extents = std::vector<std::size_t>;
Extents ExtentsOf(std::integral auto... extents) { return {static_cast<std::size_t>(extents)...}; }

struct ByteRange {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

// An array in device memory before a call. The handle, the plans and their trials share it.
struct ArrayStart {
  std::type_index type;
  Extents extents;
  SharedBytes bytes;
  bool is_input = false;  // true if it must be unchanged after the call
  // The ranges of `bytes` that count as never written. A kernel must write them before it reads
  // them.
  std::vector<ByteRange> unwritten{};
};

// A DeviceArray is a handle of an array in device memory. T is const for inputs.
template <class T>
struct DeviceArray {
  std::shared_ptr<const ArrayStart> start;
};

// An array in host memory. The call gets a copy of it. If the parameter is no pointer to const,
// Trial::HostOutput returns what the call left there.
template <class T>
struct HostArray {
  std::vector<T> values;
  remote::HostArray::Memory memory = remote::HostArray::Memory::kPageable;
};

// Returns an array in pinned memory, as cudaHostAlloc gives it.
template <class T>
HostArray<T> Pinned(std::vector<T> values) {
  return {std::move(values), remote::HostArray::Memory::kPinned};
}

// Returns an array in managed memory, which kernels may use too.
template <class T>
HostArray<T> Managed(std::vector<T> values) {
  return {std::move(values), remote::HostArray::Memory::kManaged};
}

// The grid of a launch, and the line of <<<>>> if it is known.
struct LaunchedGrid {
  Dim3 grid;
  Dim3 block;
  SourceLocation where;

  friend bool operator==(const LaunchedGrid&, const LaunchedGrid&) = default;
};

// An Explanation has the findings of a call that may explain wrong elements.
struct Explanation {
  struct Note {
    FindingKind kind = FindingKind::kOutOfBoundsWrite;
    SourceLocation where{};
    std::string message{};

    // Returns the message after its place.
    std::string Text() const { return where.known() ? where.Text() + ": " + message : message; }
  };

  // The findings from which wrong elements follow: accesses outside arrays, and calls that
  // warpcheck does not offer.
  std::vector<Note> notes{};
  // If there are none: what may be meant, such as a read of constant memory that no copy has
  // written.
  std::string doubt{};
  SourceLocation where{};  // the line of the first note that has a line, or of the doubt
  std::string hint{};      // how to correct the mistake of the first note, or the doubt
  std::string function{};  // the runtime function that the hint blames, as in Finding::call
};

// Values are the elements of an array after a call.
template <class T>
struct Values {
  Extents extents;
  std::vector<T> data;
  Explanation cause{};
  std::shared_ptr<const ArrayStart> start{};  // the array before the call; may be null
  std::vector<SourceLocation> stores{};       // the lines that store to global memory, if known
  std::vector<LaunchedGrid> grids{};          // the launches of the call, each once
  std::string name{};                         // the name of the parameter; empty if unknown
  std::size_t call = 1;                       // the number of the call in its process, from 1
  DeviceAddress address = 0;  // where the array lay in device memory; 0 if it is not known
};

// GoogleTest prints this text for an array.
template <class T>
void PrintTo(const Values<T>& values, std::ostream* out) {
  *out << "an array of " << values.data.size() << " elements";
}

// Returns the number of elements, the product of the extents.
std::size_t ElementsOf(const Extents& extents);

// Returns the position of element `index` in row-major order: "[row, column]", or "[index]" for one
// dimension.
std::string IndexText(const Extents& extents, std::size_t index);

// Returns whether all bits are set, as in an array to which nothing was written.
bool IsUnset(std::span<const std::byte> bytes);

// Returns the ranges of elements, of `size` bytes each, that have all bits set.
std::vector<ByteRange> UnsetElements(std::span<const std::byte> bytes, std::size_t size);

template <class T>
std::vector<std::byte> BytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace warpcheck
