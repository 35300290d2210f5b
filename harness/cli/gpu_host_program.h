// gpu_host holds one GPU and serves it to the judge at the other end of a socket, so that the judge
// survives every fault of the GPU. It is trusted.
#pragma once

namespace warpcheck {

// Runs the program gpu_host and returns its exit status: 0 if the judge has closed the socket, 1 if
// there is no GPU to serve (the judge is told why), 2 for wrong usage.
int GpuHostProgram(int argc, char** argv);

}  // namespace warpcheck
