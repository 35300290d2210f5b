// Reads the calibration launches, which were measured on an H200: the kernels of
// data/h200_kernels.ptx, launched as data/h200_launches.txt says, with the counts of
// data/h200_counters.txt (CUDA 13.0, CUPTI's SASS metrics). Every device must give these counts.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "device/types.h"

namespace warpcheck {

// The number of elements of a launch. Its two buffers have 16 bytes for each element; the values
// are 1 in a and 0 in b.
inline constexpr std::uint32_t kCalibrationElements = 1 << 20;

struct Calibration {
  std::string name;
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::vector<int> scalars;  // arguments after the pointers
  int pointers = 2;          // 2 means a and b; 1 means only b; 3 means a, b, and b + N floats
  std::uint32_t dynamic_shared = 0;
};

// Values by metric, without "smsp__sass_". If a metric is missing, it was zero.
using Measured = std::map<std::string, std::uint64_t>;

// Returns the counts by launch, from h200_counters.txt.
inline std::map<std::string, Measured> ReadMeasurements(const std::string& path) {
  std::map<std::string, Measured> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      all[name][word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    }
  }
  return all;
}

// Returns all launches except "hist", whose input was random.
inline std::vector<Calibration> CalibrationLaunches() {
  constexpr std::uint32_t kN = kCalibrationElements;
  const auto grid = [](std::uint32_t x, std::uint32_t y = 1) { return Dim3{x, y, 1}; };
  const Dim3 tb{32, 8, 1};
  const int n = kN;
  std::vector<Calibration> launches = {
      {"copy", "_Z6k_copyPKfPfi", grid(kN / 256), grid(256), {n}},
      {"copy_tail", "_Z6k_copyPKfPfi", grid(4), grid(256), {1000}},
      {"offset1", "_Z8k_offsetPKfPfii", grid(kN / 256), grid(256), {n, 1}},
      {"offset8", "_Z8k_offsetPKfPfii", grid(kN / 256), grid(256), {n, 8}},
      {"stride2", "_Z8k_stridePKfPfii", grid(kN / 256 / 2), grid(256), {n, 2}},
      {"stride32", "_Z8k_stridePKfPfii", grid(kN / 256 / 32), grid(256), {n, 32}},
      {"copy_f4", "_Z7k_copy4PK6float4PS_i", grid(kN / 256 / 4), grid(256), {n / 4}},
      {"copy_f64", "_Z7k_copy2PKdPdi", grid(kN / 256 / 2), grid(256), {n / 2}},
      {"copy_i8", "_Z7k_copy1PKcPci", grid(kN / 256), grid(256), {n}},
      {"aos3", "_Z6k_aos3PK2F3PS_i", grid(1000), grid(256), {256000}},
      {"tnaive", "_Z8k_tnaivePKfPfii", grid(32, 32), tb, {1024, 1024}},
      {"ttile", "_Z7k_ttileILi0EEvPKfPfii", grid(32, 32), tb, {1024, 1024}},
      {"tpad", "_Z7k_ttileILi1EEvPKfPfii", grid(32, 32), tb, {1024, 1024}},
      {"tpad_ragged", "_Z7k_ttileILi1EEvPKfPfii", grid(32, 32), tb, {1000, 1003}},
      {"matmul16", "_Z8k_matmulPKfS0_Pfi", grid(16, 16), grid(16, 16), {256}, 3},
      {"matmul_naive", "_Z14k_matmul_naivePKfS0_Pfi", grid(16, 16), grid(16, 16), {256}, 3},
      {"reddiv", "_Z8k_reddivPKfPf", grid(1024), grid(256), {}, 2, 1024},
      {"redseq", "_Z8k_redseqPKfPf", grid(1024), grid(256), {}, 2, 1024},
      {"stencil2", "_Z9k_stencilILi2EEvPKfPfiii", grid(16, 64), grid(64, 16), {1024, 1022, 1022}},
      {"stencil8", "_Z9k_stencilILi8EEvPKfPfiii", grid(16, 64), grid(64, 16), {1024, 1016, 1016}},
  };
  const std::pair<const char*, const char*> strided[] = {
      {"smem_f0", "_Z6k_smemIfLi0EEvPT_i"},   {"smem_f1", "_Z6k_smemIfLi1EEvPT_i"},
      {"smem_f2", "_Z6k_smemIfLi2EEvPT_i"},   {"smem_f3", "_Z6k_smemIfLi3EEvPT_i"},
      {"smem_f8", "_Z6k_smemIfLi8EEvPT_i"},   {"smem_f32", "_Z6k_smemIfLi32EEvPT_i"},
      {"smem_d1", "_Z6k_smemIdLi1EEvPT_i"},   {"smem_d2", "_Z6k_smemIdLi2EEvPT_i"},
      {"smem_d16", "_Z6k_smemIdLi16EEvPT_i"}, {"smem_c1", "_Z6k_smemIcLi1EEvPT_i"},
      {"smem_s1", "_Z6k_smemIsLi1EEvPT_i"},   {"smem_s2", "_Z6k_smemIsLi2EEvPT_i"},
  };
  for (const auto& [name, kernel] : strided) {
    launches.push_back({name, kernel, grid(64), grid(256), {7}, 1});
  }
  for (const int stride : {1, 2, 3}) {
    launches.push_back(
        {fmt::format("smem_f4_{}", stride), "_Z5k_sf4P6float4i", grid(64), grid(256), {stride}, 1});
  }
  return launches;
}

}  // namespace warpcheck
