// This program computes C = A B by tiles in shared memory, with edges, in float and in double. The
// sums are exact in both.
#include "check.h"

constexpr int kTile = 16;

template <class T>
__global__ void Product(const T* a, const T* b, T* c, int rows, int depth, int columns) {
  __shared__ T left[kTile][kTile];
  __shared__ T right[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int tile = 0; tile < depth; tile += kTile) {
    const int k = tile + threadIdx.x, l = tile + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < rows && k < depth ? a[row * depth + k] : T(0);
    right[threadIdx.y][threadIdx.x] =
        l < depth && column < columns ? b[l * columns + column] : T(0);
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

template <class T>
void Try(const char* name, int rows, int depth, int columns) {
  Numbers numbers(3);
  std::vector<T> a(rows * depth), b(depth * columns);
  for (T& value : a) value = T(numbers.Next() % 17) - 8;
  for (T& value : b) value = T(numbers.Next() % 17) - 8;
  const Array<T> da(a), db(b);
  const Array<T> dc(rows * columns);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile), block(kTile, kTile);
  Product<T><<<grid, block>>>(da.data(), db.data(), dc.data(), rows, depth, columns);
  CHECK(cudaGetLastError());
  const std::vector<T> c = dc.Get();
  int wrong = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      T sum = 0;
      for (int k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * columns + j];
      wrong += sum != c[i * columns + j];
    }
  }
  Show(name, c);
  std::printf("%d wrong\n", wrong);
}

int main() {
  Try<float>("float", 61, 47, 83);
  Try<double>("double", 48, 33, 17);
  return 0;
}
