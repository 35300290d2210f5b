// warpcheck_class runs `warpcheck batch`, `note`, `new`, `build` and `handout`; a batch starts
// it again to grade.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/class/batch_command.h"
#include "cli/class/course_command.h"
#include "cli/class/grade_worker_command.h"
#include "cli/class/handout_command.h"
#include "cli/class/note_command.h"
#include "cli/command_line.h"
#include "cli/exit_status.h"

namespace warpcheck {
namespace {

CLI::App* AddBatch(CLI::App& app, BatchOptions& options) {
  CLI::App* batch = app.add_subcommand("batch", "Grade a class");
  AddCourseOptions(*batch);
  batch->add_option("assignment", options.assignment, "its name, as `warpcheck list` shows it")
      ->required();
  batch->add_option("submissions", options.source, "a folder or an archive of submissions")
      ->required();
  batch->add_option("--out", options.out, "the folder to write grades and reports to")->required();
  batch->add_option("--jobs", options.jobs, "grade this many at once (default: one for each core)")
      ->check(CLI::Range(1, 4096));
  batch->add_option("--device", options.device, "the device that judges: auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  batch->add_option("--executor", options.executor, "where to grade: local (this machine) or slurm")
      ->check(CLI::IsMember({"local", "slurm"}));
  batch->add_option("--slurm-options", options.slurm_options,
                    "more options for sbatch, such as \"--partition=gpu --account=course\"");
  batch->add_option(
      "--class", options.rules,
      "a class.toml with the course's rules: roster, deadline, late penalty, weights");
  CLI::Option* resume =
      batch->add_flag("--resume", options.resume, "continue the batch in this folder");
  batch
      ->add_option("--regrade", options.regrade,
                   "compile and grade again the students whose id matches this pattern")
      ->needs(resume);
  batch->add_option("--only", options.only,
                    "grade only the students whose id matches this pattern, such as \"a*\"");
  batch
      ->add_option("--seed", options.seed,
                   "the seed of an earlier batch, to repeat its random inputs")
      ->check(&Digits);
  batch->add_flag("--no-sandbox", options.no_sandbox,
                  "run without isolation; only for code that you trust");
  batch->add_flag("--no-experiments", options.no_experiments,
                  "do not try, after a failure, which small change makes the failed tests pass");
  batch->add_flag("--similar", options.similar,
                  "look for similar submissions; the result is similar.html, for instructors");
  batch->add_option("--leaderboard", options.leaderboard,
                    "write a page, and a .csv beside it, with the right submissions by their speed "
                    "or work");
  return batch;
}

CLI::App* AddNote(CLI::App& app, NoteOptions& options) {
  CLI::App* note = app.add_subcommand("note", "Set a student's mark, or comment on it");
  AddCourseOptions(*note);
  note->add_option("student", options.student, "the student's id, from grades.csv")->required();
  note->add_option("--out", options.out, "the folder of the batch")->required();
  CLI::Option* points =
      note->add_option("--points", options.points, "the mark, which replaces the score")
          ->check(&Decimal);
  CLI::Option* comment =
      note->add_option("--comment", options.comment, "a comment, which the student will see");
  note->add_option("--by", options.who, "your name (default: your login name)");
  note->callback([points, comment] {
    if (*points || *comment) return;
    throw CLI::RequiredError("--points or --comment");
  });
  return note;
}

// Adds a command that only batches use.
CLI::App* AddGradeChunk(CLI::App& app, GradeChunkOptions& options) {
  CLI::App* chunk = app.add_subcommand("grade-chunk")->group("");
  chunk->add_option("array", options.array)->required();
  chunk->add_option("task", options.task)->required();
  return chunk;
}

void AddNew(CLI::App& app, NewOptions& options) {
  CLI::App* made = app.add_subcommand("new", "Create a course or an assignment");
  made->require_subcommand(1);
  made->add_subcommand("course", "Create a folder for your own assignments, with an example")
      ->add_option("folder", options.course)
      ->required();
  made->add_subcommand("assignment", "Create the files of a new assignment in the current course")
      ->add_option("name", options.assignment)
      ->required();
}

CLI::App* AddHandout(CLI::App& app, HandoutOptions& options) {
  CLI::App* handout =
      app.add_subcommand("handout", "Make the folder that a student of an assignment receives");
  AddCourseOptions(*handout);
  handout->add_option("assignment", options.assignment, "its name, as `warpcheck list` shows it")
      ->required();
  handout->add_option("folder", options.folder, "a new or an empty folder")->required();
  handout
      ->add_option("--service", options.service,
                   "add the CI file for this service, or make the set-up of this platform")
      ->check(CLI::IsMember(HandoutServices()));
  handout
      ->add_option("--wheel", options.wheel,
                   "the address of warpcheck's wheel, which the handout's `make install` and CI "
                   "file then install")
      ->envname("WARPCHECK_WHEEL");
  return handout;
}

int Main(int argc, char** argv) {
  CLI::App app("Grades a class, and builds a course");
  app.require_subcommand(1);
  AddCourseOptions(app);
  BatchOptions batch_options;
  CLI::App* batch = AddBatch(app, batch_options);
  // Only batches use this command.
  CLI::App* worker = app.add_subcommand("grade-worker")->group("");
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
    RefuseEmptyOptions(app);
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
