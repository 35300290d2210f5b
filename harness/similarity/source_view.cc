#include "similarity/source_view.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "cpptext/lexer.h"

namespace warpcheck::similarity {
namespace {

using cpptext::Token;
using cpptext::TokenKind;

bool IsIn(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Words that are left out: the words of loops, words that can be added anywhere, and words that
// only group others.
constexpr std::string_view kLeftOut[] = {"for",
                                         "while",
                                         "do",
                                         "const",
                                         "constexpr",
                                         "static",
                                         "inline",
                                         "volatile",
                                         "__restrict__",
                                         "extern",
                                         "typename",
                                         "noexcept",
                                         "__forceinline__",
                                         "__inline__",
                                         "std",
                                         "namespace",
                                         "(",
                                         ")",
                                         "{",
                                         "}",
                                         "::",
                                         "\\"};
constexpr std::string_view kTypes[] = {
    "int",      "unsigned", "signed",      "long",         "short",      "char",      "float",
    "double",   "bool",     "void",        "auto",         "size_t",     "ptrdiff_t", "int32_t",
    "uint32_t", "int64_t",  "uint64_t",    "dim3",         "float2",     "float4",    "int2",
    "int4",     "half",     "cudaError_t", "cudaStream_t", "cudaEvent_t"};
constexpr std::string_view kKeywords[] = {"if",   "else", "return", "continue", "break",  "switch",
                                          "case", "goto", "sizeof", "template", "struct", "class"};
constexpr std::string_view kCasts[] = {"static_cast", "reinterpret_cast", "const_cast",
                                       "dynamic_cast"};
constexpr std::string_view kPlaces[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
constexpr std::string_view kComparisons[] = {"<", ">", "<=", ">=", "==", "!="};

class Reader {
 public:
  Reader(std::vector<Token> tokens, std::uint32_t file, std::vector<Fingerprint>& fingerprints)
      : tokens_(std::move(tokens)), file_(file), fingerprints_(fingerprints) {}

  void Read() {
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      if (token.text == ";") {
        EndStatement();
      } else if (!SkipCast()) {
        Take(token);
      }
      ++at_;
    }
    EndStatement();
  }

 private:
  struct Word {
    std::uint64_t hash;
    std::uint32_t line;
  };

  std::string_view TextAt(std::size_t index) const {
    return index < tokens_.size() ? tokens_[index].text : std::string_view();
  }

  // Skips a cast such as "static_cast<float>" or "(float)". Leaves at_ on its last token.
  bool SkipCast() {
    if (IsIn(kCasts, TextAt(at_))) {
      int open = 0;
      for (std::size_t i = at_ + 1; i < tokens_.size() && TextAt(i) != ";"; ++i) {
        open += TextAt(i) == "<" ? 1 : TextAt(i) == ">" ? -1 : 0;
        if (open == 0) {
          at_ = i;
          return true;
        }
      }
      return false;
    }
    if (TextAt(at_) != "(") return false;
    if (at_ > 0 && (tokens_[at_ - 1].kind == TokenKind::kName || TextAt(at_ - 1) == ">")) {
      return false;  // the brackets contain parameters, or belong to sizeof(float)
    }
    std::size_t end = at_ + 1;
    while (IsIn(kTypes, TextAt(end)) || TextAt(end) == "const" || TextAt(end) == "*") ++end;
    if (end == at_ + 1 || TextAt(end) != ")") return false;
    at_ = end;
    return true;
  }

  void Take(const Token& token) {
    const std::string_view text = token.text;
    if (IsIn(kLeftOut, text)) return;
    if (token.kind == TokenKind::kNumber || token.kind == TokenKind::kText) return Add(token, "N");
    if (token.kind == TokenKind::kSign) {
      if (IsIn(kComparisons, text)) return Add(token, "<");
      if (text == "++") return Add(token, "+=");
      return Add(token, text == "--" ? "-=" : text);
    }
    if (IsIn(kTypes, text)) {
      if (words_.empty() || words_.back().hash != HashOf("T")) Add(token, "T");
    } else if (IsIn(kPlaces, text)) {
      const std::string_view member = TextAt(at_ + 1) == "." ? TextAt(at_ + 2) : "";
      words_.push_back({HashOf(member, HashOf(text)), static_cast<std::uint32_t>(token.line)});
      if (!member.empty()) at_ += 2;
    } else {
      const bool is_kept = IsIn(kKeywords, text) || text.starts_with("__") ||
                           text.starts_with("cuda") || text.starts_with("atomic");
      Add(token, is_kept ? text : "N");
    }
  }

  void Add(const Token& token, std::string_view word) {
    words_.push_back({HashOf(word), static_cast<std::uint32_t>(token.line)});
  }

  void EndStatement() {
    const std::size_t length = std::min(words_.size(), kFingerprintWords);
    for (std::size_t i = 0; length >= kLeastWords && i + length <= words_.size(); ++i) {
      std::uint64_t hash = length;
      for (std::size_t j = i; j < i + length; ++j) {
        hash = (hash ^ words_[j].hash) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 29;
      }
      fingerprints_.push_back({.kind = hash,
                               .exact = hash,
                               .first = {.file = file_, .line = words_[i].line},
                               .last = {.file = file_, .line = words_[i + length - 1].line}});
    }
    words_.clear();
  }

  const std::vector<Token> tokens_;
  const std::uint32_t file_;
  std::vector<Fingerprint>& fingerprints_;
  std::vector<Word> words_;  // the words of this statement
  std::size_t at_ = 0;
};

}  // namespace

SourceFingerprints FingerprintsOf(const std::map<std::string, std::string>& sources) {
  SourceFingerprints found;
  std::uint32_t file = 0;
  for (const auto& [name, text] : sources) {
    std::vector<Token> tokens = cpptext::Lex(text, kMostSourceWords - found.words);
    std::erase_if(tokens, [](const Token& token) {
      return token.kind == TokenKind::kComment || token.kind == TokenKind::kDirective;
    });
    found.words += tokens.size();
    Reader(std::move(tokens), file++, found.fingerprints).Read();
  }
  return found;
}

}  // namespace warpcheck::similarity
