#include "report/similarity_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "report/html_page.h"
#include "report/text.h"

namespace warpcheck {
namespace {

using similarity::AlikeLines;
using similarity::Pair;
using similarity::Place;
using similarity::Program;

constexpr std::size_t kMaxIdd = 500;  // pairs with a page
constexpr std::size_t kNext = 20;     // of those that are not named
constexpr std::size_t kMaxId = 300;
constexpr std::size_t kMaxCodeBytes = 1000;
constexpr int kMaxShownLines = 5000;  // of one submission

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string IdOf(const SimilarityPage& page, std::size_t program) {
  return HtmlText(page.comparison->programs()[program].id, kMaxId);
}

constexpr std::string_view kPairsHead =
    "<table class=\"cards\">\n<thead><tr><th scope=\"col\">Pair</th>"
    "<th scope=\"col\" class=\"number\">Text alike</th>"
    "<th scope=\"col\" class=\"number\">PTX alike</th>"
    "<th scope=\"col\" class=\"number\">Fingerprints</th>"
    "<th scope=\"col\" class=\"number\">Strength</th></tr></thead>\n<tbody>\n";

// Of the pairs from `first` on, up to `last`.
std::string PairsTable(const SimilarityPage& page, std::size_t first, std::size_t last) {
  std::string html(kPairsHead);
  for (std::size_t number = first; number < last; ++number) {
    const Pair& pair = page.pairs[number];
    html += fmt::format(
        "<tr><th scope=\"row\"><a href=\"{}/{}.html\"><bdi>{}</bdi> and <bdi>{}</bdi></a></th>"
        "<td class=\"number\" data-label=\"Text alike\">{}</td>"
        "<td class=\"number\" data-label=\"PTX alike\">{}</td>"
        "<td class=\"number\" data-label=\"Fingerprints\">{:.0f}</td>"
        "<td class=\"number\" data-label=\"Strength\">{:.2f}</td></tr>\n",
        kPairFolder, number + 1, IdOf(page, pair.first), IdOf(page, pair.second),
        Percent(pair.text), pair.ptx ? Percent(*pair.ptx) : "-", pair.alike, pair.strength);
  }
  return html + "</tbody>\n</table>\n";
}

std::size_t Named(const SimilarityPage& page) {
  return static_cast<std::size_t>(std::ranges::count_if(page.pairs, &Pair::named));
}

std::string Listed(std::string_view title, std::string_view what,
                   const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string html = fmt::format("<h2>{}</h2>\n<p class=\"soft\">{}</p>\n<ul>\n", title, what);
  for (const std::string& item : items) html += fmt::format("<li><bdi>{}</bdi></li>\n", item);
  return html + "</ul>\n";
}

std::string Explanation(const SimilarityPage& page) {
  return fmt::format(
      "<h2>What this is</h2>\n"
      "<p>Submissions are compared by fingerprints of their text, without names, comments, types, "
      "numbers and layout, and of the PTX that nvcc made of them, without registers and order.{}{} "
      "What more than {} submissions have weighs less the more there are. A pair is named where "
      "{} of the smaller text, {} of the PTX, or {} of both on average are alike, and enough to "
      "say so. Strength is the largest of these, 1 being enough.</p>\n"
      "<p>It is a hint for a person to look at, not a verdict. A small task with one obvious "
      "solution has submissions that are alike and that nobody copied; who copied from whom, it "
      "cannot say. Read both submissions side by side, and talk to their authors.</p>\n"
      "<p>It misses copies whose work was divided anew (other tiles, other kernels), heavy "
      "rewriting of programs that do not compile, whose text alone is compared, and copies of "
      "what is not in this class: another year, another course, the web, a language model.</p>\n",
      page.without_skeleton ? " There was no template to take out."
                            : " What the template has is taken out.",
      page.with_reference ? " The reference is compared with them, as one more." : "",
      similarity::kCommon, Percent(similarity::kByText.share), Percent(similarity::kByPtx.share),
      Percent(similarity::kByBoth.share));
}

// One submission's sources, with a link from each line that is alike to where it is alike.
class SideWriter {
 public:
  SideWriter(const Program& program, const AlikeLines& lines, char side)
      : program_(program), lines_(lines), side_(side) {}

  std::string Write() {
    html_ = fmt::format("<section>\n<h2><bdi>{}</bdi></h2>\n", HtmlText(program_.id, kMaxId));
    std::uint32_t file = 0;
    for (const auto& [name, text] : program_.sources) File(file++, name, text);
    if (written_ >= kMaxShownLines) html_ += "<p>Further lines are not shown.</p>\n";
    return html_ + "</section>\n";
  }

 private:
  void File(std::uint32_t file, const std::string& name, const std::string& text) {
    html_ += fmt::format(
        "<table class=\"source\">\n<caption><code>{}</code></caption>\n<thead><tr><th "
        "scope=\"col\">Line</th><th scope=\"col\">Code</th><th scope=\"col\" "
        "class=\"number\">Alike</th></tr></thead>\n<tbody>\n",
        HtmlText(name));
    std::istringstream lines(text);
    std::uint32_t number = 0;
    for (std::string line; written_ < kMaxShownLines && std::getline(lines, line); ++written_) {
      if (line.ends_with('\r')) line.pop_back();
      Line({.file = file, .line = ++number}, line);
    }
    html_ += "</tbody>\n</table>\n";
  }

  void Line(const Place& place, const std::string& line) {
    const auto alike = lines_.find(place);
    const std::string link =
        alike == lines_.end()
            ? ""
            : fmt::format("<a href=\"#{}{}-{}\">line {}</a>", side_ == 'a' ? 'b' : 'a',
                          alike->second.file, alike->second.line, alike->second.line);
    html_ += fmt::format(
        "<tr id=\"{}{}-{}\"{}><th scope=\"row\">{}</th><td class=\"code\">{}</td>"
        "<td class=\"number\" data-label=\"alike\">{}</td></tr>\n",
        side_, place.file, place.line, link.empty() ? "" : " class=\"marked\"", place.line,
        HtmlText(line, kMaxCodeBytes), link);
  }

  const Program& program_;
  const AlikeLines& lines_;
  const char side_;
  int written_ = 0;
  std::string html_;
};

}  // namespace

std::size_t ShownPairs(const SimilarityPage& page) {
  return std::min(page.pairs.size(), std::min(Named(page), kMaxIdd) + kNext);
}

std::string HtmlSimilarityPage(const SimilarityPage& page) {
  const std::size_t named = std::min(Named(page), kMaxIdd);
  std::string html = fmt::format(
      "<main>\n<p><a href=\"index.html\">All grades</a></p>\n<h1>Similar submissions: {}</h1>\n"
      "<p class=\"score\">{} named, of {}</p>\n"
      "<p><strong>For instructors: a hint to look, not a verdict.</strong></p>\n",
      HtmlText(page.title, kMaxId), CountOf(Named(page), "pair"),
      CountOf(page.comparison->programs().size() - (page.with_reference ? 1 : 0), "submission"));
  if (named > 0) html += "<h2>Named</h2>\n" + PairsTable(page, 0, named);
  if (Named(page) > named) {
    html += fmt::format("<p>{} more are in similar.csv.</p>\n", Named(page) - named);
  }
  if (ShownPairs(page) > named) {
    html += fmt::format(
        "<h2>Next, not named</h2>\n<p class=\"soft\">As alike as different solutions of one task "
        "are.</p>\n{}",
        PairsTable(page, named, ShownPairs(page)));
  }
  std::vector<std::string> groups;
  for (const auto& group : page.identical) {
    std::string ids;
    for (const std::string& id : group) ids += (ids.empty() ? "" : ", ") + HtmlText(id, kMaxId);
    groups.push_back(std::move(ids));
  }
  html += Listed("The same files", "Compared once, under the first of their ids.", groups);
  std::vector<std::string> untouched;
  std::vector<std::string> text_alone;
  for (std::size_t i = 0; i < page.comparison->programs().size(); ++i) {
    if (page.comparison->IsSkeleton(i)) {
      untouched.push_back(IdOf(page, i));
    } else if (!page.comparison->HasPtx(i)) {
      text_alone.push_back(IdOf(page, i));
    }
  }
  html +=
      Listed("Nothing of their own",
             "They hold no more than the template, or nothing that could be compared.", untouched);
  html += Listed("Compared by text alone", "They have no PTX: they do not compile.", text_alone);
  html += Explanation(page) + "</main>\n";
  return HtmlPage("Similar submissions: " + page.title, html);
}

std::string HtmlPairPage(const SimilarityPage& page, std::size_t number) {
  const Pair& pair = page.pairs[number];
  const auto& programs = page.comparison->programs();
  const AlikeLines in_first = page.comparison->Lines(pair.first, pair.second);
  const AlikeLines in_second = page.comparison->Lines(pair.second, pair.first);
  std::string html = fmt::format(
      "<main>\n<p><a href=\"../{}\">All pairs</a></p>\n<h1><bdi>{}</bdi> and <bdi>{}</bdi></h1>\n"
      "<p>{} of the smaller text and {} of the PTX are alike. Lines that are alike are marked, "
      "with the line of the other that has most of it. A hint to look, not a verdict.</p>\n"
      "<div class=\"pair\">\n",
      kSimilarityPage, IdOf(page, pair.first), IdOf(page, pair.second), Percent(pair.text),
      pair.ptx ? Percent(*pair.ptx) : "nothing");
  html += SideWriter(programs[pair.first], in_first, 'a').Write();
  html += SideWriter(programs[pair.second], in_second, 'b').Write();
  return HtmlPage(programs[pair.first].id + " and " + programs[pair.second].id,
                  html + "</div>\n</main>\n");
}

}  // namespace warpcheck
