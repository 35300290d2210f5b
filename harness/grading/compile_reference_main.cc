// compile_reference <rubric.toml> <nvcc> <arguments ...>: runs nvcc on a reference with the flags
// that submissions to this rubric get, so that both are written in one language.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "grading/rubric.h"

namespace warpcheck {
namespace {

constexpr int kOldestGpu = 75;  // that CUDA 13 supports: its PTX runs on every later one

int CompileReference(const char* file, const char* nvcc, char** arguments) {
  const auto toml = ReadFile(file);
  if (!toml) return fmt::print(stderr, "{}\n", toml.error().Text()), 1;
  const auto rubric = ParseRubric(*toml, file);
  if (!rubric) return fmt::print(stderr, "{}\n", rubric.error().Text()), 1;
  std::vector<std::string> words = build::NvccFlags(rubric->language, kOldestGpu);
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
  if (argc > 3) return warpcheck::CompileReference(argv[1], argv[2], argv + 3);
  fmt::print(stderr, "usage: compile_reference <rubric.toml> <nvcc> <arguments ...>\n");
  return 2;
}
