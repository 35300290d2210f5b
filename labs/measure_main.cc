// warpcheck_measure: `warpcheck lab` and `warpcheck parity` become it.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/command_line.h"
#include "cli/places.h"
#include "labs/commands.h"

namespace warpcheck {
namespace {

CLI::App* AddLab(CLI::App& app, LabOptions& options) {
  CLI::App* lab = app.add_subcommand("lab", "What the kernels of a lecture reach on a device");
  lab->add_option("lab", options.lab, "transpose")->required()->check(CLI::IsMember({"transpose"}));
  lab->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  lab->add_option("--sizes", options.sizes, "of a side, in elements: 256,512")
      ->delimiter(',')
      ->check(&Digits);
  lab->add_option("--svg", options.svg, "write a plot of the bandwidths to this file");
  return lab;
}

CLI::App* AddParity(CLI::App& app, ParityOptions& options) {
  CLI::App* parity = app.add_subcommand(
      "parity", "Count the calibration set on a device, and compare it with another, line by line");
  parity->add_option("measured", options.measured, "compare this file, in place of a new run");
  parity->add_option("--device", options.device, "emulator or gpu")
      ->check(CLI::IsMember({"emulator", "gpu"}));
  parity->add_option("--set", options.set, "the calibration set");
  parity->add_option("--only", options.only, "measure what matches, as in --gtest_filter");
  parity->add_option("--jobs", options.jobs, "run this many at once")->check(&Digits);
  parity->add_option("--write", options.write, "write what was counted to this file");
  parity->add_option("--against", options.against, "compare with what this file holds");
  parity->add_option("--known", options.known, "the list of known disagreements");
  parity->add_flag("--all", options.all, "show known disagreements too");
  parity->add_flag("--rows", options.rows, "show rows for the list of known disagreements instead");
  parity->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  return parity;
}

int Main(int argc, char** argv) {
  CLI::App app("Tells what devices do");
  app.require_subcommand(1);
  LabOptions lab_options;
  CLI::App* lab = AddLab(app, lab_options);
  ParityOptions parity_options;
  AddParity(app, parity_options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFull : kExitUsage;
  }
  return lab->parsed() ? LabCommand(lab_options) : ParityCommand(parity_options);
}

}  // namespace
}  // namespace warpcheck

int main(int argc, char** argv) { return warpcheck::RunMain(argc, argv, warpcheck::Main); }
