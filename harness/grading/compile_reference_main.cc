// compile_reference [--sealed] <rubric.toml> <nvcc> <arguments ...>: runs nvcc on a reference with
// the flags that submissions to this rubric get, so that both are written in one language.
//
// --sealed is for what is given out: compressed PTX, without lines, and kernels that are called
// reference_1, reference_2, ... in place of names that say how they work. Whoever takes it apart
// still finds PTX: it is no secret, and reads as no solution (docs/threat_model.md).
#include <fmt/format.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/files.h"
#include "grading/rubric.h"

namespace warpcheck {
namespace {

constexpr int kOldestGpu = 75;  // that CUDA 13 supports: its PTX runs on every later one

// The names of a source's kernels, each once, in their order: what stands before the first "("
// after
// __global__, launch bounds and the like aside.
std::vector<std::string> KernelsIn(const std::string& source) {
  static const re2::RE2 kKernel(
      R"(__global__(?:[^(;{]*?__\w+__\s*\((?:[^()]|\([^()]*\))*\))*[^(;{]*?(\w+)\s*\()");
  std::vector<std::string> names;
  re2::StringPiece rest(source);
  for (std::string name; re2::RE2::FindAndConsume(&rest, kKernel, &name);) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<std::vector<std::string>> SealedFlags(std::vector<std::string> flags,
                                             const std::filesystem::path& source) {
  std::erase_if(flags, [](const std::string& flag) {
    return flag == "-lineinfo" || flag == "--no-compress";
  });
  const auto text = WARPCHECK_TRY(ReadFile(source));
  int number = 0;
  for (const std::string& name : KernelsIn(text)) {
    flags.push_back(fmt::format("-D{}=reference_{}", name, ++number));
  }
  if (number == 0) return Fail("there is no kernel in it", {.file = source.string()});
  return flags;
}

int CompileReference(bool sealed, const char* file, const char* nvcc, char** arguments) {
  const auto toml = ReadFile(file);
  if (!toml) return fmt::print(stderr, "{}\n", toml.error().Text()), 1;
  const auto rubric = ParseRubric(*toml, file);
  if (!rubric) return fmt::print(stderr, "{}\n", rubric.error().Text()), 1;
  std::vector<std::string> words = build::NvccFlags(rubric->language, kOldestGpu);
  if (sealed) {
    char** source = arguments;
    while (*source != nullptr && !std::string_view(*source).ends_with(".cu")) ++source;
    if (*source == nullptr) return fmt::print(stderr, "no argument names a .cu file\n"), 2;
    auto flags = SealedFlags(std::move(words), *source);
    if (!flags) return fmt::print(stderr, "{}\n", flags.error().Text()), 1;
    words = *std::move(flags);
  }
  words.insert(words.begin(), nvcc);
  for (; *arguments != nullptr; ++arguments) words.emplace_back(*arguments);
  std::vector<char*> line;
  for (std::string& word : words) line.push_back(word.data());
  line.push_back(nullptr);
  ::execv(nvcc, line.data());
  return fmt::print(stderr, "cannot run {}: {}\n", nvcc, std::strerror(errno)), 1;
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) {
  const bool sealed = argc > 1 && std::strcmp(argv[1], "--sealed") == 0;
  char** const arguments = argv + (sealed ? 2 : 1);
  if (argv + argc - arguments > 2) {
    return warpcheck::CompileReference(sealed, arguments[0], arguments[1], arguments + 2);
  }
  fmt::print(stderr, "usage: compile_reference [--sealed] <rubric.toml> <nvcc> <arguments ...>\n");
  return 2;
}
