#include "cli/class/similar_submissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "batch/course/csv.h"
#include "batch/intake/submission_files.h"
#include "class_pages/similarity_page.h"
#include "cli/stop.h"
#include "cli/stop_signal.h"
#include "cli/terminal.h"
#include "compile/builder.h"
#include "compile/embedded_ptx.h"
#include "host/courses.h"
#include "host/deferred_sandbox.h"
#include "host/nvcc.h"
#include "host/places.h"
#include "similarity/similarity.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using similarity::Comparison;
using similarity::Pair;
using similarity::Program;

constexpr std::size_t kMaxRows = 20'000;  // the most rows of the table
constexpr char kReference[] =
    "(the reference)";  // cannot be the id of a student, because ids have no brackets

// Compiles submissions to PTX as a grading does, with the same build cache.
class PtxSource {
 public:
  static Result<std::unique_ptr<PtxSource>> Make(const fs::path& out, const Rubric& rubric,
                                                 const batch::BatchIdentity& identity) {
    auto assignment = WARPCHECK_TRY(AssignmentNamed(identity.assignment));
    const auto nvcc = WARPCHECK_TRY(Nvcc());
    const auto cache = WARPCHECK_TRY(CacheFolder());
    auto source = std::unique_ptr<PtxSource>(new PtxSource(identity.plan.sandboxed));
    WarnIfUnsandboxed(identity.plan.sandboxed);
    source->staged_ = out / "scratch" / "similar";
    source->request_ = {.submission = {},
                        .headers = {assignment.header},
                        .ptx_target = identity.plan.ptx_target,
                        .language = rubric.language};
    source->template_ = assignment.home / "student_template" / (assignment.name + ".cu");
    source->reference_ = assignment.home / "reference" / (assignment.name + ".cu");
    compile::Builder::Settings settings;
    settings.nvcc = nvcc;
    settings.cache = cache;
    source->builder_ = std::make_unique<compile::Builder>(*source->sandbox_, std::move(settings));
    return source;
  }

  // Returns the PTX of a submission; the text is empty if the submission does not compile.
  Result<std::vector<std::string>> Of(const compile::Sources& sources) {
    const auto staged = WARPCHECK_TRY(batch::Stage(sources, staged_));
    compile::Request request = request_;
    request.submission = staged;
    const auto built = builder_->Build(request);
    std::vector<std::string> none;
    if (!built && built.error().blame == compile::Failure::Blame::kMachine) {
      return Fail(Error(built.error()));
    }
    if (!built || !built->artifact) return none;
    const auto object = WARPCHECK_TRY(ReadFile(built->artifact->shared_object));
    return compile::PtxIn(object);
  }

  // The file that students received; it may be missing.
  const fs::path& skeleton() const { return template_; }
  // The assignment's own solution. Only a machine that has the course has this file; students never
  // receive it.
  const fs::path& reference() const { return reference_; }

 private:
  explicit PtxSource(bool sandboxed) : sandbox_(MakeDeferredSandbox(sandboxed)) {}

  std::unique_ptr<sandbox::Sandbox> sandbox_;
  std::unique_ptr<compile::Builder> builder_;
  compile::Request request_;
  fs::path staged_;
  fs::path template_;
  fs::path reference_;
};

Result<Program> ProgramOf(const std::string& id, const compile::Sources& sources,
                          PtxSource& source) {
  Program program{.id = id};
  for (const compile::SourceFile& file : sources.files) program.sources[file.name] = file.bytes;
  program.ptx = WARPCHECK_TRY(source.Of(sources));
  return program;
}

std::string Csv(const Comparison& comparison, const std::vector<Pair>& pairs) {
  batch::CsvTable table;
  table.header = {"first", "second", "named", "text", "ptx", "fingerprints", "strength"};
  for (std::size_t i = 0; i < std::min(pairs.size(), kMaxRows); ++i) {
    const Pair& pair = pairs[i];
    table.rows.push_back({comparison.programs()[pair.first].id,
                          comparison.programs()[pair.second].id, pair.named() ? "yes" : "no",
                          fmt::format("{:.3f}", pair.text),
                          pair.ptx ? fmt::format("{:.3f}", *pair.ptx) : "",
                          fmt::format("{:.1f}", pair.alike), fmt::format("{:.3f}", pair.strength)});
  }
  return batch::CsvText(table);
}

Result<> WriteAll(const fs::path& out, const SimilarityPage& page) {
  std::error_code error;
  fs::remove_all(out / kPairFolder, error);
  fs::create_directory(out / kPairFolder, error);
  if (error)
    return Fail(fmt::format("cannot make {}: {}", (out / kPairFolder).string(), error.message()));
  for (std::size_t i = 0; i < ShownPairs(page); ++i) {
    const fs::path path = out / kPairFolder / fmt::format("{}.html", i + 1);
    WARPCHECK_TRY(WriteFile(path, HtmlPairPage(page, i)));
  }
  WARPCHECK_TRY(WriteFile(out / "similar.csv", Csv(*page.comparison, page.pairs)));
  return WriteFile(out / kSimilarityPage, HtmlSimilarityPage(page));
}

}  // namespace

Result<> FindSimilar(const fs::path& out, const Rubric& rubric, const batch::JournalState& state) {
  const std::string& assignment = state.identity->assignment;
  const auto source = WARPCHECK_TRY(PtxSource::Make(out, rubric, *state.identity));
  std::map<std::string, std::vector<std::string>> same;  // ids by the digest of their files
  std::vector<Program> programs;
  for (const batch::Entry& entry : state.roster.entries) {
    const auto sources = batch::ReadSubmission(entry.submission, assignment);
    if (!sources) continue;  // the submission was refused
    auto& ids = same[batch::DigestOf(*sources)];
    ids.push_back(entry.id);
    if (ids.size() > 1) continue;
    if (StopSignal() != 0) return Fail("it was stopped");
    programs.push_back(WARPCHECK_TRY(ProgramOf(entry.id, *sources, *source)));
    if (CanShowProgress()) {
      ShowProgressLine(fmt::format("similarity: {} read", Counted(programs.size(), "submission")));
    }
  }
  Program skeleton;
  if (const auto sources = batch::ReadSubmission(source->skeleton(), assignment)) {
    skeleton = WARPCHECK_TRY(ProgramOf("", *sources, *source));
  }
  // The reference comes last, so that it is the second program of its pairs.
  const auto reference = batch::ReadSubmission(source->reference(), assignment);
  if (reference) programs.push_back(WARPCHECK_TRY(ProgramOf(kReference, *reference, *source)));
  const bool without_skeleton = skeleton.sources.empty();
  const Comparison comparison(std::move(programs), skeleton);
  SimilarityPage page{.title = rubric.title,
                      .comparison = &comparison,
                      .pairs = comparison.Pairs(),
                      .without_skeleton = without_skeleton,
                      .with_reference = reference.has_value()};
  for (auto& [digest, ids] : same) {
    if (ids.size() > 1) page.identical.push_back(std::move(ids));
  }
  std::ranges::sort(page.identical);
  return WriteAll(out, page);
}

}  // namespace warpcheck
