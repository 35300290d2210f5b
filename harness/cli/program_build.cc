#include "cli/program_build.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"
#include "base/scratch_folder.h"
#include "cli/places.h"
#include "compile/builder.h"
#include "compile/source/language.h"
#include "process/run_program.h"

namespace warpcheck {

namespace {

constexpr std::string_view kCudart = "libcudart.so.";
constexpr int kRuntimes[] = {13};  // harness/run/CMakeLists.txt builds them

// Reads an ELF file (System V ABI, "Object Files"), of which no field is trusted.
class ElfReader {
 public:
  explicit ElfReader(std::string_view bytes) : bytes_(bytes) {}

  Result<ProgramFile> Read() {
    const auto header = At<Elf64_Ehdr>(0);
    if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB) {
      return Fail("it is no 64-bit program");
    }
    ProgramFile program;
    program.elf = true;
    const auto names = SectionAt(*header, header->e_shstrndx);
    for (unsigned i = 0; i < header->e_shnum; ++i) {
      const auto section = SectionAt(*header, i);
      if (!section) return Fail("its section headers are damaged");
      if (names && TextAt(*names, section->sh_name).starts_with(".nv_fatbin")) {
        program.device_code = true;
      }
      if (section->sh_type == SHT_DYNAMIC) ReadLibraries(*header, *section, program);
      if (section->sh_type == SHT_DYNSYM) ReadSymbols(*header, *section, program);
    }
    return program;
  }

 private:
  template <class T>
  std::optional<T> At(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::optional<Elf64_Shdr> SectionAt(const Elf64_Ehdr& header, unsigned index) const {
    return At<Elf64_Shdr>(header.e_shoff + std::uint64_t{index} * sizeof(Elf64_Shdr));
  }

  // A text of a string table; empty where there is none.
  std::string TextAt(const Elf64_Shdr& table, std::uint64_t offset) const {
    if (table.sh_offset > bytes_.size() || offset > bytes_.size() - table.sh_offset) return "";
    const std::string_view rest = bytes_.substr(table.sh_offset + offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  template <class T, class Body>
  void EachEntry(const Elf64_Shdr& section, Body body) const {
    for (std::uint64_t i = 0; i < section.sh_size / sizeof(T); ++i) {
      const auto entry = At<T>(section.sh_offset + i * sizeof(T));
      if (!entry) return;
      body(*entry);
    }
  }

  void ReadLibraries(const Elf64_Ehdr& header, const Elf64_Shdr& section,
                     ProgramFile& program) const {
    const auto names = SectionAt(header, section.sh_link);
    if (!names) return;
    EachEntry<Elf64_Dyn>(section, [&](const Elf64_Dyn& entry) {
      if (entry.d_tag == DT_NEEDED) program.libraries.push_back(TextAt(*names, entry.d_un.d_val));
    });
  }

  void ReadSymbols(const Elf64_Ehdr& header, const Elf64_Shdr& section,
                   ProgramFile& program) const {
    const auto names = SectionAt(header, section.sh_link);
    if (!names) return;
    EachEntry<Elf64_Sym>(section, [&](const Elf64_Sym& symbol) {
      if (symbol.st_shndx != SHN_UNDEF) return;
      const std::string name = TextAt(*names, symbol.st_name);
      if (name.starts_with("cuda") || name.starts_with("__cuda")) program.calls_runtime = true;
    });
  }

  std::string_view bytes_;
};

}  // namespace

bool ProgramFile::LinkedWith(std::string_view prefix) const {
  return std::ranges::any_of(libraries,
                             [&](const std::string& name) { return name.starts_with(prefix); });
}

Result<ProgramFile> InspectProgram(const std::filesystem::path& path) {
  const auto bytes = WARPCHECK_TRY(ReadFile(path, std::size_t{4} << 30));
  if (!bytes.starts_with(ELFMAG)) return ProgramFile();
  auto program = ElfReader(bytes).Read();
  if (!program)
    return Fail(fmt::format("cannot run {}: {}", path.string(), program.error().message));
  return program;
}

Result<int> RuntimeFor(const ProgramFile& program, const std::string& name) {
  for (const std::string& library : program.libraries) {
    if (!library.starts_with(kCudart)) continue;
    const std::string_view version = std::string_view(library).substr(kCudart.size());
    int major = 0;
    std::from_chars(version.data(), version.data() + version.size(), major);
    if (std::ranges::count(kRuntimes, major) != 0) return major;
    return Fail(fmt::format("{} is linked with {}, and warpcheck offers {}{}", name, library,
                            kCudart, kRuntimes[0]),
                {}, "build it with the CUDA Toolkit 13");
  }
  if (program.device_code && !program.calls_runtime) {
    return Fail(
        fmt::format("{} has the CUDA runtime linked into it, which cannot be replaced", name), {},
        "build it with nvcc -cudart shared (with CMake: CMAKE_CUDA_RUNTIME_LIBRARY=Shared)");
  }
  if (program.LinkedWith("libcuda.so") && !program.calls_runtime) {
    return Fail(
        fmt::format("{} uses the CUDA driver API alone, which warpcheck does not offer", name), {},
        "use the CUDA runtime API (cudaMalloc, kernel<<<>>>), with nvcc -cudart shared");
  }
  return kRuntimes[0];
}

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kLimit{10};

// Of the program beside its list of dependencies: one line a file, its hash and its path.
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
    const auto hash = WARPCHECK_TRY(HashOf(name));
    list += fmt::format("{} {}\n", hash, fs::absolute(name).string());
  }
  return list;
}

Result<> Compile(const fs::path& nvcc, const ProgramSource& source, const fs::path& folder) {
  ProgramRun run;
  run.program = nvcc;
  run.arguments = {fmt::format("-std=c++{}", compile::kDefaultStandard),
                   "-O3",
                   "-lineinfo",
                   "-cudart",
                   "shared",
                   "-gencode",
                   fmt::format("arch=compute_{0},code=compute_{0}", kDefaultTarget)};
  run.arguments.insert(run.arguments.end(), source.flags.begin(), source.flags.end());
  for (const std::string& word :
       {std::string("-MMD"), std::string("-MF"), (folder / "rule").string(), std::string("-o"),
        (folder / "program").string(), fs::absolute(source.file).string()}) {
    run.arguments.push_back(word);
  }
  run.limit = kLimit;
  run.max_output = std::size_t{1} << 20;
  const auto end = WARPCHECK_TRY(RunProgram(run));
  std::fputs(end.output.c_str(), stderr);
  if (!end.Succeeded()) {
    return Fail(
        fmt::format("{} could not be built: nvcc {}", source.file.string(), end.Text(kLimit)));
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
  const std::string toolkit = WARPCHECK_TRY(compile::Fingerprint(*nvcc));
  std::vector<std::string_view> parts = {"warpcheck run 2", toolkit, name};
  parts.insert(parts.end(), source.flags.begin(), source.flags.end());
  const fs::path entry = cache / "programs" / Sha256(parts);
  if (UpToDate(entry)) return entry / "program";

  const auto scratch = WARPCHECK_TRY(ScratchFolder::MakeIn(
      cache / "programs", "new.", "set WARPCHECK_CACHE to a folder that can be written"));
  const fs::path& folder = scratch.path();
  WARPCHECK_TRY(Compile(*nvcc, source, folder));
  const auto list = WARPCHECK_TRY(ListSources(folder / "rule", source.file));
  WARPCHECK_TRY(WriteFile(folder / "sources", list));
  std::error_code error;
  fs::remove_all(entry, error);
  fs::rename(folder, entry, error);
  // Another run may have been quicker.
  if (error && !UpToDate(entry)) {
    return Fail(fmt::format("cannot keep the program in {}: {}", entry.string(), error.message()));
  }
  return entry / "program";
}

}  // namespace warpcheck
