#include "cli/command_line.h"
#include "cli/warpcheck_program.h"

int main(int argc, char** argv) {
  return warpcheck::RunMain(argc, argv, warpcheck::WarpcheckProgram);
}
