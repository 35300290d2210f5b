// Functions of the C library give memory to the operating system. They must work while the device
// may still be using the memory, and count as accesses of the host.
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "cases.h"

// Ends the program if a function did not handle as many bytes as it should.
void Expect(std::size_t bytes, std::size_t wanted = kBytes) {
  if (bytes == wanted) return;
  std::fprintf(stderr, "%zu bytes, not %zu\n", bytes, wanted);
  std::exit(1);
}

// A file of kBytes bytes, which is removed at the end.
struct File {
  File() : file(std::tmpfile()) {
    const std::vector<float> values(kCount, 1);
    Expect(std::fwrite(values.data(), 1, kBytes, file));
    std::rewind(file);
    std::fflush(file);
  }
  ~File() { std::fclose(file); }
  File(const File&) = delete;
  int number() const { return fileno(file); }
  std::FILE* file;
};

// case write_pinned: early_host_use
void WritePinned(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  File file;
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, stream));  // write_pinned: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  Expect(write(file.number(), host, kBytes));  // write_pinned: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// case fwrite_managed: early_host_use
void FwriteManaged(bool wrong) {
  float* data = Managed();
  File file;
  Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // fwrite_managed: earlier
  if (!wrong) Finish();
  Expect(std::fwrite(data, sizeof(float), kCount, file.file), kCount);  // fwrite_managed: later
  Finish();
  CHECK(cudaFree(data));
}

// case stream_of_cxx: early_host_use
void StreamOfCxx(bool wrong) {
  float* data = Managed();
  std::ofstream file("/dev/null", std::ios::binary);
  Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // stream_of_cxx: earlier
  if (!wrong) Finish();
  file.write(reinterpret_cast<const char*>(data), kBytes);  // stream_of_cxx: later
  if (!file) std::exit(1);
  Finish();
  CHECK(cudaFree(data));
}

// case read_to_pinned: early_host_use
void ReadToPinned(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  File file;
  CHECK(cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice, stream));  // read_to_pinned: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  Expect(read(file.number(), host, kBytes));  // read_to_pinned: later
  CHECK(cudaStreamSynchronize(stream));
  USE(host[7]);
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// case fread_to_managed: early_host_use
void FreadToManaged(bool wrong) {
  float *values = Managed(), *sum = OnDevice();
  File file;
  Add<<<Blocks(kCount), kBlock>>>(values, values, sum, kCount);  // fread_to_managed: earlier
  if (!wrong) Finish();
  Expect(std::fread(values, sizeof(float), kCount, file.file), kCount);  // fread_to_managed: later
  Finish();
  USE(values[7]);
  CHECK(cudaFree(values));
  CHECK(cudaFree(sum));
}

// The host may write memory to a file while the device only reads it.
// case write_what_is_read: early_host_use
void WriteWhatIsRead(bool wrong) {
  float *values = Managed(), *sum = Managed();
  File file;
  Add<<<Blocks(kCount), kBlock>>>(values, values, sum, kCount);  // write_what_is_read: earlier
  Expect(write(file.number(), wrong ? sum : values, kBytes));    // write_what_is_read: later
  Finish();
  CHECK(cudaFree(values));
  CHECK(cudaFree(sum));
}

int main(int argc, char** argv) {
  return RunCase({{"write_pinned", WritePinned},
                  {"fwrite_managed", FwriteManaged},
                  {"stream_of_cxx", StreamOfCxx},
                  {"read_to_pinned", ReadToPinned},
                  {"fread_to_managed", FreadToManaged},
                  {"write_what_is_read", WriteWhatIsRead}},
                 argc, argv);
}
