#include "cli/run/program_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/files.h"

namespace warpcheck {
namespace {

constexpr std::string_view kCudart = "libcudart.so.";
constexpr int kRuntimes[] = {13};  // harness/run/CMakeLists.txt builds them

// Reads an ELF file (System V ABI, "Object Files"), and trusts none of its fields.
class ElfReader {
 public:
  explicit ElfReader(std::string_view bytes) : bytes_(bytes) {}

  Result<ProgramFile> Read() {
    const auto header = At<Elf64_Ehdr>(0);
    if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB) {
      return Fail("it is not a 64-bit program");
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

  // Returns a text of a string table; empty if there is none.
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

}  // namespace warpcheck
