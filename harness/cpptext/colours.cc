#include "cpptext/colours.h"

#include <algorithm>
#include <array>

#include "cpptext/lexer.h"

namespace warpcheck::cpptext {
namespace {

// The keywords of C++20 (ISO/IEC 14882, [lex.key]), sorted.
constexpr auto kKeywords = std::to_array<std::string_view>({
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq",
});
static_assert(std::ranges::is_sorted(kKeywords));

bool IsOfCuda(std::string_view name) {
  static constexpr std::string_view kVariables[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                                    "warpSize"};
  return name.starts_with("__") || std::ranges::count(kVariables, name) != 0;
}

// Returns the class of a token's colour, or null if it has none.
const char* KindOf(const Token& token) {
  if (token.kind == TokenKind::kName) {
    if (std::ranges::binary_search(kKeywords, token.text)) return "keyword";
    return IsOfCuda(token.text) ? "cuda" : nullptr;
  }
  // The rows have the order of TokenKind.
  static constexpr const char* kKinds[] = {nullptr,   "literal",   "string", nullptr,
                                           "comment", "directive", nullptr};
  return kKinds[static_cast<std::size_t>(token.kind)];
}

// Returns the part of a token that is coloured. For a #define that is only the directive, without
// the space at its end.
std::string_view Coloured(const Token& token) {
  std::string_view text = token.text;
  constexpr std::string_view kDefine = "define";
  if (const auto at = text.find(kDefine); token.kind == TokenKind::kDirective &&
                                          at == text.find_first_not_of(" \t", 1) &&
                                          at != std::string_view::npos) {
    text = text.substr(0, at + kDefine.size());
  }
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::vector<CodePart> CodeParts(std::string_view text) {
  std::vector<CodePart> parts;
  for (const Token& token : Lex(text)) {
    const char* const kind = KindOf(token);
    if (kind == nullptr) continue;
    const auto begin = static_cast<std::size_t>(token.text.data() - text.data());
    parts.push_back({begin, begin + Coloured(token).size(), kind});
  }
  return parts;
}

}  // namespace warpcheck::cpptext
