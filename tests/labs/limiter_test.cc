// Tests the table of docs/limiter.md: what the bounds, and an H100, name as the limiter of kernels
// of which it is known. Each row is run on the emulator; what the H100 measured is in a file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/files.h"
#include "hardware/measured_limiter.h"
#include "host/places.h"
#include "lab/read_lab.h"
#include "lab/run/measure.h"

namespace warpcheck::lab {
namespace {

// A row of the table: | lab | at | variant | known | source | named | right | by a GPU |.
struct KnownRow {
  std::string lab, at, variant, known, source, named, right, by_gpu;
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
    EXPECT_EQ(cells.size(), 8U) << line;
    if (cells.size() != 8) continue;
    rows.push_back(
        {cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]});
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
  const Lab lab =
      WARPCHECK_TRY(ReadLab(std::filesystem::path(WARPCHECK_SOURCE_DIR) / "labs" / row.lab));
  KernelNames names;
  auto plan = WARPCHECK_TRY(Plan(lab, ChosenAt(row.at), false, names));
  std::erase_if(plan, [&](const Planned& line) { return line.row.variant != row.variant; });
  if (plan.empty()) return Fail("the lab has no such variant");
  const auto cache = WARPCHECK_TRY(CacheFolder());
  const auto kernels = WARPCHECK_TRY(CompileKernels(lab, names, cache));
  const Measured measured = Measure(lab, {plan.front()}, kernels, EmulatorBench());
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

// Returns a line of h100_use.csv without its first three fields: the lab, the sizes in quotes, the
// variant.
LaunchUse UseIn(const std::string& line) {
  LaunchUse use;
  std::istringstream fields(line.substr(line.rfind("\",") + 2));
  std::string field;
  std::getline(fields, field, ',');
  std::apply(
      [&](const auto&... shares) {
        const auto read = [&](std::optional<double>& share) {
          if (std::getline(fields, field, ',')) share = std::stod(field);
        };
        (read(use.*shares.member), ...);
      },
      FieldsOf(std::type_identity<LaunchUse>()));
  return use;
}

// The file has the measured rows in the order of the documentation.
TEST(KnownLimiters, AreWhatAnH100Names) {
  const auto measured = ReadFile(std::filesystem::path(WARPCHECK_TEST_DATA) / "h100_use.csv");
  ASSERT_TRUE(measured) << measured.error().Text();
  std::istringstream lines(*measured);
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(
      line.ends_with("memory,l2,atomics,l1,shared,constant,issue,arithmetic,occupancy,"
                     "multiprocessors,load_waits"));
  std::size_t right = 0, rows = 0;
  std::set<std::string> labs;
  for (const KnownRow& row : RowsOfTheDocumentation()) {
    if (row.by_gpu == "not measured") continue;
    SCOPED_TRACE(fmt::format("{}, {}, {}", row.lab, row.at, row.variant));
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with(row.lab + ",\""));
    EXPECT_NE(line.find("," + row.variant + ","), std::string::npos);
    LaunchRecord record;
    record.use = UseIn(line);
    const auto named = LimiterOf(record);
    ASSERT_TRUE(named);
    EXPECT_EQ(row.by_gpu, LimiterName(*named));
    right += row.known == LimiterName(*named) ? 1 : 0;
    ++rows;
    labs.insert(row.lab);
  }
  EXPECT_FALSE(std::getline(lines, line)) << "a line of no row: " << line;
  EXPECT_GE(labs.size(), 9U);
  EXPECT_GE(10 * right, 9 * rows) << right << " of " << rows << " are right";
}

}  // namespace
}  // namespace warpcheck::lab
