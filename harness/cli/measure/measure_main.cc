// This is the program warpcheck_measure, which `warpcheck lab`, `parity`, `mutation` and
// `more-work` execute.
#include <CLI/CLI.hpp>

#include "cli/command_line.h"
#include "cli/exit_status.h"
#include "cli/measure/lab_command.h"
#include "cli/measure/more_work_command.h"
#include "cli/measure/mutation_command.h"
#include "cli/measure/parity_command.h"

namespace warpcheck {
namespace {

CLI::App* AddLab(CLI::App& app, LabOptions& options) {
  CLI::App* lab = app.add_subcommand("lab", "Measure the kernels of a lecture on a device");
  AddCourseOptions(*lab);
  lab->add_option("lab", options.lab,
                  "the name of a lab, or the path of its folder; without it, the labs are listed");
  lab->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  lab->add_option("--set", options.sets, "values of an axis: n=256,512")->allow_extra_args(false);
  lab->add_option("--csv", options.csv, "write the table to this file");
  lab->add_option("--json", options.json,
                  "write the table and the figures to this file; without a lab, the list of labs");
  lab->add_option("--html", options.html, "write a page to this file");
  lab->add_option("--svg", options.svg, "write the figures into this folder");
  lab->add_option("--all", options.all,
                  "run every lab, and write the files of each into a folder of this folder");
  return lab;
}

CLI::App* AddParity(CLI::App& app, ParityOptions& options) {
  CLI::App* parity = app.add_subcommand(
      "parity", "Count the calibration set on a device, and compare it with another, line by line");
  parity->add_option("measured", options.measured, "compare this file instead of a new run");
  parity->add_option("--device", options.device, "emulator or gpu")
      ->check(CLI::IsMember({"emulator", "gpu"}));
  parity->add_option("--set", options.set, "the calibration set");
  parity->add_option("--only", options.only,
                     "measure only what this pattern matches, as in --gtest_filter");
  parity->add_option("--jobs", options.jobs, "run this many at once")->check(&Digits);
  parity->add_option("--write", options.write, "write the counts to this file");
  parity->add_option("--against", options.against, "compare with the counts in this file");
  parity->add_option("--known", options.known, "the list of known disagreements");
  parity->add_flag("--all", options.all, "show known disagreements too");
  parity->add_flag("--rows", options.rows,
                   "show only rows that the list of known disagreements lacks");
  parity->add_flag("--no-sandbox", options.no_sandbox,
                   "run without isolation; only for code that you trust");
  return parity;
}

CLI::App* AddChanged(CLI::App& app, const char* name, const char* what, ChangedPrograms& options) {
  CLI::App* changed = app.add_subcommand(name, what);
  AddCourseOptions(*changed);
  changed->add_option("assignments", options.assignments, "which assignments (default: all)");
  changed
      ->add_option("--sample", options.sample,
                   "grade only this many programs of each, always the same ones without --seed")
      ->check(&Digits);
  changed->add_option("--seed", options.seed, "draws the programs of --sample by chance")
      ->check(&Digits);
  changed->add_option("--jobs", options.jobs, "grade this many at once")->check(CLI::Range(1, 256));
  changed->add_flag("--no-sandbox", options.no_sandbox,
                    "run without isolation; only for code that you trust");
  return changed;
}

int Main(int argc, char** argv) {
  CLI::App app("Measures devices, and the checks of assignments");
  app.require_subcommand(1);
  AddCourseOptions(app);
  LabOptions lab_options;
  CLI::App* lab = AddLab(app, lab_options);
  ParityOptions parity_options;
  CLI::App* parity = AddParity(app, parity_options);
  MutationOptions mutation_options;
  CLI::App* mutation =
      AddChanged(app, "mutation", "Grade small changes of references: do the checks notice?",
                 mutation_options);
  mutation->add_option(
      "--only", mutation_options.only,
      "only changes whose names begin with this text, such as 18: for those of line 18");
  mutation->add_flag("--where", mutation_options.where,
                     "count in how many the report names the changed line");
  mutation->add_flag("--list", mutation_options.list, "show the changes, and do not grade them");
  ChangedPrograms more_work_options;
  AddChanged(app, "more-work", "Grade test submissions with more work: does a score rise?",
             more_work_options);
  try {
    RefuseEmptyOptions(app);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFull : kExitUsage;
  }
  if (lab->parsed()) return LabCommand(lab_options);
  if (parity->parsed()) return ParityCommand(parity_options);
  return mutation->parsed() ? MutationCommand(mutation_options)
                            : MoreWorkCommand(more_work_options);
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) { return warpcheck::RunMain(argc, argv, warpcheck::Main); }
