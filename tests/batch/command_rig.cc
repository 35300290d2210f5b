#include "batch/command_rig.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"

namespace warpcheck::batch {

BatchProgramTest::BatchProgramTest() {
  ::setenv("WARPCHECK_GRADE_WORKER", WARPCHECK_STUB_WORKER, 1);
  ::setenv("STUB_RUBRIC", WARPCHECK_SOURCE_DIR "/assignments/transpose/rubric.toml", 1);
  ::setenv("STUB_NOTES", folder_.path().c_str(), 1);
  ::unsetenv("STUB_BROKEN");
}

BatchProgramTest::~BatchProgramTest() { ::unsetenv("WARPCHECK_GRADE_WORKER"); }

void BatchProgramTest::HandIn(const std::string& id, const std::string& text) {
  folder_.Write("class/" + id + ".cu", text);
}

void BatchProgramTest::HandInClass(int students, const std::string& text) {
  for (int i = 0; i < students; ++i) HandIn("s" + std::to_string(i), text + std::to_string(i));
}

pid_t BatchProgramTest::Start(const std::string& out, const std::vector<std::string>& more,
                              rlim_t file_bytes) {
  std::vector<std::string> words = {"batch",
                                    "transpose",
                                    (folder_.path() / "class").string(),
                                    "--out",
                                    (folder_.path() / out).string(),
                                    "--device",
                                    "emulator"};
  words.insert(words.end(), more.begin(), more.end());
  return StartCommand(std::move(words), file_bytes);
}

pid_t BatchProgramTest::StartCommand(std::vector<std::string> words, rlim_t file_bytes) {
  words.insert(words.begin(), WARPCHECK_PROGRAM);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string log = (folder_.path() / "log").string();
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  if (file_bytes > 0) {
    const struct rlimit limit = {file_bytes, file_bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ::execv(arguments[0], arguments.data());
  ::_exit(99);
}

int BatchProgramTest::StatusOf(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::string BatchProgramTest::Output(const std::string& name) const {
  return ReadFile(folder_.path() / name).value_or("");
}

}  // namespace warpcheck::batch
