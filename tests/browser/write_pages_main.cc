// The program `write_pages <folder>` writes the pages of classes of every kind and size, and of a
// batch's progress.
#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "base/files.h"
#include "batch/work/progress_files.h"
#include "class_pages/class_page.h"
#include "class_pages/classes.h"
#include "class_pages/similarity_page.h"
#include "report/grades.h"
#include "report/html/run_page.h"
#include "report/html/student_page.h"
#include "report/pages.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using State = ClassPage::Row::State;

bool Write(const fs::path& path, const std::string& html) {
  fs::create_directories(path.parent_path());
  const auto written = WriteFile(path, html);
  if (!written) fmt::print(stderr, "{}\n", written.error().Text());
  return written.has_value();
}

// Repeats the typical rows, with names in eight scripts. `edit` may change each row.
ClassPage ClassOf(int students, const std::function<void(ClassPage::Row&)>& edit = {}) {
  static const char* const kNames[] = {
      "Zoë Núñez", "Σοφία Νίκου", "Иван Петров",
      "فاطمة علي", "נועה לוי",    "प्रिया राव",
      "王伟",      "김민준",      "Maximiliane von Hohenstein-Wallerstein"};
  ClassPage page = TypicalClass();
  const std::vector<ClassPage::Row> typical = page.rows;
  page.rows.clear();
  page.identical.clear();
  for (int i = 0; i < students; ++i) {
    ClassPage::Row row = typical[static_cast<std::size_t>(i * i + i / 7) % typical.size()];
    row.id = fmt::format("student_{:06}", 100'000 + i);
    row.name = fmt::format("{} {}", kNames[i % 9], i);
    if (edit) edit(row);
    page.rows.push_back(std::move(row));
  }
  if (students >= 9) page.identical = {{"student_100002", "student_100008"}};
  return page;
}

void HasFullMarks(ClassPage::Row& row) {
  static const ClassPage::Row kFull = TypicalClass().rows.front();
  row = {.id = row.id,
         .name = row.name,
         .state = State::kGraded,
         .score_is_final = true,
         .score = kFull.score,
         .verdict = kFull.verdict,
         .cells = kFull.cells};
}

void HasNoGrade(ClassPage::Row& row) { row = {.id = row.id, .name = row.name}; }

batch::ProgressReport Progress(batch::ProgressReport::State state) {
  batch::ProgressReport report;
  report.state = state;
  report.title = "Matrix transpose";
  report.progress.total = 300;
  report.progress.done = state == batch::ProgressReport::State::kDone ? 300 : 120;
  report.progress.running = 2;
  report.progress.known = 20;
  report.progress.not_final = 3;
  report.per_minute = 133;
  report.left = {.least = 75, .most = 110};
  report.updated = 1'700'000'000;
  return report;
}

// Writes a submission whose text repeats `line`.
bool WriteSimilar(const fs::path& folder, const std::string& id, const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < 60; ++i)
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

bool WritePages(const fs::path& folder) {
  bool good = true;
  const auto write = [&](const fs::path& path, const std::string& html) {
    good = good && Write(folder / path, html);
  };
  const auto write_class = [&](const std::string& name, const ClassPage& page) {
    write(fs::path(name) / kClassPage, HtmlClassPage(page));
  };
  write_class("typical", TypicalClass());
  write_class("large", ClassOf(300));
  write_class("sixty", ClassOf(60));
  write_class("three", ClassOf(3));
  write_class("empty", ClassOf(0));
  write_class("full", ClassOf(60, HasFullMarks));
  write_class("ungraded", ClassOf(60, HasNoGrade));
  write_class("hostile", HostileClass());
  good = good && WriteSimilar(folder / "typical", "anna", "int i = threadIdx.x;") &&
         WriteSimilar(folder / "hostile", HostileText(), HostileText());
  const ClassPlace place = {.class_page = std::string("../") + kClassPage,
                            .number = 2,
                            .count = 60,
                            .previous = ClassPlace::Neighbour{"full.html", "Иван Петров"},
                            .next = ClassPlace::Neighbour{"naive.html", "فاطمة علي"}};
  for (const NamedGrade& named : TypicalGrades()) {
    const std::string page = StudentPage(named.grade, {.name = named.name});
    write("typical/students/" + named.name + ".html", page);
    write("typical/class/" + named.name + ".html", WithClassPlace(page, place));
  }
  write("typical/students/pictures.html", StudentPage(PicturedGrade(), {.name = "pictures"}));
  const std::string hostile = StudentPage(HostilePageGrade(), {.name = HostileText()});
  ClassPlace hostile_place = place;
  hostile_place.next->name = hostile_place.previous->name = HostileText();
  write("hostile/class/hostile.html", WithClassPlace(hostile, hostile_place));
  for (const auto& [name, text] : {std::pair<std::string, std::string>("typical", "transpose.cu"),
                                   {"hostile", HostileText()}}) {
    write(name + "/run.html",
          RunPage(PicturedRun(text),
                  {.program = text,
                   .source = [&text = text](const SourceLocation&) { return text; },
                   .shown_file = [](const std::string& file) { return file; }}));
  }
  using ProgressState = batch::ProgressReport::State;
  write("progress/running.html", batch::HtmlProgress(Progress(ProgressState::kRunning)));
  write("progress/done.html", batch::HtmlProgress(Progress(ProgressState::kDone)));
  write("progress/stopped.html", batch::HtmlProgress(Progress(ProgressState::kStopped)));
  return good;
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: write_pages <folder>\n");
    return 2;
  }
  return warpcheck::WritePages(argv[1]) ? 0 : 1;
}
