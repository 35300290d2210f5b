// Makes what hostile programs would like to access: secrets in files, in the environment and in an
// open descriptor, results and work of others, and listeners on the network.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "hostile/snapshot.h"

namespace warpcheck::hostile {

class World {
 public:
  // Makes a folder of its own. Sets HOME, WARPCHECK_CACHE and a secret in the environment.
  World();
  ~World();

  // Returns what changed since the last call, except new entries of the build cache: files here and
  // in the checkout, processes that were left running, descriptors, and listeners that received a
  // connection. Returns nothing if nothing changed.
  std::vector<std::string> Changes();

  // Returns the secrets whose text occurs in `text`.
  std::vector<std::string> SecretsIn(const std::string& text) const;

  // The files that contain secrets.
  const std::filesystem::path& home_file() const { return home_file_; }
  const std::filesystem::path& other_submission() const { return other_submission_; }
  // A folder for the test's own files, which is not watched.
  std::filesystem::path workplace() const { return folder_ / "workplace"; }

 private:
  std::string Secret(const std::string& name);
  void Listen();
  Snapshot Now() const;

  std::filesystem::path folder_, home_file_, other_submission_;
  std::vector<std::string> secrets_;
  Descriptor stray_, tcp_, udp_, local_;
  Snapshot before_;
  int descriptors_ = 0;
};

}  // namespace warpcheck::hostile
