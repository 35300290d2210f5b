#include "compile/compile_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/text.h"

namespace warpcheck::compile {

namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Advice {
  std::string_view part;  // of the message
  std::string_view hint;
};

constexpr Advice kAdvice[] = {
    {"requires separate compilation mode",
     "kernels that launch kernels (dynamic parallelism) are not run here: launch them from the "
     "host, one after the other"},
    {"a __global__ function call must be configured",
     "a kernel is launched: kernel<<<blocks, threads>>>(...)"},
    {"is undefined in device code",
     "mark the function __device__, or the variable __device__ or __constant__"},
    {"from a __global__ function", "a kernel calls __device__ functions only: mark it __device__"},
    {"from a __device__ function",
     "device code calls __device__ functions only: mark it __device__"},
    {"linkage specification is incompatible",
     "remove extern \"C\": the function is declared without it in the assignment's header"},
    {"more than one instance of overloaded function",
     "the definition has not the parameter types of the assignment's header: copy its line"},
    {" is defined in ",
     "all .cu files are compiled together: leave one definition out, or make both static"},
    {" is defined twice",
     "all .cu files are compiled together: leave one definition out, or make both static"},
    {"cannot overload functions distinguished by return type alone",
     "the return type is not that of the assignment's header: copy its line"},
};

// Libraries that students try; none but the C++ library and what comes with nvcc's headers is here.
constexpr std::string_view kLibraries[] = {"cublas", "cufft",  "curand", "cusolver", "cusparse",
                                           "cudnn",  "nvrtc",  "npp",    "cutlass",  "helper_",
                                           "opencv", "Eigen/", "boost/", "omp.h"};

struct Home {
  std::string_view name;
  std::string_view header;
};

// Names, as "identifier "printf" is undefined" or "namespace "std" has no member "vector"".
constexpr Home kHomes[] = {
    {"\"printf\"", "<cstdio>"},
    {"\"fprintf\"", "<cstdio>"},
    {"\"malloc\"", "<cstdlib>"},
    {"\"free\"", "<cstdlib>"},
    {"\"exit\"", "<cstdlib>"},
    {"\"assert\"", "<cassert>"},
    {"\"vector\"", "<vector>"},
    {"\"string\"", "<string>"},
    {"\"array\"", "<array>"},
    {"\"cout\"", "<iostream>"},
    {"\"cerr\"", "<iostream>"},
    {"\"swap\"", "<utility>"},
    {"\"unique_ptr\"", "<memory>"},
    {"\"runtime_error\"", "<stdexcept>"},
    {"\"numeric_limits\"", "<limits>"},
    {"\"uint32_t\"", "<cstdint>"},
    {"\"uint64_t\"", "<cstdint>"},
    {"\"int64_t\"", "<cstdint>"},
    {"\"uint8_t\"", "<cstdint>"},
    {"\"memcpy\"", "<cstring>"},
    {"\"FLT_MAX\"", "<cfloat>"},
    {"\"INT_MAX\"", "<climits>"},
    {"\"cooperative_groups\"", "<cooperative_groups.h>"},
    {"\"cub\"", "<cub/cub.cuh>"},
    {"\"__half\"", "<cuda_fp16.h>"},
    {"\"half\"", "<cuda_fp16.h>"},
};

std::string MissingHeader(std::string_view message) {
  const std::string_view header = message.substr(0, message.find(": No such file"));
  for (const std::string_view library : kLibraries) {
    if (!Has(header, library)) continue;
    return "there is no such library here: a submission has the CUDA runtime and the C++ library";
  }
  return "only the submission's own files, the assignment's header, CUDA's and the C++ library's "
         "are here: submit the header with it, or write what you need of it into the file";
}

}  // namespace

std::string CompileHint(std::string_view message, const Language& language) {
  if (Has(message, ": No such file or directory")) return MissingHeader(message);
  for (const std::string_view flag : {"extended-lambda", "expt-relaxed-constexpr"}) {
    if (!Has(message, flag)) continue;
    return fmt::format("submissions are compiled by `{}`, without --{}: {}", language.Command(),
                       flag,
                       flag == "extended-lambda" ? "write a struct with a __device__ operator()"
                                                 : "mark the constexpr function __device__ too");
  }
  for (const Advice& advice : kAdvice) {
    if (Has(message, advice.part)) return std::string(advice.hint);
  }
  if (Has(message, "is undefined") || Has(message, "has no member") ||
      Has(message, "name must be a namespace name") || Has(message, "is not a template") ||
      Has(message, "name followed by \"::\"")) {
    for (const Home& home : kHomes) {
      if (Has(message, home.name)) return fmt::format("#include {}", home.header);
    }
  }
  return {};
}

namespace {

// Just after the bracket that closes the one at `open`; npos where none does.
std::size_t AfterBrackets(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

// "tiled" of "ns::tiled(float*)" and "void tiled<32>(float*)".
std::string_view PlainName(std::string_view signature) {
  const std::string_view name = signature.substr(0, signature.find_first_of("(<["));
  const std::size_t start = name.find_last_of(" :");
  return start == std::string_view::npos ? name : name.substr(start + 1);
}

// The .cu file that "keep/a.o:a.cudafe1.cpp:(.text+0x10)" or "a.cudafe1.cpp:(..." came from.
std::string FileOf(std::string_view place, const Sources& sources) {
  for (const std::string& kernel : sources.kernels) {
    const std::string made = std::filesystem::path(kernel).stem().string() + ".cudafe1.cpp:";
    const std::size_t at = place.find(made);
    if (at != std::string_view::npos && (at == 0 || !IsOfIdentifier(place[at - 1]))) return kernel;
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
    return std::nullopt;  // of a kernel, which is named too
  const std::string second = FileOf(std::string_view(line).substr(0, at), sources);
  const std::string first = FileOf(std::string_view(line).substr(end), sources);
  CompileError error;
  error.message = first.empty() || second.empty()
                      ? fmt::format("{} is defined twice", symbol)
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

namespace {

constexpr std::size_t kMaxLog = 64 << 10;

int Number(std::string_view text) {
  if (text.empty() || text.size() > 9) return 0;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "transpose.cu(12)", "transpose.cu:12:3" or "transpose.cu:12".
SourceLocation ParsePlace(std::string_view place) {
  if (place.ends_with(')')) {
    const std::size_t open = place.rfind('(');
    if (open == std::string_view::npos) return {};
    const int line = Number(place.substr(open + 1, place.size() - open - 2));
    return line == 0 ? SourceLocation{} : SourceLocation{std::string(place.substr(0, open)), line};
  }
  int numbers[2] = {0, 0};
  int count = 0;
  while (count < 2) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) break;
    const int number = Number(place.substr(colon + 1));
    if (number == 0) break;
    numbers[count++] = number;
    place = place.substr(0, colon);
  }
  if (count == 0) return {};
  return {std::string(place), numbers[count - 1], count == 2 ? numbers[0] : 0};
}

bool ParseError(std::string_view line, CompileError& error) {
  for (const std::string_view mark : {": error: ", ": fatal error: ", ": catastrophic error: "}) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    error.where = ParsePlace(line.substr(0, at));
    error.message = line.substr(at + mark.size());
    return true;
  }
  return false;
}

void Erase(std::string& text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
}

}  // namespace

std::string CleanLog(std::string_view text, const std::vector<std::string>& folders) {
  std::istringstream lines{std::string(text)};
  std::string log;
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& folder : folders) Erase(line, folder + "/");
    if (line.starts_with("nvcc warning : Support for offline")) continue;
    log += line + '\n';
  }
  if (log.size() > kMaxLog) {
    log.resize(kMaxLog);
    log += "\n[the rest of the compiler's text is left out]\n";
  }
  return log;
}

CompileError ParseErrors(std::string log) {
  CompileError error;
  std::istringstream lines{log};
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (ParseError(line, error)) break;
  }
  if (error.message.empty()) error.message = first.empty() ? "nvcc failed without a word" : first;
  error.log = std::move(log);
  return error;
}

}  // namespace warpcheck::compile
