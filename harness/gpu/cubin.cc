#include "gpu/cubin.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace warpcheck::gpu {
namespace {

using Bytes = std::span<const std::byte>;

// A T at `offset`; all zeros where the file ends before.
template <class T>
T At(Bytes file, std::uint64_t offset) {
  T value = {};
  if (offset <= file.size() && sizeof value <= file.size() - offset) {
    std::memcpy(&value, file.data() + offset, sizeof value);
  }
  return value;
}

Bytes SectionBytes(Bytes file, const Elf64_Shdr& section) {
  if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) {
    return {};
  }
  return file.subspan(section.sh_offset, section.sh_size);
}

Elf64_Shdr Section(Bytes file, const Elf64_Ehdr& header, std::uint64_t index) {
  return At<Elf64_Shdr>(file, header.e_shoff + index * sizeof(Elf64_Shdr));
}

std::string Text(Bytes strings, std::uint64_t offset) {
  if (offset >= strings.size()) return "";
  const auto* begin = reinterpret_cast<const char*>(strings.data() + offset);
  return {begin, ::strnlen(begin, strings.size() - offset)};
}

void AddObjects(Bytes symbols, Bytes strings, std::vector<std::string>& names) {
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = At<Elf64_Sym>(symbols, at);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
    std::string name = Text(strings, symbol.st_name);
    if (!name.empty()) names.push_back(std::move(name));
  }
}

}  // namespace

std::vector<std::string> ObjectNames(std::span<const std::byte> cubin) {
  const auto header = At<Elf64_Ehdr>(cubin, 0);
  std::vector<std::string> names;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return names;
  }
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = Section(cubin, header, i);
    if (section.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr strings = Section(cubin, header, section.sh_link);
    AddObjects(SectionBytes(cubin, section), SectionBytes(cubin, strings), names);
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

}  // namespace warpcheck::gpu
