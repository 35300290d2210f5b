#include "cli/gpu_host_program.h"

int main(int argc, char** argv) { return warpcheck::GpuHostProgram(argc, argv); }
