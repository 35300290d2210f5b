#include "checks/options.h"

#include <CLI/CLI.hpp>

namespace warpcheck {

Result<ChecksOptions> ParseChecksOptions(int argc, const char* const* argv) {
  ChecksOptions options;
  CLI::App app("The checks of one assignment, run over one submission");
  app.add_option("--shared-object", options.shared_object, "the built submission")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--submission-host", options.submission_host, "the program that loads it")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--student-source", options.student_sources,
                 "a source file's name in the PTX's .file table (repeatable)");
  app.add_option("--kernel-resources", options.kernel_resources,
                 "a file of what ptxas gives its kernels (emulator)")
      ->check(CLI::ExistingFile);
  app.add_option("--results", options.results, "where the results go")->required();
  app.add_option("--seed", options.seed, "the hidden seed of all inputs")->required();
  app.add_option("--device", options.device, "emulator or gpu")
      ->check(CLI::IsMember({"emulator", "gpu"}));
  app.add_option("--gpu-host", options.gpu_host, "the program that holds a GPU")
      ->check(CLI::ExistingFile);
  app.add_option("--compute-sanitizer", options.compute_sanitizer,
                 "the program (default: in CUDA_HOME, /usr/local/cuda, or on PATH)")
      ->check(CLI::ExistingFile);
  app.add_flag("--no-memcheck", options.no_memcheck, "does not look for reads out of bounds");
  app.add_flag("--count-every-launch", options.count_every_launch,
               "also where no case asks for counters");
  app.add_option("--references", options.references,
                 "a folder for what the reference gives, shared with others (emulator)")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--no-sandbox", options.no_sandbox, "limits alone, no isolation");
  app.add_option("--order-seed", options.order_seed, "permutes the order of blocks and warps");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Fail(app.help());
  } catch (const CLI::ParseError& error) {
    return Fail(error.what());
  }
  if (options.device == "gpu" && options.gpu_host.empty()) {
    return Fail("--device=gpu needs --gpu-host");
  }
  if (options.no_sandbox && options.references) {
    return Fail("--references needs the sandbox: without it, the submission could read them");
  }
  return options;
}

}  // namespace warpcheck
