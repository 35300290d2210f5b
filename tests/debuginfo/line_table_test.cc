// Lines must be found in tables as compilers write them, and damaged tables must do no harm.
#include "debuginfo/line_table.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace warpcheck {
namespace {

std::string Number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string Text(std::string_view text) { return std::string(text) + '\0'; }

// Returns the part between the length of the header and the files, which is the same in all
// versions.
std::string Middle(bool has_operations) {
  return Number(1, 1) + (has_operations ? Number(1, 1) : "") + Number(1, 1) +
         Number(0xFB, 1) +  // lines begin at -5
         Number(14, 1) + Number(13, 1) + std::string("\0\1\1\1\1\0\0\0\1\0\0\1", 12);
}

// a.cu:10 from 0x1000, a.cu:11 from 0x1002, h.h:111 from 0x1006 to 0x100a.
std::string Program(int first_file) {
  return std::string("\0\x09\x02", 3) + Number(0x1000, 8) +            // address
         "\x04" + Number(static_cast<std::uint64_t>(first_file), 1) +  // file
         "\x03\x09\x01" +                                              // line 10, a row
         "\x2F" +  // the address is 2 more, the line 1
         "\x04" + Number(static_cast<std::uint64_t>(first_file) + 1, 1) + "\x03" +
         std::string("\xE4\x00", 2) +            // the line is 100 more
         "\x02\x04\x01" +                        // the address is 4 more; a row
         "\x02\x04" + std::string("\0\1\1", 3);  // the address is 4 more; the end of the rows
}

std::string Unit(int version, const std::string& sizes, const std::string& header,
                 const std::string& program) {
  const std::string body = Number(static_cast<std::uint64_t>(version), 2) + sizes +
                           Number(header.size(), 4) + header + program;
  return Number(body.size(), 4) + body;
}

std::string Version4() {
  return Unit(4, "",
              Middle(true) + Text("src") + Text("") + Text("a.cu") + std::string("\1\0\0", 3) +
                  Text("/usr/h.h") + std::string("\0\0\0", 3) + Text(""),
              Program(1));
}

constexpr std::string_view kStrings("/work\0src\0a.cu\0/usr/h.h\0", 24);

std::string Version5() {
  const std::string folders =
      Number(1, 1) + "\x01\x1F" + Number(2, 1) + Number(0, 4) + Number(6, 4);  // paths, as offsets
  const std::string files = Number(2, 1) + "\x01\x1F\x02\x0B" + Number(2, 1) + Number(10, 4) +
                            Number(1, 1) + Number(15, 4) + Number(0, 1);
  return Unit(5, Number(8, 1) + Number(0, 1), Middle(true) + folders + files, Program(0));
}

LineTable TableOf(std::string_view bytes) {
  return LineTable({.lines = std::as_bytes(std::span(bytes)),
                    .line_strings = std::as_bytes(std::span(kStrings)),
                    .strings = {}});
}

std::string LineAt(const LineTable& table, std::uint64_t address) {
  return table.Find(address, [](std::string_view file) { return !file.starts_with("/usr"); })
      .Text();
}

TEST(LineTable, FindsLines) {
  const std::string bytes = Version4();
  const LineTable table = TableOf(bytes);
  EXPECT_EQ(LineAt(table, 0xFFF), "");
  EXPECT_EQ(LineAt(table, 0x1000), "src/a.cu:10");
  EXPECT_EQ(LineAt(table, 0x1001), "src/a.cu:10");
  EXPECT_EQ(LineAt(table, 0x1002), "src/a.cu:11");
  EXPECT_EQ(LineAt(table, 0x100A), "");
}

TEST(LineTable, CodeOfOtherFilesCountsForTheLineBefore) {
  const std::string bytes = Version4();
  const LineTable table = TableOf(bytes);
  EXPECT_EQ(LineAt(table, 0x1009), "src/a.cu:11");
  EXPECT_EQ(table.Find(0x1009, [](std::string_view) { return true; }).Text(), "/usr/h.h:111");
}

TEST(LineTable, ReadsVersion5) {
  const std::string bytes = Version5();
  EXPECT_EQ(LineAt(TableOf(bytes), 0x1003), "/work/src/a.cu:11");
}

TEST(LineTable, UnitsAreReadOneAfterTheOther) {
  const std::string bytes = Unit(9, "", "", "new") + Version4();
  EXPECT_EQ(LineAt(TableOf(bytes), 0x1000), "src/a.cu:10");
}

TEST(LineTable, DamagedTablesDoNoHarm) {
  for (const std::string& whole : {Version4(), Version5()}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      (void)LineAt(TableOf(std::string_view(whole).substr(0, i)), 0x1003);
      for (const char value : {'\0', '\x01', '\x7F', '\xFF'}) {
        std::string damaged = whole;
        damaged[i] = value;
        (void)LineAt(TableOf(damaged), 0x1003);
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck
