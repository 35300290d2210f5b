#include "compile/messages/link_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/record.h"
#include "base/text.h"

namespace warpcheck::compile {
namespace {

// Returns the position after the bracket that closes the one at `open`, or npos if there is no such
// bracket.
std::size_t AfterBrackets(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

// Returns "tiled" for "ns::tiled(float*)" and for "void tiled<32>(float*)".
std::string_view PlainName(std::string_view signature) {
  const std::string_view name = signature.substr(0, signature.find_first_of("(<["));
  const std::size_t start = name.find_last_of(" :");
  return start == std::string_view::npos ? name : name.substr(start + 1);
}

// Returns true if `place` names the file before a colon, alone or behind folders.
bool Names(std::string_view place, const std::string& file) {
  const std::size_t at = place.find(file + ':');
  return at != std::string_view::npos && (at == 0 || IsOneOf(place[at - 1], '/', ':', ' '));
}

// Returns the name of the file of the submission in a place. The linker writes "keep/a.o:a.cu:3:
// first defined here" if it knows the line, and otherwise "a.cudafe1.cpp:(.text+0x10)".
std::string FileOf(std::string_view place, const Sources& sources) {
  for (const SourceFile& file : sources.files) {
    if (Names(place, file.name)) return file.name;
  }
  for (const std::string& kernel : sources.kernels) {
    if (Names(place, std::filesystem::path(kernel).stem().string() + ".cudafe1.cpp")) return kernel;
  }
  return {};
}

std::string_view TextOf(const std::string& file, const Sources& sources) {
  const auto found = std::ranges::find(sources.files, file, &SourceFile::name);
  return found == sources.files.end() ? std::string_view() : std::string_view(found->bytes);
}

std::optional<CompileError> TwiceDefined(const std::string& line, const Sources& sources) {
  constexpr std::string_view kTwice = "multiple definition of `";
  constexpr std::string_view kFirst = "'; ";
  const std::size_t at = line.find(kTwice);
  const std::size_t end = line.find(kFirst, at);
  if (at == std::string::npos || end == std::string::npos) return std::nullopt;
  const std::string symbol = line.substr(at + kTwice.size(), end - at - kTwice.size());
  if (symbol.starts_with("__device_stub__"))
    return std::nullopt;  // the stub of a kernel, for which ld writes a different message
  const std::string second = FileOf(std::string_view(line).substr(0, at), sources);
  const std::string first = FileOf(std::string_view(line).substr(end), sources);
  CompileError error;
  error.message =
      first.empty() || second.empty() ? fmt::format("{} is defined twice", symbol)
      : first == second
          ? fmt::format("{} is defined in {}, which several files include", symbol, first)
          : fmt::format("{} is defined in {} and in {}", symbol, first, second);
  const int number = LineOfDefinition(TextOf(second, sources), PlainName(symbol));
  if (number > 0) error.where = {second, number};
  return error;
}

}  // namespace

int LineOfDefinition(std::string_view text, std::string_view name) {
  if (name.empty()) return 0;
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + name.size();
    if ((at > 0 && IsOfIdentifier(text[at - 1])) || end == text.size()) continue;
    const std::size_t open = text.find_first_not_of(" \t\r\n", end);
    if (open == std::string_view::npos || text[open] != '(') continue;
    const std::size_t after = AfterBrackets(text, open);
    if (after == std::string_view::npos) continue;
    const std::size_t brace = text.find_first_not_of(" \t\r\n", after);
    if (brace == std::string_view::npos || text[brace] != '{') continue;
    return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
  }
  return 0;
}

std::optional<CompileError> FindLinkError(std::string_view log, const Sources& sources) {
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    if (auto error = TwiceDefined(line, sources)) return error;
  }
  return std::nullopt;
}

}  // namespace warpcheck::compile
