// Tests the table of docs/limiter.md: what the bounds name as the limiter of kernels of which it is
// known. Each row is run on the emulator.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "host/places.h"
#include "labs/lab/measure.h"

namespace warpcheck::lab {
namespace {

// A row of the table: | lab | at | variant | known | source | named | right |.
struct KnownRow {
  std::string lab, at, variant, known, source, named, right;
};

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Returns the rows of the table that begins with the column "lab".
std::vector<KnownRow> RowsOfTheDocumentation() {
  const auto text = ReadFile(std::filesystem::path(WARPCHECK_SOURCE_DIR) / "docs/limiter.md");
  std::vector<KnownRow> rows;
  std::istringstream lines(text ? *text : "");
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| lab |")) in_table = true;
    if (!line.starts_with("|")) in_table = false;
    if (!in_table || line.starts_with("| lab |") || line.starts_with("|---")) continue;
    std::vector<std::string> cells;
    std::istringstream cell_texts(line.substr(1));
    for (std::string cell; std::getline(cell_texts, cell, '|');) cells.push_back(Trimmed(cell));
    EXPECT_EQ(cells.size(), 7U) << line;
    if (cells.size() != 7) continue;
    rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]});
  }
  return rows;
}

// Reads "n = 65536, offset = 31".
Chosen ChosenAt(const std::string& at) {
  Chosen chosen;
  std::istringstream settings(at);
  for (std::string setting; std::getline(settings, setting, ',');) {
    const std::size_t equals = setting.find('=');
    chosen[Trimmed(setting.substr(0, equals))] = {AxisValueOf(Trimmed(setting.substr(equals + 1)))};
  }
  return chosen;
}

// Returns the limiter that the bounds name for a row, or why there is none.
Result<std::string> NamedLimiter(const KnownRow& row) {
  const Bench bench{.device = "warpcheck emulator",
                    .processes = {{.arguments = {"--emulator", "--counting=lines", "--launch=0"},
                                   .of_one_line = true}},
                    .notes = {}};
  const Lab lab =
      WARPCHECK_TRY(ReadLab(std::filesystem::path(WARPCHECK_SOURCE_DIR) / "labs" / row.lab));
  KernelNames names;
  auto plan = WARPCHECK_TRY(Plan(lab, ChosenAt(row.at), false, names));
  std::erase_if(plan, [&](const Planned& line) { return line.row.variant != row.variant; });
  if (plan.empty()) return Fail("the lab has no such variant");
  const auto cache = WARPCHECK_TRY(CacheFolder());
  const auto kernels = WARPCHECK_TRY(CompileKernels(lab, names, cache));
  const Measured measured = Measure(lab, {plan.front()}, kernels, bench);
  if (measured.fault) return tl::unexpected(*measured.fault);
  if (measured.rows.empty() || !measured.rows[0].limiter) return Fail("no limiter is named");
  return std::string(LimiterName(*measured.rows[0].limiter));
}

TEST(KnownLimiters, AreThoseOfTheDocumentation) {
  ::setenv("WARPCHECK_GPU_HOST", WARPCHECK_GPU_HOST_PROGRAM, 1);
  const std::vector<KnownRow> rows = RowsOfTheDocumentation();
  std::size_t right = 0;
  std::set<std::string> labs;
  for (const KnownRow& row : rows) {
    SCOPED_TRACE(fmt::format("{}, {}, {}", row.lab, row.at, row.variant));
    const auto named = NamedLimiter(row);
    ASSERT_TRUE(named) << named.error().Text();
    EXPECT_EQ(row.named, *named);
    EXPECT_EQ(row.right, row.known == *named ? "yes" : "no");
    EXPECT_FALSE(row.source.empty());
    right += row.known == *named ? 1 : 0;
    labs.insert(row.lab);
  }
  EXPECT_GE(labs.size(), 10U);
  EXPECT_GE(rows.size(), 10U);
  EXPECT_GE(10 * right, 8 * rows.size()) << right << " of " << rows.size() << " are right";
  ::unsetenv("WARPCHECK_GPU_HOST");
}

}  // namespace
}  // namespace warpcheck::lab
