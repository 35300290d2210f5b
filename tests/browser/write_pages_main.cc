// write_pages <folder>: the pages of a typical class, of a large one and of a hostile one.
#include <fmt/format.h>

#include <filesystem>

#include "base/files.h"
#include "report/class_page.h"
#include "report/grades.h"
#include "report/pages.h"
#include "report/similarity_page.h"
#include "report/student_page.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr int kLargeClass = 300;

bool Write(const fs::path& path, const std::string& html) {
  fs::create_directories(path.parent_path());
  const auto written = WriteFile(path, html);
  if (!written) fmt::print(stderr, "{}\n", written.error().Text());
  return written.has_value();
}

bool WriteClass(const fs::path& folder, const ClassPage& page) {
  return Write(folder / kClassPage, HtmlClassPage(page, ClassOrder::kById)) &&
         Write(folder / kClassPageByScore, HtmlClassPage(page, ClassOrder::kByScore));
}

ClassPage LargeClass() {
  ClassPage page = TypicalClass();
  const std::vector<ClassPage::Row> typical = page.rows;
  page.rows.clear();
  for (int i = 0; i < kLargeClass; ++i) {
    ClassPage::Row row = typical[static_cast<std::size_t>(i) % typical.size()];
    row.id = fmt::format("s{:03}", i);
    row.name = fmt::format("Student Number {}", i);
    page.rows.push_back(row);
  }
  return page;
}

// Two submissions whose text is `line`, again and again.
bool WriteSimilar(const fs::path& folder, const std::string& id, const std::string& line) {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += line + fmt::format(" x[i] = a{} b + c;\n", std::string(i, '*'));
  const similarity::Comparison comparison(
      {{.id = id, .sources = {{"transpose.cu", text}}},
       {.id = id + " and another", .sources = {{"transpose.cu", "// mine\n" + text}}}},
      {});
  const SimilarityPage page{
      .title = "Matrix transpose", .comparison = &comparison, .pairs = comparison.Pairs()};
  return Write(folder / kSimilarityPage, HtmlSimilarityPage(page)) &&
         Write(folder / kPairFolder / "1.html", HtmlPairPage(page, 0));
}

bool WriteAll(const fs::path& folder) {
  bool good = WriteClass(folder / "typical", TypicalClass()) &&
              WriteClass(folder / "large", LargeClass()) &&
              WriteClass(folder / "hostile", HostileClass()) &&
              WriteSimilar(folder / "typical", "anna", "int i = threadIdx.x;") &&
              WriteSimilar(folder / "hostile", HostileText(), HostileText());
  for (const NamedGrade& named : TypicalGrades()) {
    const StudentHead head{.name = named.name, .class_page = std::string("../") + kClassPage};
    good = good &&
           Write(folder / "typical/class" / (named.name + ".html"), StudentPage(named.grade, head));
  }
  const StudentHead head{.name = HostileText(), .class_page = std::string("../") + kClassPage};
  return good &&
         Write(folder / "hostile/class/hostile.html", StudentPage(HostilePageGrade(), head));
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_pages <folder>\n");
    return 2;
  }
  return warpcheck::WriteAll(argv[1]) ? 0 : 1;
}
