// score: 0
// says: host
// The host adds, and copies the sums to the device.
#include <vector>

#include "scan.h"

void exclusive_scan(const int* in, int* out, int n) {
  std::vector<int> numbers(n);
  cudaMemcpy(numbers.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int& number : numbers) {
    const int own = number;
    number = sum;
    sum += own;
  }
  cudaMemcpy(out, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
