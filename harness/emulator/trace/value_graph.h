// A ValueGraph says how values were made: each node is a value that one instruction made from
// others. For c = a[0] * b[0] + a[1] * b[1]:
//
//     fma ── mul ── a[0]            a read is a leaf
//      │      └──── b[0]
//      ├──── a[1]
//      └──── b[1]
//
// Numbers for which no memory was read, such as indices, are all one node. So the graph has the
// data of a program alone, and stays small.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source_location.h"
#include "device/types.h"
#include "ptx/opcode.h"
#include "ptx/types.h"

namespace warpcheck::emulator {

using ValueId = std::uint32_t;
inline constexpr ValueId kUnknownValue = 0;  // it was made in a way that is not followed
inline constexpr ValueId kNumberValue = 1;   // it was made from constants, parameters and indices

// An instruction that made values.
struct ValueMaker {
  ptx::Opcode opcode = {};
  ptx::Atomic atomic = ptx::Atomic::kNone;  // what an atomic does
  SourceLocation where{};
};

// An array of global or constant memory that was read.
struct ReadArray {
  DeviceAddress begin = 0;
  std::string name{};               // empty if it has no name
  std::uint32_t element_bytes = 0;  // 0 if it is not known
  std::vector<std::uint64_t> extents{};
  std::vector<std::byte> bytes{};  // as they were at the first read; empty if there are too many
};

class ValueGraph {
 public:
  static constexpr std::size_t kMostSources = 3;
  using Sources = std::array<ValueId, kMostSources>;

  struct Node {
    std::uint32_t maker = 0;  // an index into makers; kRead if it was read from an array
    Sources from{};           // its sources; those that are not used are kNumberValue
  };
  static constexpr std::uint32_t kRead = ~std::uint32_t{0};

  // A Read says where a node with kRead was read.
  struct Read {
    std::uint32_t array = 0;   // an index into arrays
    std::uint32_t offset = 0;  // in bytes
    std::uint32_t bytes = 0;
  };

  explicit ValueGraph(std::size_t most_nodes) : most_nodes_(most_nodes), nodes_(2) {}

  // Both return kUnknownValue once there are too many nodes.
  ValueId Add(std::uint32_t maker, const Sources& from);
  ValueId AddRead(const Read& read) { return Add(kRead, {read.array, read.offset, read.bytes}); }

  // Returns true if nodes are missing.
  bool full() const { return nodes_.size() >= most_nodes_; }
  bool IsRead(ValueId value) const { return nodes_[value].maker == kRead; }
  Read ReadOf(ValueId value) const {
    const Sources& from = nodes_[value].from;
    return {.array = from[0], .offset = from[1], .bytes = from[2]};
  }
  // `value` must be made by an instruction.
  const ValueMaker& MakerOf(ValueId value) const { return makers[nodes_[value].maker]; }
  const Sources& SourcesOf(ValueId value) const { return nodes_[value].from; }

  std::vector<ValueMaker> makers;
  std::vector<ReadArray> arrays;

 private:
  std::size_t most_nodes_;
  std::vector<Node> nodes_;  // the first two stand for kUnknownValue and kNumberValue
};

}  // namespace warpcheck::emulator
