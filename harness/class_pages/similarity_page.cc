#include "class_pages/similarity_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using similarity::AlikeLines;
using similarity::Pair;
using similarity::Place;
using similarity::Program;

constexpr std::size_t kMaxIdd = 500;  // the most pairs that have a page
constexpr std::size_t kNext = 20;     // how many pairs are shown after the named ones
constexpr std::size_t kMaxId = 300;
constexpr std::size_t kMaxCodeBytes = 1000;
constexpr int kMaxShownLines = 5000;  // the most lines of one submission

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string IdOf(const SimilarityPage& page, std::size_t program) {
  return Shortened(page.comparison->programs()[program].id, kMaxId);
}

// Returns how alike a pair is, in words. "ptx" is null if one of the two submissions has no PTX.
PageModel PairModel(const SimilarityPage& page, std::size_t number) {
  const Pair& pair = page.pairs[number];
  return {{"address", fmt::format("{}/{}.html", kPairFolder, number + 1)},
          {"first", IdOf(page, pair.first)},
          {"second", IdOf(page, pair.second)},
          {"text", Percent(pair.text)},
          {"ptx", pair.ptx ? Percent(*pair.ptx) : ""},
          {"fingerprints", fmt::format("{:.0f}", pair.alike)},
          {"strength", fmt::format("{:.2f}", pair.strength)}};
}

// Returns the pairs from `first` up to, but not including, `last`; returns null if there are no
// pairs.
PageModel PairsModel(const SimilarityPage& page, std::size_t first, std::size_t last) {
  PageModel pairs;
  for (std::size_t number = first; number < last; ++number) {
    pairs["pairs"].push_back(PairModel(page, number));
  }
  return pairs;
}

std::size_t Named(const SimilarityPage& page) {
  return static_cast<std::size_t>(std::ranges::count_if(page.pairs, &Pair::named));
}

// Returns the data of a list of names, or null if there are no names.
PageModel NamesModel(const std::vector<std::string>& names) {
  return names.empty() ? PageModel() : PageModel{{"names", names}};
}

// Returns the data of one submission's sources. Each line that is alike links to its counterpart in
// the other submission.
class Side {
 public:
  Side(const Program& program, const AlikeLines& lines, char side)
      : program_(program), lines_(lines), side_(side) {}

  PageModel Model() {
    PageModel files = PageModel::array();
    std::uint32_t file = 0;
    for (const auto& [name, text] : program_.sources) files.push_back(File(file++, name, text));
    return {{"name", Shortened(program_.id, kMaxId)},
            {"files", std::move(files)},
            {"is_cut", shown_ >= kMaxShownLines}};
  }

 private:
  PageModel File(std::uint32_t file, const std::string& name, const std::string& text) {
    PageModel lines = PageModel::array();
    std::istringstream in(text);
    std::uint32_t number = 0;
    for (std::string line; shown_ < kMaxShownLines && std::getline(in, line); ++shown_) {
      if (line.ends_with('\r')) line.pop_back();
      lines.push_back(Line({.file = file, .line = ++number}, line));
    }
    return {{"name", name}, {"lines", std::move(lines)}};
  }

  PageModel Line(const Place& place, const std::string& line) const {
    const auto alike = lines_.find(place);
    return {{"anchor", Anchor(side_, place)},
            {"number", place.line},
            {"code", Shortened(line, kMaxCodeBytes)},
            {"alike", alike == lines_.end()
                          ? PageModel()
                          : PageModel{{"anchor", Anchor(side_ == 'a' ? 'b' : 'a', alike->second)},
                                      {"number", alike->second.line}}}};
  }

  static std::string Anchor(char side, const Place& place) {
    return fmt::format("{}{}-{}", side, place.file, place.line);
  }

  const Program& program_;
  const AlikeLines& lines_;
  const char side_;
  int shown_ = 0;
};

}  // namespace

std::size_t ShownPairs(const SimilarityPage& page) {
  return std::min(page.pairs.size(), std::min(Named(page), kMaxIdd) + kNext);
}

std::string HtmlSimilarityPage(const SimilarityPage& page) {
  const std::size_t named = std::min(Named(page), kMaxIdd);
  std::vector<std::string> groups;
  for (const auto& group : page.identical) {
    std::string ids;
    for (const std::string& id : group) ids += (ids.empty() ? "" : ", ") + Shortened(id, kMaxId);
    groups.push_back(std::move(ids));
  }
  const std::size_t programs = page.comparison->programs().size();
  std::vector<std::string> untouched;
  std::vector<std::string> text_alone;
  for (std::size_t i = 0; i < programs; ++i) {
    if (page.comparison->IsSkeleton(i)) {
      untouched.push_back(IdOf(page, i));
    } else if (!page.comparison->HasPtx(i)) {
      text_alone.push_back(IdOf(page, i));
    }
  }
  const PageModel model = {
      {"title", Shortened(page.title, kMaxId)},
      {"named_count", Counted(Named(page), "pair")},
      {"submission_count", Counted(programs - (page.with_reference ? 1 : 0), "submission")},
      {"named", PairsModel(page, 0, named)},
      {"more_named", Named(page) > named ? PageModel(Named(page) - named) : PageModel()},
      {"next", PairsModel(page, named, ShownPairs(page))},
      {"identical", NamesModel(groups)},
      {"untouched", NamesModel(untouched)},
      {"text_alone", NamesModel(text_alone)},
      {"without_skeleton", page.without_skeleton},
      {"with_reference", page.with_reference},
      {"common", similarity::kCommon},
      {"by_text", Percent(similarity::kByText.share)},
      {"by_ptx", Percent(similarity::kByPtx.share)},
      {"by_both", Percent(similarity::kByBoth.share)}};
  return HtmlPage("similar", "Similar submissions: " + page.title, model);
}

std::string HtmlPairPage(const SimilarityPage& page, std::size_t number) {
  const Pair& pair = page.pairs[number];
  const auto& programs = page.comparison->programs();
  const AlikeLines in_first = page.comparison->Lines(pair.first, pair.second);
  const AlikeLines in_second = page.comparison->Lines(pair.second, pair.first);
  PageModel model = PairModel(page, number);
  model["all_pairs"] = kSimilarityPage;
  model["sides"] = {Side(programs[pair.first], in_first, 'a').Model(),
                    Side(programs[pair.second], in_second, 'b').Model()};
  return HtmlPage("pair", programs[pair.first].id + " and " + programs[pair.second].id, model);
}

}  // namespace warpcheck
