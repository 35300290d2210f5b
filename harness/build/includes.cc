#include "build/includes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <utility>

#include "build/language.h"

namespace warpcheck::build {
namespace {

// These headers belong to the C library; unistd.h is there for programs that sleep.
constexpr std::array<std::string_view, 24> kHeadersOfC = {
    "assert.h",   "complex.h",  "ctype.h",  "errno.h",   "fenv.h",   "float.h",
    "inttypes.h", "iso646.h",   "limits.h", "locale.h",  "math.h",   "setjmp.h",
    "signal.h",   "stdalign.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h",
    "stdio.h",    "stdlib.h",   "string.h", "time.h",    "unistd.h", "wchar.h"};

std::string Normal(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().string();
}

bool EndsWithName(std::string_view path, std::string_view name) {
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

// ".../include/c++/12/vector", and no folder below.
bool IsOfCxxLibrary(std::string_view path) {
  constexpr std::string_view kFolder = "/include/c++/";
  const std::size_t at = path.find(kFolder);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = path.substr(at + kFolder.size());  // "12/vector"
  return std::ranges::count(rest, '/') == 1;
}

// `# 12 "file" 1 3`: a line of the preprocessor's own.
struct Marker {
  int line = 0;
  std::string_view file;
  bool enters = false;
  bool returns = false;
};

std::optional<Marker> ParseMarker(std::string_view text) {
  if (!text.starts_with("# ")) return std::nullopt;
  Marker marker;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data() + 2, end, marker.line);
  const std::size_t open = text.find('"');
  const std::size_t close = text.rfind('"');
  if (number.ec != std::errc() || open == close) return std::nullopt;
  marker.file = text.substr(open + 1, close - open - 1);
  const std::string_view flags = text.substr(close + 1);
  marker.enters = flags.starts_with(" 1");
  marker.returns = flags.starts_with(" 2");
  return marker;
}

// The text without comments and without line ends after a backslash; ends of lines stay as many.
std::string WithoutComments(std::string_view text) {
  std::string plain;
  std::string skipped;  // ends of lines that were joined
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
      skipped += '\n';
      i += rest[1] == '\n' ? 1 : 2;
    } else if (rest.starts_with("/*")) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 1);
      skipped.append(static_cast<std::size_t>(std::ranges::count(text.substr(i, end - i), '\n')),
                     '\n');
      plain += ' ';
      i = end + 1;
    } else if (text[i] == '\n') {
      plain += std::exchange(skipped, {}) + '\n';
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool IsMarkerLine(std::string_view line) {
  const auto skip = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\v\f"), line.size()));
  };
  skip();
  for (const std::string_view hash : {"#", "%:", "?\?="}) {
    if (!line.starts_with(hash)) continue;
    line.remove_prefix(hash.size());
    skip();
    return !line.empty() && line[0] >= '0' && line[0] <= '9';
  }
  return false;
}

}  // namespace

std::vector<Include> IncludesIn(std::string_view preprocessed, const std::string& folder) {
  // The files that are open, the innermost last. A #line renames none of them.
  std::vector<std::string> open;
  std::string main;
  bool after_command_line = false;
  std::vector<Include> includes;
  int line = 0;
  const auto is_own = [&](const std::string& path) { return path.starts_with(folder + "/"); };
  while (!preprocessed.empty()) {
    const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size());
    const auto marker = ParseMarker(preprocessed.substr(0, end));
    preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
    if (!marker) {
      ++line;
      continue;
    }
    std::string file = Normal(marker->file);
    // nvcc includes its own headers first, as part of the command line. The file itself comes
    // after.
    if (main.empty()) main = file;
    if (file == "<command-line>") after_command_line = true;
    if (open.empty()) {
      if (after_command_line && file == main && !marker->enters) open.push_back(std::move(file));
      line = marker->line;
      continue;
    }
    if (marker->enters) {
      if (is_own(open.back()) && !is_own(file)) {
        includes.push_back({.where = {open.back(), line}, .path = file});
      }
      open.push_back(std::move(file));
    } else if (marker->returns && open.size() > 1) {
      open.pop_back();
    }
    line = marker->line;
  }
  return includes;
}

bool IsAllowed(const std::string& path, const std::vector<std::string>& allowed) {
  return std::ranges::any_of(allowed, [&](const std::string& name) {
    if (name != kStandardHeaders) return EndsWithName(path, name);
    return IsOfCxxLibrary(path) || std::ranges::any_of(kHeadersOfC, [&](std::string_view header) {
             return EndsWithName(path, header);
           });
  });
}

std::string NameOfHeader(const std::string& path) {
  for (const std::string_view folder : {"/include/cccl/", "/include/c++/", "/include/"}) {
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) continue;
    std::string name = path.substr(at + folder.size());
    if (folder == "/include/c++/") name.erase(0, name.find('/') + 1);
    return name;
  }
  return path;
}

std::optional<SourceLocation> FindLineMarker(const Sources& sources) {
  for (const SourceFile& file : sources.files) {
    const std::string text = WithoutComments(file.bytes);
    std::string_view rest = text;
    for (int line = 1; !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (IsMarkerLine(rest.substr(0, end))) return SourceLocation{file.name, line};
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::build
