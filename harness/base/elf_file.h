// ElfFile reads an ELF file (System V ABI, "Object Files"), such as a program or a shared object.
// It trusts no field of the file, and never reads outside of it.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck {

class ElfFile {
 public:
  // Returns nothing if these are not the bytes of a 64-bit file for little-endian processors.
  // `bytes` must outlive the result.
  static std::optional<ElfFile> Open(std::string_view bytes);

  // Returns true for a program that the system loads at the addresses in its file. Other files may
  // be loaded anywhere, and their addresses count from where they were loaded.
  bool is_at_fixed_addresses() const { return header_.e_type == ET_EXEC; }
  std::uint64_t sections() const { return header_.e_shnum; }
  // Returns the header of a section, numbered from 0; nothing if it lies outside of the file.
  std::optional<Elf64_Shdr> Section(std::uint64_t number) const;
  // Returns the name of a section; empty if it has none.
  std::string NameOf(const Elf64_Shdr& section) const;
  // Returns the bytes of a section; none if they lie outside of the file, or are compressed.
  std::string_view BytesOf(const Elf64_Shdr& section) const;
  // Returns the text at an offset of a table of strings, whose section has the number `table`;
  // empty if there is none.
  std::string TextAt(std::uint64_t table, std::uint64_t offset) const;

  // Calls visit(entry) for each T in a section, which may be cut off by the end of the file.
  template <class T, class Visit>
  void EachEntry(const Elf64_Shdr& section, Visit visit) const {
    for (std::uint64_t i = 0; i < section.sh_size / sizeof(T); ++i) {
      const auto entry = ReadAt<T>(section.sh_offset, i);
      if (!entry) return;
      visit(*entry);
    }
  }

 private:
  ElfFile(std::string_view bytes, const Elf64_Ehdr& header) : bytes_(bytes), header_(header) {}

  // Returns entry `index` of the table of T at `offset`; nothing if it lies outside of the file.
  template <class T>
  std::optional<T> ReadAt(std::uint64_t offset, std::uint64_t index) const {
    if (offset > bytes_.size() || index >= (bytes_.size() - offset) / sizeof(T)) {
      return std::nullopt;
    }
    T entry;
    std::memcpy(&entry, bytes_.data() + offset + index * sizeof(T), sizeof(T));
    return entry;
  }

  std::string_view bytes_;
  Elf64_Ehdr header_;
};

}  // namespace warpcheck
