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
  file = ::memfd_create("kernel output", MFD_CLOEXEC);
  if (file < 0) return;
  descriptor = redirected;
  saved = ::fcntl(redirected, F_DUPFD_CLOEXEC, 3);  // -1 where the process runs without it
  if (::dup2(file, redirected) < 0) (void)End();
}

std::string OutputCapture::Redirection::End() {
  if (file < 0) return "";
  if (saved >= 0) {
    (void)::dup2(saved, descriptor);
    ::close(saved);
  } else {
    ::close(descriptor);
  }
  std::string text = ReadAll(file);
  ::close(file);
  file = -1;
  saved = -1;
  return text;
}

}  // namespace warpcheck::gpu
