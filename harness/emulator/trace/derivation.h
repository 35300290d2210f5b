// A Derivation says what a value was made of, as much as a sentence tells: "a sum of 16 products of
// a[5][0..15] and b[0..15][7]".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "emulator/trace/value_graph.h"

namespace warpcheck::emulator {

struct Derivation {
  enum class Form : std::uint8_t {
    kPlain,     // no memory was read for it
    kElement,   // it is one element, moved
    kSum,       // it is made of terms by sums and differences
    kComputed,  // it is made in another way
  };
  Form form = Form::kPlain;
  bool is_converted = false;    // for kElement: true if its type changed on the way
  std::uint64_t terms = 0;      // for kSum: the terms for which memory was read
  bool has_difference = false;  // true if a term is subtracted from others
  bool is_sum_of_products =
      false;  // true if each of them is a product of two values that were read
  bool is_sum_of_elements = false;  // true if each of them is one element
  // The offsets of the elements, in bytes, by the index of their array in the graph.
  std::map<std::uint32_t, std::set<std::uint32_t>> elements{};
  std::uint32_t element_bytes = 0;  // the width of the last element that was read
};

// Returns nothing if a part of the value is not known, or if it is made of too much to tell.
std::optional<Derivation> DerivationOf(const ValueGraph& graph, ValueId value);

// Returns what the value is in words, which follow "it is": "in[236]", "a sum of 16 products of
// a[5][0..15] and b[0..15][7]".
std::string Text(const ValueGraph& graph, const Derivation& derivation);

// Returns the name of an element, such as "c[5][7]".
std::string ElementName(const ReadArray& array, std::uint64_t element);

}  // namespace warpcheck::emulator
