#include "report/dump/dump_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "report/complaint_groups.h"
#include "report/dump/dump_text.h"
#include "report/dump/npy.h"
#include "report/html/map_picture.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Returns a name without characters that file systems or shells treat specially.
std::string FileName(std::string name) {
  for (char& c : name) {
    if (!IsOfIdentifier(c) && c != '-' && c != '.') c = '_';
  }
  return name;
}

std::string NameOf(const ArrayDump& dump) {
  std::string name = dump.array.empty() ? "result" : FileName(dump.array);
  if (dump.call > 1) name += fmt::format("_call{}", dump.call);
  return name;
}

std::string TitleOf(const ArrayDump& dump) {
  std::string title =
      fmt::format("{}, {}", dump.case_name, dump.array.empty() ? "the result" : dump.array);
  if (dump.call > 1) title += fmt::format(" after call {}", dump.call);
  return title;
}

std::string PictureOf(const ArrayDump& dump) {
  const std::vector<std::size_t> extents(dump.extents.begin(), dump.extents.end());
  ResultMap map = MapOf(extents, kMapInFile);
  for (std::uint64_t i = 0; i < dump.states.size(); ++i) {
    if (dump.states[i] != ResultMap::kRight) Mark(map, i, dump.states[i]);
  }
  const std::size_t first = dump.states.find_first_not_of(ResultMap::kRight);
  if (first != std::string::npos) map.first_wrong = first;
  if (map.extents.size() == dump.inner.size()) map.inner = dump.inner;
  return MapPicture(map, TitleOf(dump));
}

std::string BytesOfDoubles(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

// Returns 0, 1 and 2 for right, never written and wrong elements.
std::string StateNumbers(const ArrayDump& dump) {
  std::string numbers = dump.states;
  for (char& state : numbers) {
    state = state == ResultMap::kRight ? '\0' : state == ResultMap::kUnwritten ? '\1' : '\2';
  }
  return numbers;
}

Result<> WriteAll(const ArrayDump& dump, const fs::path& folder, const std::string& name) {
  const auto write = [&](std::string_view what, std::string_view bytes) {
    return WriteFile(folder / fmt::format("{}_{}", name, what), bytes);
  };
  const std::string title = TitleOf(dump);
  WARPCHECK_TRY(write("expected.txt", ExpectedText(dump, title)));
  WARPCHECK_TRY(write("got.txt", GotText(dump, title)));
  WARPCHECK_TRY(write("difference.txt", DifferenceText(dump, title)));
  WARPCHECK_TRY(write("expected.npy", NpyFile(dump.type, dump.extents, dump.expected)));
  WARPCHECK_TRY(write("got.npy", NpyFile(dump.type, dump.extents, dump.got)));
  WARPCHECK_TRY(
      write("difference.npy", NpyFile("<f8", dump.extents, BytesOfDoubles(DifferencesOf(dump)))));
  WARPCHECK_TRY(write("state.npy", NpyFile("|u1", dump.extents, StateNumbers(dump))));
  return write("map.svg", PictureOf(dump));
}

}  // namespace

Result<std::vector<std::string>> WriteArrays(const std::vector<ArrayDump>& dumps,
                                             const fs::path& folder) {
  std::vector<std::string> lines;
  std::set<fs::path> written;
  for (const ArrayDump& dump : dumps) {
    if (dump.Elements() == 0) {
      lines.push_back(fmt::format("{}: it has no elements", TitleOf(dump)));
      continue;
    }
    if (dump.Elements() > ArrayDump::kMostElements) {
      lines.push_back(
          fmt::format("{}: not written, because it has {} elements; at most {} are written",
                      TitleOf(dump), Grouped(dump.Elements()), Grouped(ArrayDump::kMostElements)));
      continue;
    }
    const fs::path place = folder / FileName(ShortCaseName(dump.case_name));
    std::error_code error;
    fs::create_directories(place, error);
    if (error) return Fail(fmt::format("cannot make {}: {}", place.string(), error.message()));
    std::string name = NameOf(dump);
    for (int other = 2; !written.insert(place / name).second; ++other) {
      name = fmt::format("{}_{}", NameOf(dump), other);
    }
    WARPCHECK_TRY(WriteAll(dump, place, name));
    const auto wrong =
        std::ranges::count_if(dump.states, [](char state) { return state != ResultMap::kRight; });
    lines.push_back(fmt::format(
        "{}: {} of {} wrong; see {}_map.svg, _got.txt, _expected.txt, _difference.txt and .npy",
        TitleOf(dump), Grouped(static_cast<std::uint64_t>(wrong)),
        Counted(dump.Elements(), "element"), (place / name).string()));
  }
  return lines;
}

}  // namespace warpcheck
