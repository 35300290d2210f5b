#include "proof/mutation/exchanges.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "proof/mutation/scopes.h"

namespace warpcheck::mutation {
namespace {

constexpr auto kNoCalls = std::to_array<std::string_view>(
    {"if", "for", "while", "switch", "sizeof", "alignas", "__launch_bounds__", "static_assert"});

bool OpensValues(const Source& source, std::size_t token) {
  if (source.Is(token, "{") || source.Is(token, "<<<")) return true;
  if (!source.Is(token, "(") || token == 0) return false;
  return std::none_of(kNoCalls.begin(), kNoCalls.end(),
                      [&](auto name) { return source.Is(token - 1, name); });
}

// Returns false for "float x" and "float* x", which are declarations, and for statements.
bool IsValue(const Source& source, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (source.Is(i, ";")) return false;
    const bool pointer = (source.Is(i, "*") || source.Is(i, "&")) && !source.IsBinary(i);
    if (i > range.begin && source.IsName(i) && source.IsName(i - 1)) return false;
    if (i > range.begin && pointer && source.IsName(i - 1)) return false;
  }
  return !range.empty();
}

}  // namespace

void ExchangeListElements(const Source& source, Mutants& mutants) {
  for (std::size_t open = 0; open < source.tokens().size(); ++open) {
    if (!OpensValues(source, open)) continue;
    const std::vector<Range> elements = ListElements(source, open);
    for (std::size_t i = 1; i < elements.size(); ++i) {
      if (!IsValue(source, elements[i - 1]) || !IsValue(source, elements[i])) continue;
      mutants.Exchange(elements[i - 1], elements[i]);
    }
  }
}

void ExchangeSubscripts(const Source& source, Mutants& mutants) {
  for (std::size_t i = 1; i + 1 < source.tokens().size(); ++i) {
    if (!source.Is(i, "]") || !source.Is(i + 1, "[")) continue;
    const Range first = {source.Match(i) + 1, i};
    const Range second = {i + 2, source.Match(i + 1)};
    if (!first.empty() && !second.empty()) mutants.Exchange(first, second);
  }
}

// Replaces each use of a parameter or variable by a neighbour of the same type.
void ExchangeVariables(const Source& source, Mutants& mutants) {
  for (const Scope& scope : ScopesOf(source)) {
    for (std::size_t i = scope.body.begin; i < scope.body.end; ++i) {
      if (!source.IsName(i) || (i > 0 && (source.Is(i - 1, ".") || source.Is(i - 1, "->"))))
        continue;
      if (const auto other = NeighbourOf(scope, source.tokens()[i].text, i)) {
        mutants.Replace(i, std::string(*other));
      }
    }
  }
}

}  // namespace warpcheck::mutation
