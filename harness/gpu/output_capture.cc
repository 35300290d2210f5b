#include "gpu/output_capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace warpcheck::gpu {
namespace {

std::string ReadAll(int file) {
  std::string text;
  std::array<char, 4096> part;
  off_t at = 0;
  for (;;) {
    const ssize_t bytes = ::pread(file, part.data(), part.size(), at);
    if (bytes <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(bytes));
    at += bytes;
  }
}

void FlushStreams() {
  std::fflush(stdout);
  std::fflush(stderr);
}

}  // namespace

OutputCapture::OutputCapture() {
  FlushStreams();
  out_.Begin(STDOUT_FILENO);
  err_.Begin(STDERR_FILENO);
}

OutputCapture::~OutputCapture() { (void)Finish(); }

OutputCapture::Text OutputCapture::Finish() {
  FlushStreams();
  Text text;
  text.out = out_.End();
  text.err = err_.End();
  return text;
}

void OutputCapture::Redirection::Begin(int redirected) {
  file = Descriptor(::memfd_create("kernel output", MFD_CLOEXEC));
  if (file.get() < 0) return;
  descriptor = redirected;
  // Dup() returns -1 if the process has no such descriptor.
  saved = Descriptor(::fcntl(redirected, F_DUPFD_CLOEXEC, 3));
  if (::dup2(file.get(), redirected) < 0) (void)End();
}

std::string OutputCapture::Redirection::End() {
  if (file.get() < 0) return "";
  if (saved.get() >= 0) {
    (void)::dup2(saved.get(), descriptor);
  } else {
    ::close(descriptor);
  }
  saved.Close();
  std::string text = ReadAll(file.get());
  file.Close();
  return text;
}

}  // namespace warpcheck::gpu
