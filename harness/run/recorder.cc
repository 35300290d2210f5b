#include "run/recorder.h"

#include <cstdio>

namespace warpcheck::run {

namespace {

void Give(std::string& text, std::FILE* to) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), to);
  text.clear();
}

}  // namespace

void Recorder::Show() {
  Give(printed_, stdout);
  Give(asserted_, stderr);
}

void Recorder::End() {
  const std::size_t bytes = printed_.size() + asserted_.size();
  if (bytes != 0) journal_.NotShown(bytes);
}

}  // namespace warpcheck::run
