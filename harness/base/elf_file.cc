#include "base/elf_file.h"

namespace warpcheck {

std::optional<ElfFile> ElfFile::Open(std::string_view bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return std::nullopt;
  }
  return ElfFile(bytes, header);
}

std::optional<Elf64_Shdr> ElfFile::Section(std::uint64_t number) const {
  return ReadAt<Elf64_Shdr>(header_.e_shoff, number);
}

std::string ElfFile::NameOf(const Elf64_Shdr& section) const {
  return TextAt(header_.e_shstrndx, section.sh_name);
}

std::string_view ElfFile::BytesOf(const Elf64_Shdr& section) const {
  const bool in_file = section.sh_type != SHT_NOBITS && (section.sh_flags & SHF_COMPRESSED) == 0 &&
                       section.sh_offset <= bytes_.size() &&
                       section.sh_size <= bytes_.size() - section.sh_offset;
  return in_file ? bytes_.substr(section.sh_offset, section.sh_size) : std::string_view();
}

std::string ElfFile::TextAt(std::uint64_t table, std::uint64_t offset) const {
  const auto strings = Section(table);
  if (!strings || strings->sh_offset > bytes_.size() ||
      offset >= bytes_.size() - strings->sh_offset) {
    return {};
  }
  const std::string_view rest = bytes_.substr(strings->sh_offset + offset);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string() : std::string(rest.substr(0, end));
}

}  // namespace warpcheck
