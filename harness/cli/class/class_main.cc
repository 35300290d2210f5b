// warpcheck_class: `warpcheck batch`, `note`, `new`, `build` and `handout` become it; a batch
// starts it again as graders.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/class/commands.h"
#include "cli/command_line.h"
#include "cli/places.h"

namespace warpcheck {
namespace {

CLI::App* AddBatch(CLI::App& app, BatchOptions& options) {
  CLI::App* batch = app.add_subcommand("batch", "Grade a class");
  AddCourseOptions(*batch);
  batch->add_option("assignment", options.assignment, "see warpcheck list")->required();
  batch->add_option("submissions", options.source, "a folder or an archive of them")->required();
  batch->add_option("--out", options.out, "the folder for grades and reports")->required();
  batch->add_option("--jobs", options.jobs, "grade this many at once (as many as there are cores)")
      ->check(CLI::Range(1, 4096));
  batch->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  batch->add_option("--executor", options.executor, "who grades: local, this machine; or slurm")
      ->check(CLI::IsMember({"local", "slurm"}));
  batch->add_option("--slurm-options", options.slurm_options,
                    "more options for sbatch: \"--partition=gpu --account=course\"");
  batch->add_option("--class", options.rules,
                    "the course's rules: roster, deadline, late penalty, weights (class.toml)");
  CLI::Option* resume =
      batch->add_flag("--resume", options.resume, "go on with the batch in the folder");
  batch
      ->add_option(
          "--regrade", options.regrade,
          "grade those again whose id matches, whatever their score is, and build them anew")
      ->needs(resume);
  batch->add_option("--only", options.only, "grade those whose id matches, as in \"a*\"");
  batch->add_option("--seed", options.seed, "repeat the random inputs of an earlier batch")
      ->check(&Digits);
  batch->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  batch->add_flag("--similar", options.similar,
                  "look for submissions that are alike: similar.html, for instructors");
  return batch;
}

CLI::App* AddNote(CLI::App& app, NoteOptions& options) {
  CLI::App* note = app.add_subcommand("note", "Set a student's mark, or comment on it");
  AddCourseOptions(*note);
  note->add_option("student", options.student, "the id in grades.csv")->required();
  note->add_option("--out", options.out, "the batch's folder")->required();
  CLI::Option* points = note->add_option("--points", options.points, "the mark")->check(&Decimal);
  CLI::Option* comment = note->add_option("--comment", options.comment, "shown to the student");
  note->add_option("--by", options.who, "who says so (your login name)");
  note->callback([points, comment] {
    if (*points || *comment) return;
    throw CLI::RequiredError("--points or --comment");
  });
  return note;
}

// For batches, not for people.
CLI::App* AddGradeChunk(CLI::App& app, GradeChunkOptions& options) {
  CLI::App* chunk = app.add_subcommand("grade-chunk")->group("");
  chunk->add_option("array", options.array)->required();
  chunk->add_option("task", options.task)->required();
  return chunk;
}

void AddNew(CLI::App& app, NewOptions& options) {
  CLI::App* made = app.add_subcommand("new", "Begin a course or an assignment");
  made->require_subcommand(1);
  made->add_subcommand("course", "A folder with an example, for assignments of one's own")
      ->add_option("folder", options.course)
      ->required();
  made->add_subcommand("assignment", "In the current course: files that grade, to be rewritten")
      ->add_option("name", options.assignment)
      ->required();
}

CLI::App* AddHandout(CLI::App& app, HandoutOptions& options) {
  CLI::App* handout =
      app.add_subcommand("handout", "Make the folder that a student of an assignment receives");
  AddCourseOptions(*handout);
  handout->add_option("assignment", options.assignment, "see warpcheck list")->required();
  handout->add_option("folder", options.folder, "a new one, or an empty one")->required();
  handout->add_option("--service", options.service, "with the CI file of this service")
      ->check(CLI::IsMember(HandoutServices()));
  return handout;
}

int Main(int argc, char** argv) {
  CLI::App app("Grades a class, and builds a course");
  app.require_subcommand(1);
  AddCourseOptions(app);
  BatchOptions batch_options;
  CLI::App* batch = AddBatch(app, batch_options);
  CLI::App* worker = app.add_subcommand("grade-worker")->group("");  // not for people
  NoteOptions note_options;
  CLI::App* note = AddNote(app, note_options);
  GradeChunkOptions chunk_options;
  AddGradeChunk(app, chunk_options);
  NewOptions new_options;
  AddNew(app, new_options);
  CLI::App* build = app.add_subcommand("build", "Compile the current course's assignments");
  AddCourseOptions(*build);
  HandoutOptions handout_options;
  CLI::App* handout = AddHandout(app, handout_options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFull : kExitUsage;
  }
  if (batch->parsed()) return BatchCommand(batch_options);
  if (note->parsed()) return NoteCommand(note_options);
  if (app.got_subcommand("new")) return NewCommand(new_options);
  if (build->parsed()) return BuildCommand();
  if (handout->parsed()) return HandoutCommand(handout_options);
  return worker->parsed() ? GradeWorkerCommand() : GradeChunkCommand(chunk_options);
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) { return warpcheck::RunMain(argc, argv, warpcheck::Main); }
