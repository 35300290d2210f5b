#include "base/elf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/files.h"

namespace warpcheck {
namespace {

using testing::Contains;
using testing::IsSupersetOf;

std::string ThisProgram() { return ReadFile("/proc/self/exe").value(); }

// Returns the names of all sections, and reads every symbol.
std::vector<std::string> Names(const ElfFile& file) {
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < file.sections(); ++i) {
    const auto section = file.Section(i);
    if (!section) continue;
    names.push_back(file.NameOf(*section));
    if (section->sh_type != SHT_DYNSYM) continue;
    file.EachEntry<Elf64_Sym>(*section, [&](const Elf64_Sym& symbol) {
      names.push_back(file.TextAt(section->sh_link, symbol.st_name));
    });
  }
  return names;
}

TEST(ElfFile, ReadsSectionsAndTheirTables) {
  const std::string program = ThisProgram();
  const auto file = ElfFile::Open(program);
  ASSERT_TRUE(file);
  EXPECT_THAT(Names(*file), IsSupersetOf({".text", ".dynsym", "__libc_start_main"}));
  std::vector<Elf64_Sxword> tags;
  for (std::uint64_t i = 0; i < file->sections(); ++i) {
    const auto section = file->Section(i);
    ASSERT_TRUE(section);
    if (section->sh_type != SHT_DYNAMIC) continue;
    file->EachEntry<Elf64_Dyn>(*section,
                               [&](const Elf64_Dyn& entry) { tags.push_back(entry.d_tag); });
  }
  EXPECT_THAT(tags, Contains(DT_NEEDED));
  EXPECT_FALSE(file->Section(file->sections() + program.size()));
}

TEST(ElfFile, OpensNoOtherFile) {
  EXPECT_FALSE(ElfFile::Open(""));
  EXPECT_FALSE(
      ElfFile::Open("\x7F"
                    "ELF"));
  std::string of_32_bits = ThisProgram();
  of_32_bits[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(ElfFile::Open(of_32_bits));
}

// Nothing outside of the file may be read; the sanitizers check that.
TEST(ElfFile, StaysWithinADamagedFile) {
  const std::string program = ThisProgram();
  const std::size_t whole = Names(*ElfFile::Open(program)).size();
  for (std::size_t divisor = 2; divisor < 50; ++divisor) {
    const std::string cut = program.substr(0, program.size() / divisor);
    EXPECT_LE(Names(*ElfFile::Open(cut)).size(), whole);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::string damaged = program;
    for (int j = 0; j < 4; ++j) damaged[EI_NIDENT + random() % 48] = static_cast<char>(random());
    const auto file = ElfFile::Open(damaged);
    ASSERT_TRUE(file);
    if (file->sections() < 1000) (void)Names(*file);
  }
}

}  // namespace
}  // namespace warpcheck
