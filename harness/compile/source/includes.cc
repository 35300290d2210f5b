#include "compile/source/includes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "compile/source/language.h"
#include "cpptext/preprocessing.h"

namespace warpcheck::compile {
namespace {

// These headers belong to the C library: unistd.h is allowed for programs that sleep, sys/time.h
// for programs that measure time.
constexpr std::array<std::string_view, 25> kHeadersOfC = {
    "assert.h",   "complex.h", "ctype.h",  "errno.h",  "fenv.h",   "float.h",  "inttypes.h",
    "iso646.h",   "limits.h",  "locale.h", "math.h",   "setjmp.h", "signal.h", "stdalign.h",
    "stdarg.h",   "stdbool.h", "stddef.h", "stdint.h", "stdio.h",  "stdlib.h", "string.h",
    "sys/time.h", "time.h",    "unistd.h", "wchar.h"};

// Headers that do what exercises ask for begin with these texts.
constexpr std::string_view kSolvingHeaders[] = {
    "thrust/",  "cub/",     "cutlass/", "cute/", "cublas", "nvblas",   "cufft",
    "cusparse", "cusolver", "cutensor", "cudnn", "npp",    "parallel/"};
constexpr std::string_view kGroupHeaders[] = {
    "cooperative_groups/reduce.h", "cooperative_groups/scan.h",
    "cooperative_groups/details/reduce.h", "cooperative_groups/details/scan.h"};

std::string Normal(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// Returns true for a path like ".../include/c++/12/vector", but not for a path in a subfolder.
bool IsOfCxxLibrary(std::string_view path) {
  constexpr std::string_view kFolder = "/include/c++/";
  const std::size_t at = path.find(kFolder);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = path.substr(at + kFolder.size());  // "12/vector"
  return std::ranges::count(rest, '/') == 1;
}

bool IsOneOf(std::string_view header, std::string_view entry) {
  if (entry == kLibraryHeaders) {
    return std::ranges::any_of(kSolvingHeaders,
                               [&](std::string_view start) { return header.starts_with(start); });
  }
  if (entry == kCollectiveHeaders) {
    return std::ranges::find(kGroupHeaders, header) != std::end(kGroupHeaders);
  }
  return header == entry;
}

// A Marker is a line that the preprocessor writes to tell the place of the next line, such as `# 12
// "file" 1 3`.
struct Marker {
  int line = 0;
  std::string file;
  bool enters = false;
  bool returns = false;
};

// Returns the text after `# 12 "`, and sets `number` to 12. Returns nothing for any other text.
std::optional<std::string_view> BehindNumber(std::string_view text, int& number) {
  if (!text.starts_with("# ")) return std::nullopt;
  text.remove_prefix(2);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool too_large = parsed.ec == std::errc::result_out_of_range;
  if (parsed.ec != std::errc() && !too_large) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (!text.starts_with(" \"")) return std::nullopt;
  return text.substr(2);
}

// Decodes the escapes that the preprocessor writes: `\"`, `\\` and `\303`.
std::string Unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    unsigned code = 0;
    const bool octal =
        text.size() >= 4 && text[0] == '\\' &&
        std::from_chars(text.data() + 1, text.data() + 4, code, 8).ptr == text.data() + 4;
    const std::size_t skipped = octal ? 3 : text.size() >= 2 && text[0] == '\\' ? 1 : 0;
    plain += octal ? static_cast<char>(code) : text[skipped];
    text.remove_prefix(skipped + 1);
  }
  return plain;
}

std::optional<Marker> ParseMarker(std::string_view text) {
  Marker marker;
  const auto rest = BehindNumber(text, marker.line);
  const std::size_t close = rest ? rest->rfind('"') : std::string_view::npos;
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view flags = rest->substr(close + 1);
  if (flags.find_first_not_of(" 1234") != std::string_view::npos) return std::nullopt;
  marker.file = Normal(Unescaped(rest->substr(0, close)));
  marker.enters = flags.starts_with(" 1");
  marker.returns = flags.starts_with(" 2");
  return marker;
}

constexpr std::string_view kBlanks{" \t\v\f\0", 5};

std::string_view WithoutBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

bool BeginsDirective(std::string_view line) {
  line = WithoutBlanks(line);
  return line.starts_with('#') || line.starts_with("%:");
}

// Returns what a directive includes: the text after `#include`, without blanks before it. Returns
// nothing for another directive. `text` begins with the hash.
std::optional<std::string_view> IncludedBy(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(text.starts_with('#') ? 1 : 2);
  text = WithoutBlanks(text);
  for (const std::string_view word : {"include_next", "include", "import"}) {
    if (text.starts_with(word)) return WithoutBlanks(text.substr(word.size()));
  }
  return std::nullopt;
}

// OwnText collects the lines of the submission's own files from the preprocessor's output.
class OwnText {
 public:
  void Add(std::string_view line, const std::string& file, int number) {
    // The preprocessor writes these lines itself.
    if (line.starts_with("#pragma ") || line.starts_with("#ident ")) line = {};
    if (!first_ && BeginsDirective(line)) first_ = SourceLocation{file, number};
    if (text_.size() + line.size() > kMostBytes) {
      too_long_ = true;
      return;
    }
    if (parts_.empty() || parts_.back().where.file != file || number != next_) {
      parts_.push_back({text_.size(), {file, number}});
    }
    next_ = number + 1;
    text_.append(line) += '\n';
  }

  // Returns the first directive that is not part of a literal.
  std::optional<SourceLocation> FirstDirective() const {
    if (!first_) return std::nullopt;
    const cpptext::PossibleDirectives found = cpptext::FindPossibleDirectives(text_);
    if (too_long_ || !found.complete) return first_;
    if (found.hashes.empty()) return std::nullopt;
    return Location(found.hashes.front());
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20;

  struct Part {
    std::size_t begin = 0;
    SourceLocation where;
  };

  SourceLocation Location(std::size_t at) const {
    const auto behind = std::ranges::upper_bound(parts_, at, {}, &Part::begin);
    const Part& part = *std::prev(behind);
    SourceLocation where = part.where;
    where.line += static_cast<int>(
        std::ranges::count(std::string_view(text_).substr(part.begin, at - part.begin), '\n'));
    return where;
  }

  std::string text_;
  std::vector<Part> parts_;              // each part is a run of consecutive lines
  std::optional<SourceLocation> first_;  // the first line that may be a directive
  int next_ = 0;
  bool too_long_ = false;
};

}  // namespace

OwnFiles ReadPreprocessed(std::string_view preprocessed, const std::string& folder) {
  OwnFiles own;
  OwnText text;
  // The stack of open files, the innermost last. A #line directive does not rename them.
  std::vector<std::string> open;
  std::set<std::string> seen;  // what the last of own.includes reads
  std::string main;
  bool after_command_line = false;
  bool in_main = false;
  int line = 0;
  const auto is_own = [&](const std::string& path) { return path.starts_with(folder + "/"); };
  const auto name_of = [&](const std::string& path) { return path.substr(folder.size() + 1); };
  while (!preprocessed.empty()) {
    const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size());
    const std::string_view content = preprocessed.substr(0, end);
    auto marker = ParseMarker(content);
    preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
    if (!marker) {
      if (!open.empty() && is_own(open.back())) text.Add(content, name_of(open.back()), line);
      ++line;
      continue;
    }
    std::string file = std::move(marker->file);
    if (main.empty()) main = file;
    if (file == "<command-line>") after_command_line = true;
    if (marker->enters && !open.empty()) {
      if (is_own(open.back()) && !is_own(file)) {
        own.includes.push_back({.where = {name_of(open.back()), line}, .path = file});
        seen.clear();
      }
      if (!own.includes.empty() && !is_own(open.back())) {
        std::vector<std::string>& reads = own.includes.back().reads;
        if (seen.insert(file).second) reads.push_back(file);
      }
      open.push_back(std::move(file));
    } else if (marker->returns && open.size() > 1) {
      open.pop_back();
    } else if (open.size() <= 1 && !in_main) {
      // nvcc includes its own headers first, as part of the command line. The file itself follows.
      in_main = after_command_line && file == main;
      open = {std::move(file)};
    }
    line = marker->line;
    if (!is_own(open.back())) continue;
    const std::string name = name_of(open.back());
    if (std::ranges::find(own.names, name) == own.names.end()) own.names.push_back(name);
  }
  own.made_by_macro = text.FirstDirective();
  return own;
}

bool IsAllowed(const std::string& path, const std::vector<std::string>& allowed) {
  const std::string header = NameOfHeader(path);
  return std::ranges::any_of(allowed, [&](const std::string& name) {
    if (name != kStandardHeaders) return header == name;
    return IsOfCxxLibrary(path) || std::ranges::find(kHeadersOfC, header) != kHeadersOfC.end();
  });
}

bool IsForbidden(std::string_view name, const Language& language) {
  const std::string header = Normal(name);
  if (!language.allow.empty()) {
    return std::ranges::none_of(language.allow, [&](const std::string& allowed) {
      if (allowed != kStandardHeaders) return header == allowed;
      return header.find_first_of("/.") == std::string::npos ||
             std::ranges::find(kHeadersOfC, header) != kHeadersOfC.end();
    });
  }
  return std::ranges::any_of(language.forbid, [&](const std::string& entry) {
    // The path may lead to the header from somewhere else.
    for (std::size_t at = 0; at != std::string::npos; at = header.find('/', at + 1)) {
      const std::string_view rest = std::string_view(header).substr(at == 0 ? 0 : at + 1);
      if (IsOneOf(rest, entry)) return true;
    }
    return false;
  });
}

bool BringsForbidden(const Include& include, const Language& language) {
  if (!language.allow.empty() && !IsAllowed(include.path, language.allow)) return true;
  const auto is_forbidden = [&](const std::string& path) {
    const std::string header = NameOfHeader(path);
    return std::ranges::any_of(language.forbid,
                               [&](const std::string& entry) { return IsOneOf(header, entry); });
  };
  return is_forbidden(include.path) || std::ranges::any_of(include.reads, is_forbidden);
}

bool MayIncludeForbidden(const Sources& sources, const Language& language) {
  if (language.allow.empty() && language.forbid.empty()) return false;
  const auto is_own = [&](std::string_view name) {
    return std::ranges::any_of(sources.files, [&](const SourceFile& file) {
      return file.name == name || std::string_view(file.name).ends_with("/" + std::string(name));
    });
  };
  for (const SourceFile& file : sources.files) {
    const std::string_view text = file.bytes;
    const cpptext::PossibleDirectives found = cpptext::FindPossibleDirectives(text);
    if (!found.complete) return true;
    for (const std::size_t at : found.hashes) {
      const auto included = IncludedBy(text.substr(at));
      if (!included) continue;
      const char open = included->empty() ? '\0' : included->front();
      const std::size_t close = included->find(open == '<' ? '>' : '"', 1);
      if ((open != '<' && open != '"') || close == std::string_view::npos) return true;
      const std::string_view name = included->substr(1, close - 1);
      if (!(open == '"' && is_own(name)) && IsForbidden(name, language)) return true;
    }
  }
  return false;
}

std::string NameOfHeader(const std::string& path) {
  for (const std::string_view folder :
       {"/include/cccl/", "/include/c++/", "/include/x86_64-linux-gnu/", "/include-fixed/",
        "/include/"}) {
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) continue;
    std::string name = path.substr(at + folder.size());
    if (folder == "/include/c++/") name.erase(0, name.find('/') + 1);
    return name;
  }
  return path;
}

std::optional<SourceLocation> FindLineMarker(const Sources& sources,
                                             const std::vector<std::string>& names) {
  for (const SourceFile& file : sources.files) {
    if (std::ranges::find(names, file.name) == names.end()) continue;
    const std::string_view text = file.bytes;
    const auto location = [&](std::size_t at) {
      return SourceLocation{file.name,
                            1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'))};
    };
    const cpptext::PossibleDirectives found = cpptext::FindPossibleDirectives(text);
    if (!found.complete) return location(0);
    if (!found.numbers.empty()) return location(found.numbers.front());
    for (const cpptext::TextRange& raw : found.raw_strings) {
      for (std::size_t at = raw.begin; at < raw.end; ++at) {
        int number = 0;
        const bool ends = text[at] == '\n' || text[at] == '\r';
        if (ends && BehindNumber(text.substr(at + 1), number)) return location(at + 1);
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::compile
