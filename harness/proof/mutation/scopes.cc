#include "proof/mutation/scopes.h"

#include <algorithm>
#include <array>

namespace warpcheck::mutation {
namespace {

constexpr auto kNoTypes = std::to_array<std::string_view>(
    {"return", "else", "case", "goto", "using", "typename", "template", "new", "delete", "throw"});

bool IsControl(const Source& source, std::size_t token) {
  return source.Is(token, "if") || source.Is(token, "for") || source.Is(token, "while") ||
         source.Is(token, "switch") || source.Is(token, "constexpr");
}

bool IsQualifier(const Source& source, std::size_t token) {
  return source.Is(token, "const") || source.Is(token, "constexpr") || source.Is(token, "static") ||
         source.Is(token, "volatile") || source.Is(token, "__restrict__") ||
         source.Is(token, "__shared__");
}

// Returns "const float* in" as a variable, or nullopt if the text is not a declaration. For a
// qualified type, only its last name counts.
std::optional<Variable> DeclarationIn(const Source& source, Range range) {
  if (range.end < range.begin + 2 || !source.IsName(range.end - 1)) return std::nullopt;
  Variable variable;
  variable.token = range.end - 1;
  variable.visible = range.end;
  variable.name = source.tokens()[variable.token].text;
  for (std::size_t i = range.begin; i + 1 < range.end; ++i) {
    if (IsQualifier(source, i)) continue;
    const bool pointer = (source.Is(i, "*") || source.Is(i, "&")) && !source.IsBinary(i);
    if (!source.IsName(i) && !pointer && !source.Is(i, "::")) return std::nullopt;
    if (std::find(kNoTypes.begin(), kNoTypes.end(), source.tokens()[i].text) != kNoTypes.end()) {
      return std::nullopt;
    }
    variable.type += source.tokens()[i].text;
  }
  if (variable.type.empty() || variable.type.front() == '*' || variable.type.front() == '&') {
    return std::nullopt;
  }
  return variable;
}

bool OpensNamespace(const Source& source, std::size_t open) {
  return (open > 0 && source.Is(open - 1, "namespace")) ||
         (open > 1 && source.Is(open - 2, "namespace"));
}

std::size_t EndOfStatement(const Source& source, std::size_t token) {
  while (token < source.tokens().size() && !source.Is(token, ";")) {
    const std::size_t close = source.Match(token);
    token = close != kNone && close > token ? close : token + 1;
  }
  return token;
}

// Finds every "type name =", "type name;" and "type name," at the beginning of a statement. For the
// file's own scope, skips functions, tables and types.
void AddVariables(const Source& source, Scope& scope, bool of_file) {
  std::size_t begin = scope.body.begin;
  for (std::size_t i = begin; i < scope.body.end; ++i) {
    const bool ends_name = source.Is(i, "=") || source.Is(i, ";") || source.Is(i, ",");
    if (ends_name && begin < i) {
      if (auto variable = DeclarationIn(source, {begin, i})) {
        variable->visible = EndOfStatement(source, i);
        scope.variables.push_back(*std::move(variable));
      }
    }
    const std::size_t close = source.Match(i);
    if (of_file && close != kNone && close > i && !OpensNamespace(source, i)) i = close;
    const bool begins = source.Is(i, ";") || source.Is(i, "{") || source.Is(i, "}") ||
                        source.Is(i, "(") || source.Is(i, ")");
    if (begins) begin = i + 1;
  }
}

}  // namespace

std::vector<Scope> ScopesOf(const Source& source) {
  std::vector<Scope> scopes(1);
  scopes.front().body = {0, source.tokens().size()};
  AddVariables(source, scopes.front(), true);
  for (std::size_t i = 1; i + 1 < source.tokens().size(); ++i) {
    if (!source.Is(i, "(") || !source.IsName(i - 1) || IsControl(source, i - 1)) continue;
    const std::size_t open = source.Match(i) + 1;
    if (!source.Is(open, "{")) continue;
    Scope function;
    function.body = {open + 1, source.Match(open)};
    for (const Range& parameter : ListElements(source, i)) {
      if (auto variable = DeclarationIn(source, parameter)) {
        function.variables.push_back(*std::move(variable));
      }
    }
    AddVariables(source, function, false);
    scopes.push_back(std::move(function));
    i = open;
  }
  return scopes;
}

std::optional<std::string_view> NeighbourOf(const Scope& scope, std::string_view name,
                                            std::size_t token) {
  std::vector<const Variable*> visible;
  const Variable* found = nullptr;
  for (const Variable& variable : scope.variables) {
    if (variable.token == token) return std::nullopt;
    if (variable.visible > token) continue;
    visible.push_back(&variable);
    if (variable.name == name) found = &variable;
  }
  if (found == nullptr) return std::nullopt;
  std::optional<std::string_view> neighbour;
  for (const Variable* variable : visible) {
    if (variable->type != found->type || variable->name == name) continue;
    if (variable->token > found->token && neighbour) break;
    neighbour = variable->name;
    if (variable->token > found->token) break;
  }
  return neighbour;
}

}  // namespace warpcheck::mutation
