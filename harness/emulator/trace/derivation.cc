#include "emulator/trace/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

constexpr std::size_t kMostVisited = 1'000'000;
constexpr std::size_t kMostListed = 4;  // elements that are named one by one

class Walk {
 public:
  Walk(const ValueGraph& graph, Derivation& derivation) : graph_(graph), derivation_(derivation) {}

  // Both return false if a part of the value is not known.
  bool Whole(ValueId root) {
    std::vector<ValueId> open = {root};
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (value == kNumberValue || !visited_.insert(value).second) continue;
      if (value == kUnknownValue || visited_.size() > kMostVisited) return false;
      if (graph_.IsRead(value)) {
        const ValueGraph::Read read = graph_.ReadOf(value);
        derivation_.elements[read.array].insert(read.offset);
        derivation_.element_bytes = read.bytes;
      } else {
        const auto& from = graph_.SourcesOf(value);
        open.insert(open.end(), from.begin(), from.end());
      }
    }
    return true;
  }

  // Counts the terms of a sum. A value that is no sum is one term.
  bool Terms(ValueId root) {
    std::vector<ValueId> open = {root};
    derivation_.is_sum_of_products = derivation_.is_sum_of_elements = true;
    for (std::size_t visited = 0; !open.empty(); ++visited) {
      if (visited > kMostVisited) return false;
      const ValueId value = open.back();
      open.pop_back();
      if (value == kNumberValue) continue;
      if (value == kUnknownValue) return false;
      if (IsSum(value)) {
        const auto& from = graph_.SourcesOf(value);
        if (!IsProductAndSum(value)) {
          derivation_.has_difference = derivation_.has_difference || IsOf(value, {Opcode::kSub});
          open.insert(open.end(), from.begin(), from.end());
          continue;
        }
        AddTerm(IsRead(from[0]) && IsRead(from[1]), false);
        open.push_back(from[2]);
      } else {
        AddTerm(IsProduct(value), graph_.IsRead(value));
      }
    }
    return true;
  }

 private:
  bool IsRead(ValueId value) const { return value != kNumberValue && value != kUnknownValue; }
  bool IsOf(ValueId value, std::initializer_list<Opcode> opcodes) const {
    if (value == kNumberValue || graph_.IsRead(value)) return false;
    return std::ranges::find(opcodes, graph_.MakerOf(value).opcode) != opcodes.end();
  }
  bool IsProductAndSum(ValueId value) const {
    if (!IsOf(value, {Opcode::kFma, Opcode::kMad})) return false;
    const auto& from = graph_.SourcesOf(value);
    return from[0] != kNumberValue || from[1] != kNumberValue;
  }
  bool IsSum(ValueId value) const {
    if (IsOf(value, {Opcode::kAtom, Opcode::kRed})) {
      return graph_.MakerOf(value).atomic == ptx::Atomic::kAdd;
    }
    return IsOf(value, {Opcode::kAdd, Opcode::kSub, Opcode::kFma, Opcode::kMad});
  }
  bool IsProduct(ValueId value) const {
    if (!IsOf(value, {Opcode::kMul})) return false;
    const auto& from = graph_.SourcesOf(value);
    return IsRead(from[0]) && IsRead(from[1]);
  }
  void AddTerm(bool is_product, bool is_element) {
    ++derivation_.terms;
    derivation_.is_sum_of_products = derivation_.is_sum_of_products && is_product;
    derivation_.is_sum_of_elements = derivation_.is_sum_of_elements && is_element;
  }

  const ValueGraph& graph_;
  Derivation& derivation_;
  std::unordered_set<ValueId> visited_;
};

std::uint32_t ElementBytes(const ReadArray& array, std::uint32_t access) {
  return array.element_bytes != 0 ? array.element_bytes : std::max(access, 1U);
}

// Returns the indices of an element, the slowest dimension first.
std::vector<std::uint64_t> IndicesOf(const ReadArray& array, std::uint64_t element) {
  std::vector<std::uint64_t> indices(std::max<std::size_t>(array.extents.size(), 1));
  for (std::size_t i = indices.size(); i-- > 1;) {
    const std::uint64_t extent = std::max<std::uint64_t>(array.extents[i], 1);
    indices[i] = element % extent;
    element /= extent;
  }
  indices[0] = element;
  return indices;
}

// Returns elements that fill a box, such as "a[5][0..15]"; empty if they fill none.
std::string BoxText(const ReadArray& array, const std::vector<std::uint64_t>& elements) {
  std::vector<std::set<std::uint64_t>> sides(std::max<std::size_t>(array.extents.size(), 1));
  for (const std::uint64_t element : elements) {
    const auto indices = IndicesOf(array, element);
    for (std::size_t i = 0; i < indices.size(); ++i) sides[i].insert(indices[i]);
  }
  std::string text = array.name;
  std::uint64_t size = 1;
  for (const auto& side : sides) {
    const std::uint64_t first = *side.begin();
    const std::uint64_t last = *side.rbegin();
    if (last - first + 1 != side.size()) return {};
    size *= side.size();
    text += first == last ? fmt::format("[{}]", first) : fmt::format("[{}..{}]", first, last);
  }
  return size == elements.size() ? text : "";
}

// Returns elements at one distance from each other, such as "in[0], in[4], ... in[60]"; empty if
// their distances differ.
std::string StepsText(const ReadArray& array, const std::vector<std::uint64_t>& elements) {
  const std::uint64_t step = elements[1] - elements[0];
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (elements[i] - elements[i - 1] != step) return {};
  }
  return fmt::format("{}, {}, ... {}", ElementName(array, elements[0]),
                     ElementName(array, elements[1]), ElementName(array, elements.back()));
}

std::string ElementsText(const ReadArray& array, const std::set<std::uint32_t>& offsets,
                         std::uint32_t bytes) {
  std::vector<std::uint64_t> elements;
  for (const std::uint32_t offset : offsets) {
    const std::uint64_t element = offset / ElementBytes(array, bytes);
    if (elements.empty() || elements.back() != element) elements.push_back(element);
  }
  if (std::string box = BoxText(array, elements); !box.empty()) return box;
  if (elements.size() <= kMostListed) {
    std::string text;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::string_view between = i == 0 ? "" : i + 1 == elements.size() ? " and " : ", ";
      text += fmt::format("{}{}", between, ElementName(array, elements[i]));
    }
    return text;
  }
  if (std::string steps = StepsText(array, elements); !steps.empty()) return steps;
  return fmt::format("{} from {} to {}", Counted(elements.size(), "element"),
                     ElementName(array, elements.front()), ElementName(array, elements.back()));
}

}  // namespace

std::optional<Derivation> DerivationOf(const ValueGraph& graph, ValueId value) {
  Derivation derivation;
  if (value == kNumberValue) return derivation;
  Walk walk(graph, derivation);
  if (graph.full() || value == kUnknownValue || !walk.Whole(value) || !walk.Terms(value)) {
    return std::nullopt;
  }
  using Form = Derivation::Form;
  ValueId moved = value;
  while (!graph.IsRead(moved) && graph.MakerOf(moved).opcode == Opcode::kCvt) {
    moved = graph.SourcesOf(moved)[0];
    derivation.is_converted = true;
  }
  derivation.form = graph.IsRead(moved)     ? Form::kElement
                    : derivation.terms >= 2 ? Form::kSum
                                            : Form::kComputed;
  return derivation;
}

std::string Text(const ValueGraph& graph, const Derivation& derivation) {
  using Form = Derivation::Form;
  if (derivation.form == Form::kPlain) return "a number for which no array was read";
  std::vector<std::string> parts;
  for (const auto& [array, offsets] : derivation.elements) {
    parts.push_back(ElementsText(graph.arrays[array], offsets, derivation.element_bytes));
  }
  constexpr std::size_t kMostArrays = 4;
  std::string all;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostArrays); ++i) {
    const bool is_last = i + 1 == parts.size();
    all += fmt::format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", parts[i]);
  }
  if (parts.size() > kMostArrays) {
    all += fmt::format(" and elements of {}", Counted(parts.size() - kMostArrays, "other array"));
  }
  switch (derivation.form) {
    case Form::kElement:
      return all;
    case Form::kSum: {
      const std::string_view sum = derivation.has_difference ? "sums and differences" : "a sum";
      const std::string_view term = derivation.is_sum_of_products   ? "product"
                                    : derivation.is_sum_of_elements ? "element"
                                                                    : "term";
      return fmt::format("{} of {}{}{}", sum, Counted(derivation.terms, term),
                         derivation.is_sum_of_products ? " of " : ": ", all);
    }
    default:
      return "computed from " + all;
  }
}

std::string ElementName(const ReadArray& array, std::uint64_t element) {
  std::string text = array.name;
  for (const std::uint64_t index : IndicesOf(array, element)) text += fmt::format("[{}]", index);
  return text;
}

}  // namespace warpcheck::emulator
