// score: 0
// says: host
// The host replaces the letters.
#include <vector>

#include "cipher.h"

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  std::vector<int> text_here(n), table_here(letters);
  cudaMemcpy(text_here.data(), text, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(table_here.data(), table, letters * sizeof(int), cudaMemcpyDeviceToHost);
  for (int& letter : text_here) letter = table_here[letter];
  cudaMemcpy(out, text_here.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
