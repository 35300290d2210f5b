#include "cli/run/program_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"
#include "base/scratch_folder.h"
#include "compile/builder.h"
#include "compile/source/language.h"
#include "hardware/generations.h"
#include "host/nvcc.h"
#include "process/run_program.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kLimit{10};

// Returns the hash of a file. The list beside a program has a line for each file that it was built
// from: the file's hash and path.
Result<std::string> HashOf(const std::string& file) {
  const auto bytes = WARPCHECK_TRY(ReadFile(file));
  return Sha256({bytes});
}

bool UpToDate(const fs::path& entry) {
  const auto list = ReadFile(entry / "sources");
  std::error_code error;
  if (!list || !fs::is_regular_file(entry / "program", error)) return false;
  std::istringstream lines(*list);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) return false;
    const auto hash = HashOf(line.substr(space + 1));
    if (!hash || *hash != line.substr(0, space)) return false;
  }
  return !list->empty();
}

// Returns the files of a make rule "target: a b \", in which "\ " is a space within a name.
std::vector<std::string> FilesOf(const std::string& rule) {
  std::vector<std::string> files;
  std::string file;
  for (std::size_t i = rule.find(": ") + 1; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && next == ' ') {
      file += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n' || (rule[i] == '\\' && next == '\n')) {
      if (!file.empty()) files.push_back(std::move(file));
      file.clear();
    } else {
      file += rule[i];
    }
  }
  if (!file.empty()) files.push_back(std::move(file));
  return files;
}

Result<std::string> ListSources(const fs::path& rule, const fs::path& file) {
  const auto text = ReadFile(rule);
  std::vector<std::string> files = text ? FilesOf(*text) : std::vector<std::string>();
  files.push_back(fs::absolute(file).string());
  std::string list;
  for (const std::string& name : files) {
    const auto hash = WARPCHECK_TRY(HashOf(name));
    list += fmt::format("{} {}\n", hash, fs::absolute(name).string());
  }
  return list;
}

// Compiles with these flags before the others.
Result<ProgramEnd> RunNvcc(const fs::path& nvcc, const ProgramSource& source,
                           const fs::path& folder, const std::vector<std::string>& first) {
  ProgramRun run;
  run.program = nvcc;
  run.arguments = {"-O3",        "-lineinfo",
                   "-Xcompiler",
                   "-g1",  // host code with its lines, for messages
                   "-cudart",    "shared",
                   "-gencode",   fmt::format("arch=compute_{0},code=compute_{0}", kDefaultTarget)};
  run.arguments.insert(run.arguments.begin(), first.begin(), first.end());
  run.arguments.insert(run.arguments.end(), source.flags.begin(), source.flags.end());
  for (const std::string& word :
       {std::string("-MMD"), std::string("-MF"), (folder / "rule").string(), std::string("-o"),
        (folder / "program").string(), fs::absolute(source.file).string()}) {
    run.arguments.push_back(word);
  }
  run.limit = kLimit;
  run.max_output = std::size_t{1} << 20;
  return RunProgram(run);
}

bool NamesStandard(const std::string& flag) {
  return flag.starts_with("-std") || flag.starts_with("--std");
}

// Compiles with nvcc's own standard of C++, as a person does. A file that needs a newer one gets
// the standard of submissions, and a message says so.
Result<> Compile(const fs::path& nvcc, const ProgramSource& source, const fs::path& folder) {
  auto end = WARPCHECK_TRY(RunNvcc(nvcc, source, folder, {}));
  if (!end.Succeeded() && std::ranges::none_of(source.flags, NamesStandard)) {
    const std::string flag = fmt::format("-std=c++{}", compile::kDefaultStandard);
    const auto newer = WARPCHECK_TRY(RunNvcc(nvcc, source, folder, {flag}));
    if (newer.Succeeded()) {
      end = newer;
      fmt::print(stderr,
                 "warpcheck: {} does not compile with nvcc's own standard of C++. It was built "
                 "with {}\n",
                 source.file.string(), flag);
    }
  }
  std::fputs(end.output.c_str(), stderr);
  if (!end.Succeeded()) {
    return Fail({.message = fmt::format("{} could not be built: nvcc {}", source.file.string(),
                                        end.Text(kLimit)),
                 .kind = ErrorKind::kNotBuilt});
  }
  return WriteFile(folder / "output", end.output);
}

BuiltProgram ProgramIn(const fs::path& entry) {
  return {.path = entry / "program", .output = ReadFile(entry / "output").value_or("")};
}

}  // namespace

Result<BuiltProgram> BuildProgram(const ProgramSource& source, const fs::path& cache) {
  const auto nvcc = Nvcc();
  if (!nvcc) {
    return Fail(fmt::format("{} cannot be built: there is no nvcc", source.file.string()), {},
                "install the CUDA Toolkit, or set CUDA_HOME to where it is");
  }
  const std::string name = fs::absolute(source.file).string();
  const std::string toolkit = WARPCHECK_TRY(compile::Fingerprint(*nvcc));
  std::vector<std::string_view> parts = {"warpcheck run 3", toolkit, name};
  parts.insert(parts.end(), source.flags.begin(), source.flags.end());
  const fs::path entry = cache / "programs" / Sha256(parts);
  if (UpToDate(entry)) return ProgramIn(entry);

  const auto scratch = WARPCHECK_TRY(ScratchFolder::MakeIn(
      cache / "programs", "new.", "set WARPCHECK_CACHE to a folder that can be written"));
  const fs::path& folder = scratch.path();
  WARPCHECK_TRY(Compile(*nvcc, source, folder));
  const auto list = WARPCHECK_TRY(ListSources(folder / "rule", source.file));
  WARPCHECK_TRY(WriteFile(folder / "sources", list));
  std::error_code error;
  fs::remove_all(entry, error);
  fs::rename(folder, entry, error);
  // Another run may have built the same program meanwhile.
  if (error && !UpToDate(entry)) {
    return Fail(fmt::format("cannot keep the program in {}: {}", entry.string(), error.message()));
  }
  return ProgramIn(entry);
}

}  // namespace warpcheck
