"""warpcheck grades student CUDA kernels: see the command of that name."""
