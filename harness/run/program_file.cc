#include "cli/run/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/file_formats/elf_file.h"
#include "base/files.h"

namespace warpcheck {
namespace {

constexpr std::string_view kCudart = "libcudart.so.";
constexpr int kRuntimes[] = {13};  // harness/run/CMakeLists.txt builds them

void ReadLibraries(const ElfFile& file, const Elf64_Shdr& section, ProgramFile& program) {
  file.EachEntry<Elf64_Dyn>(section, [&](const Elf64_Dyn& entry) {
    if (entry.d_tag != DT_NEEDED) return;
    program.libraries.push_back(file.TextAt(section.sh_link, entry.d_un.d_val));
  });
}

void ReadSymbols(const ElfFile& file, const Elf64_Shdr& section, ProgramFile& program) {
  file.EachEntry<Elf64_Sym>(section, [&](const Elf64_Sym& symbol) {
    if (symbol.st_shndx != SHN_UNDEF) return;
    const std::string name = file.TextAt(section.sh_link, symbol.st_name);
    if (name.starts_with("cuda") || name.starts_with("__cuda")) program.calls_runtime = true;
  });
}

Result<ProgramFile> ReadProgram(std::string_view bytes) {
  const auto file = ElfFile::Open(bytes);
  if (!file) return Fail("it is not a 64-bit program");
  ProgramFile program;
  program.elf = true;
  for (std::uint64_t i = 0; i < file->sections(); ++i) {
    const auto section = file->Section(i);
    if (!section) return Fail("its section headers are damaged");
    if (file->NameOf(*section).starts_with(".nv_fatbin")) program.device_code = true;
    if (section->sh_type == SHT_DYNAMIC) ReadLibraries(*file, *section, program);
    if (section->sh_type == SHT_DYNSYM) ReadSymbols(*file, *section, program);
  }
  return program;
}

}  // namespace

bool ProgramFile::LinkedWith(std::string_view prefix) const {
  return std::ranges::any_of(libraries,
                             [&](const std::string& name) { return name.starts_with(prefix); });
}

Result<ProgramFile> InspectProgram(const std::filesystem::path& path) {
  const auto bytes = WARPCHECK_TRY(ReadFile(path, std::size_t{4} << 30));
  if (!bytes.starts_with(ELFMAG)) return ProgramFile();
  auto program = ReadProgram(bytes);
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
        fmt::format("{} uses only the CUDA driver API, which warpcheck does not offer", name), {},
        "use the CUDA runtime API (cudaMalloc, kernel<<<>>>), with nvcc -cudart shared");
  }
  return kRuntimes[0];
}

}  // namespace warpcheck
