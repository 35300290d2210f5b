#include "cli/program_build.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstdio>
#include <sstream>

#include "base/files.h"
#include "build/language.h"
#include "build/sha256.h"
#include "cli/places.h"
#include "grading/run_program.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kLimit{10};

// Removed with all that is left in it.
struct Scratch {
  fs::path path;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

Result<fs::path> MakeFolderIn(const fs::path& parent) {
  std::error_code error;
  fs::create_directories(parent, error);
  std::string path = (parent / "new.XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return Fail(fmt::format("cannot make a folder in {}", parent.string()), {},
                "set WARPCHECK_CACHE to a folder that can be written");
  }
  return fs::path(path);
}

std::string Fingerprint(const fs::path& nvcc) {
  std::error_code error;
  const fs::path real = fs::canonical(nvcc, error);
  struct stat status = {};
  if (::stat(real.c_str(), &status) != 0) return real.string();
  return fmt::format("{} {} {}", real.string(), status.st_size, status.st_mtim.tv_sec);
}

// Of the program beside its list of dependencies: one line a file, its hash and its path.
Result<std::string> HashOf(const std::string& file) {
  const auto bytes = ReadFile(file);
  if (!bytes) return Fail(bytes.error());
  return build::Sha256({*bytes});
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

// The files of a make rule "target: a b \", where "\ " is a space within a name.
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
    const auto hash = HashOf(name);
    if (!hash) return Fail(hash.error());
    list += fmt::format("{} {}\n", *hash, fs::absolute(name).string());
  }
  return list;
}

Result<> Compile(const fs::path& nvcc, const ProgramSource& source, const fs::path& folder) {
  ProgramRun run;
  run.program = nvcc;
  run.arguments = {fmt::format("-std=c++{}", build::kDefaultStandard),
                   "-O3",
                   "-lineinfo",
                   "-cudart",
                   "shared",
                   "-gencode",
                   "arch=compute_90,code=compute_90"};
  run.arguments.insert(run.arguments.end(), source.flags.begin(), source.flags.end());
  for (const std::string& word :
       {std::string("-MMD"), std::string("-MF"), (folder / "rule").string(), std::string("-o"),
        (folder / "program").string(), fs::absolute(source.file).string()}) {
    run.arguments.push_back(word);
  }
  run.limit = kLimit;
  run.max_output = std::size_t{1} << 20;
  const auto end = RunProgram(run);
  if (!end) return Fail(end.error());
  std::fputs(end->output.c_str(), stderr);
  if (end->timed_out || end->signaled || end->code != 0) {
    return Fail(
        fmt::format("{} could not be built: nvcc {}", source.file.string(), end->Text(kLimit)));
  }
  return {};
}

}  // namespace

Result<fs::path> BuildProgram(const ProgramSource& source, const fs::path& cache) {
  const auto nvcc = Nvcc();
  if (!nvcc) {
    return Fail(fmt::format("{} has to be built, and there is no nvcc", source.file.string()), {},
                "install the CUDA Toolkit, or set CUDA_HOME to where it is");
  }
  const std::string name = fs::absolute(source.file).string();
  const std::string toolkit = Fingerprint(*nvcc);
  std::vector<std::string_view> parts = {"warpcheck run 2", toolkit, name};
  parts.insert(parts.end(), source.flags.begin(), source.flags.end());
  const fs::path entry = cache / "programs" / build::Sha256(parts);
  if (UpToDate(entry)) return entry / "program";

  const auto folder = MakeFolderIn(cache / "programs");
  if (!folder) return Fail(folder.error());
  const Scratch scratch{*folder};
  if (auto compiled = Compile(*nvcc, source, *folder); !compiled) return Fail(compiled.error());
  const auto list = ListSources(*folder / "rule", source.file);
  if (!list) return Fail(list.error());
  if (auto written = WriteFile(*folder / "sources", *list); !written) return Fail(written.error());
  std::error_code error;
  fs::remove_all(entry, error);
  fs::rename(*folder, entry, error);
  // Another run may have been quicker.
  if (error && !UpToDate(entry)) {
    return Fail(fmt::format("cannot keep the program in {}: {}", entry.string(), error.message()));
  }
  return entry / "program";
}

}  // namespace warpcheck
