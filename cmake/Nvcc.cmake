# Finds nvcc on PATH, in CUDA_HOME or in the toolkit's usual place, and sets WARPCHECK_NVCC and
# WARPCHECK_CUDA_INCLUDE_DIR. CMake's own CUDA language is not used: reference kernels and
# submissions are compiled by the same command, which CMake's rules would change.
find_program(WARPCHECK_NVCC nvcc
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda
  PATH_SUFFIXES bin)
if(NOT WARPCHECK_NVCC)
  message(FATAL_ERROR
    "nvcc not found on PATH, in CUDA_HOME or in /usr/local/cuda.\n"
    "warpcheck compiles submissions with the CUDA Toolkit 13 (12 is not tested); no GPU is needed.\n"
    "Install the toolkit, or point CUDA_HOME at it: CUDA_HOME=/path/to/cuda make build")
endif()
get_filename_component(_nvcc_real ${WARPCHECK_NVCC} REALPATH)
get_filename_component(_nvcc_bin ${_nvcc_real} DIRECTORY)
find_path(WARPCHECK_CUDA_INCLUDE_DIR cuda_runtime_api.h
  HINTS ${_nvcc_bin}/../include ${_nvcc_bin}/../targets/x86_64-linux/include
  REQUIRED)
add_library(warpcheck_cuda_headers INTERFACE)
target_include_directories(warpcheck_cuda_headers SYSTEM INTERFACE ${WARPCHECK_CUDA_INCLUDE_DIR})
