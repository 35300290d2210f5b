#include "proof/mutation/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace warpcheck::mutation {
namespace {

struct Integer {
  std::uint64_t value = 0;
  bool hexadecimal = false;
  std::string suffix;
};

// Returns nullopt for floating-point, octal and binary literals.
std::optional<Integer> ParseInteger(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits),
               [](char c) { return c != '\''; });
  Integer integer;
  integer.hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!integer.hexadecimal && digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' &&
      digits[1] <= '9') {
    return std::nullopt;
  }
  const char* const begin = digits.data() + (integer.hexadecimal ? 2 : 0);
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] =
      std::from_chars(begin, end, integer.value, integer.hexadecimal ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  integer.suffix.assign(rest, end);
  if (integer.suffix.find_first_not_of("uUlLzZ") != std::string::npos) return std::nullopt;
  return integer;
}

std::string Text(const Integer& integer, std::uint64_t value) {
  return integer.hexadecimal ? fmt::format("{:#x}{}", value, integer.suffix)
                             : fmt::format("{}{}", value, integer.suffix);
}

// Changes the third significant digit, or the last one if there are fewer. This exceeds rounding by
// far, but is still a typical typing error. Returns nullopt for anything except a decimal
// floating-point literal.
std::optional<std::string> OtherFloat(std::string_view text) {
  const std::size_t end = text.find_first_of("eEfFlL");
  const std::string_view mantissa = text.substr(0, end);
  if (mantissa.find_first_not_of("0123456789.'") != std::string_view::npos) return std::nullopt;
  std::size_t changed = std::string_view::npos;
  int count = 0;
  for (std::size_t i = 0; i < mantissa.size() && count < 3; ++i) {
    if (mantissa[i] < '0' || mantissa[i] > '9') continue;
    changed = i;
    if (count > 0 || mantissa[i] != '0') ++count;
  }
  if (changed == std::string_view::npos) return std::nullopt;
  std::string other(text);
  other[changed] = other[changed] == '9' ? '8' : static_cast<char>(other[changed] + 1);
  return other;
}

using Change = std::pair<std::string_view, std::string_view>;

constexpr auto kNames = std::to_array<Change>({
    {"threadIdx", "blockIdx"},
    {"blockIdx", "threadIdx"},
    {"blockDim", "gridDim"},
    {"gridDim", "blockDim"},
    {"double", "float"},
    {"size_t", "int"},
    {"int64_t", "int"},
    {"uint64_t", "unsigned"},
    {"min", "max"},
    {"max", "min"},
    {"fminf", "fmaxf"},
    {"fmaxf", "fminf"},
    {"true", "false"},
    {"false", "true"},
});
constexpr auto kMembers = std::to_array<Change>({{"x", "y"}, {"y", "x"}, {"z", "y"}, {"w", "z"}});

// Makes two changes of the value at `range`: to one more and to one less.
void Shift(const Source& source, Range range, Mutants& mutants) {
  const std::string text(source.Text(range.begin, range.end));
  const bool simple = range.end == range.begin + 1;
  // ChangeNumbers handles these.
  if (simple && source.tokens()[range.begin].kind == Token::Kind::kNumber) return;
  for (const char* by : {" + 1", " - 1"}) {
    mutants.Replace(range, simple ? text + by : "(" + text + ")" + by);
  }
}

}  // namespace

void ChangeNumbers(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    const Token& token = source.tokens()[i];
    if (token.kind != Token::Kind::kNumber) continue;
    if (const auto integer = ParseInteger(token.text)) {
      mutants.Replace(i, Text(*integer, integer->value + 1));
      if (integer->value > 0) mutants.Replace(i, Text(*integer, integer->value - 1));
    } else if (auto other = OtherFloat(token.text)) {
      mutants.Replace(i, *std::move(other));
    }
  }
}

void ChangeNames(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.IsName(i)) continue;
    const bool member = i > 0 && (source.Is(i - 1, ".") || source.Is(i - 1, "->"));
    // Replaces std:: together with the name of a type.
    const bool qualified = i > 1 && source.Is(i - 1, "::") && source.Is(i - 2, "std");
    for (const auto& [from, to] : member ? std::span<const Change>(kMembers) : kNames) {
      if (!source.Is(i, from)) continue;
      const bool type = to == "int" || to == "unsigned";
      mutants.Replace(Range{type && qualified ? i - 2 : i, i + 1}, std::string(to));
    }
  }
}

void ShiftIndices(const Source& source, Mutants& mutants) {
  for (std::size_t i = 1; i < source.tokens().size(); ++i) {
    const bool subscript = source.Is(i, "[") &&
                           (source.IsName(i - 1) || source.Is(i - 1, "]") || source.Is(i - 1, ")"));
    const std::size_t close = source.Match(i);
    if (subscript && close > i + 1) Shift(source, {i + 1, close}, mutants);
  }
}

void ShiftLaunches(const Source& source, Mutants& mutants) {
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    if (!source.Is(i, "<<<")) continue;
    for (const Range& element : ListElements(source, i)) {
      if (!element.empty()) Shift(source, element, mutants);
    }
  }
}

}  // namespace warpcheck::mutation
