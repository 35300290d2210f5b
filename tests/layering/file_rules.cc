#include "file_rules.h"

#include <re2/re2.h>

#include <cctype>

namespace warpcheck::layering {
namespace {

// Removes the next line from `text` and returns it, without its '\n'.
std::string_view NextLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Returns "Next" for "Parser::Next".
std::string_view LastName(std::string_view function) {
  const std::size_t colons = function.rfind("::");
  return colons == std::string_view::npos ? function : function.substr(colons + 2);
}

}  // namespace

int AnonymousNamespaces(std::string_view source) {
  int count = 0;
  while (!source.empty()) count += NextLine(source) == "namespace {";
  return count;
}

std::vector<std::string> DefinedFunctions(std::string_view source) {
  static const RE2 definition(R"(^(?:[\w:<>,&*\[\]" ]*[ &*])?((?:\w+::)*~?\w+)\()");
  static const RE2 other(
      R"(^(?:[\s#}]|//|return\b|template\b|using\b|namespace\b|struct\b|class\b|enum\b|static\b)"
      R"(|constexpr\b|consteval\b|inline\b|extern\b|[A-Z][A-Z_]+\())");
  std::vector<std::string> functions;
  bool anonymous = false;
  while (!source.empty()) {
    const std::string_view line = NextLine(source);
    if (line == "namespace {") anonymous = true;
    if (line == "}  // namespace") anonymous = false;
    std::string name;
    if (anonymous || line.ends_with(';') || RE2::PartialMatch(line, other)) continue;
    if (RE2::PartialMatch(line, definition, &name)) functions.push_back(name);
  }
  return functions;
}

bool Declares(std::string_view header, std::string_view function) {
  const std::string_view last = LastName(function);
  if (last.size() == function.size()) {
    return RE2::PartialMatch(header, "\\b" + std::string(function) + "\\(");
  }
  const std::string owner(function.substr(0, function.find("::")));
  return RE2::PartialMatch(header, "\\b(?:class|struct) " + owner + "\\b[^;]*\\{");
}

std::vector<std::string> DefinedForOthers(
    std::string_view source_name, std::string_view source,
    const std::map<std::string, std::string, std::less<>>& headers) {
  const std::string own_name = std::string(source_name.substr(0, source_name.rfind('.'))) + ".h";
  const auto own = headers.find(own_name);
  std::vector<std::string> for_others;
  for (const std::string& function : DefinedFunctions(source)) {
    if (own != headers.end() && Declares(own->second, function)) continue;
    for (const auto& [name, header] : headers) {
      if (name == own_name || !Declares(header, function)) continue;
      for_others.push_back(std::string(function).append(" of ").append(name));
      break;
    }
  }
  return for_others;
}

std::string OpeningSentence(std::string_view file) {
  std::string text;
  while (file.starts_with("//")) {
    std::string_view line = NextLine(file).substr(2);
    if (!text.empty() && !line.empty()) text += ' ';
    if (line.starts_with(' ')) line.remove_prefix(1);
    text += line;
  }
  std::string sentence;
  static const RE2 first(R"(^(.*?[.?!])(?: |$))");
  return RE2::PartialMatch(text, first, &sentence) ? sentence : text;
}

bool HasVerb(std::string_view sentence, const std::set<std::string, std::less<>>& verbs) {
  static const RE2 word(R"(([A-Za-z]+))");
  re2::StringPiece rest(sentence);
  std::string found;
  while (RE2::FindAndConsume(&rest, word, &found)) {
    for (char& c : found) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (verbs.contains(found)) return true;
  }
  return false;
}

}  // namespace warpcheck::layering
