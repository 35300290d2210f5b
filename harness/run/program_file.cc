#include "run/program_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/elf_file.h"
#include "base/files.h"

namespace warpcheck::run {
namespace {

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

}  // namespace warpcheck::run
