// Tests that every file of harness/ has one subject and says so: one anonymous namespace a source,
// a header's functions in the source of its name, and an opening sentence in each header.
#include "file_rules.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "base/files.h"

namespace warpcheck::layering {
namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string, std::less<>>;  // texts of files, by name

// The broken rules: what is wrong, by "<rule> <path>".
using Breaches = std::map<std::string, std::string>;

std::string Read(const fs::path& path) {
  const auto text = ReadFile(path);
  EXPECT_TRUE(text) << text.error().Text();
  return text.value_or("");
}

fs::path Beside(std::string_view name) {
  return fs::path(WARPCHECK_SOURCE_DIR) / "tests/layering" / name;
}

// Returns the lines of a list, without remarks, which begin with '#', and without empty lines.
std::set<std::string> Lines(std::string_view name) {
  std::set<std::string> lines;
  std::istringstream text(Read(Beside(name)));
  for (std::string line; std::getline(text, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) lines.insert(line);
  }
  return lines;
}

std::set<std::string, std::less<>> Verbs() {
  std::set<std::string, std::less<>> verbs;
  for (const std::string& line : Lines("verbs.txt")) {
    std::istringstream words(line);
    for (std::string word; words >> word;) verbs.insert(word);
  }
  return verbs;
}

// Returns the files of harness/ that count as its code, by folder.
std::map<fs::path, Texts> Folders() {
  const fs::path source = WARPCHECK_SOURCE_DIR;
  std::map<fs::path, Texts> folders;
  for (const auto& entry : fs::recursive_directory_iterator(source / "harness")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cc" && extension != ".def" && extension != ".inc") {
      continue;
    }
    const fs::path folder = fs::relative(entry.path().parent_path(), source);
    folders[folder][entry.path().filename().string()] = Read(entry.path());
  }
  return folders;
}

void CheckHeader(const std::string& path, std::string_view header,
                 const std::set<std::string, std::less<>>& verbs, Breaches& breaches) {
  const std::string sentence = OpeningSentence(header);
  if (sentence.empty()) {
    breaches["opening-sentence " + path] = "it does not begin with a comment";
  } else if (!HasVerb(sentence, verbs)) {
    breaches["opening-sentence " + path] =
        fmt::format("no word of verbs.txt is in its first sentence: {}", sentence);
  }
}

void CheckSource(const std::string& path, std::string_view name, std::string_view source,
                 const Texts& headers, Breaches& breaches) {
  if (const int count = AnonymousNamespaces(source); count > 1) {
    breaches["one-anonymous-namespace " + path] = fmt::format("it has {}", count);
  }
  const auto for_others = DefinedForOthers(name, source, headers);
  if (!for_others.empty()) {
    breaches["defined-in-namesake " + path] =
        fmt::format("it defines {}", fmt::join(for_others, ", "));
  }
}

Breaches BreachesOfTheTree() {
  Breaches breaches;
  const auto verbs = Verbs();
  for (const auto& [folder, files] : Folders()) {
    Texts headers;
    for (const auto& [name, text] : files) {
      if (name.ends_with(".h")) headers[name] = text;
    }
    for (const auto& [name, text] : files) {
      const std::string path = (folder / name).string();
      if (name.ends_with(".h")) CheckHeader(path, text, verbs, breaches);
      if (name.ends_with(".cc")) CheckSource(path, name, text, headers, breaches);
    }
  }
  return breaches;
}

TEST(FileRules, CountsAnonymousNamespaces) {
  EXPECT_EQ(AnonymousNamespaces("namespace a {\nint x;\n}  // namespace a\n"), 0);
  EXPECT_EQ(AnonymousNamespaces("namespace {\n}  // namespace\n"), 1);
  EXPECT_EQ(AnonymousNamespaces("namespace {\n}  // namespace\nvoid F() {}\nnamespace {\n"), 2);
}

TEST(FileRules, SeesTheFunctionsThatASourceDefines) {
  EXPECT_THAT(DefinedFunctions("namespace {\n"
                               "int Helper() { return 1; }\n"
                               "}  // namespace\n"
                               "Result<int> Parse(std::string_view text) {\n"
                               "  return Helper();\n"
                               "}\n"
                               "void Declared(int);\n"
                               "Parser::~Parser() = default;\n"
                               "bool Parser::Next(Token& token) {\n"
                               "WARPCHECK_FIELDS(Record, name)\n"
                               "const Table* Rows(int a,\n"),
              testing::ElementsAre("Parse", "Parser::Next", "Rows"));
}

TEST(FileRules, WantsAFunctionInTheSourceOfItsHeader) {
  const Texts headers = {{"parser.h", "class Parser : Base {\n  bool Next();\n};\n"},
                         {"parse.h", "Result<int> Parse(std::string_view text);\n"}};
  const std::string_view next = "bool Parser::Next() { return false; }\n";
  EXPECT_THAT(DefinedForOthers("parser.cc", next, headers), testing::IsEmpty());
  EXPECT_THAT(DefinedForOthers("parse.cc", next, headers),
              testing::ElementsAre("Parser::Next of parser.h"));
  EXPECT_THAT(DefinedForOthers("text.cc", "Result<int> Parse(std::string_view text) {\n", headers),
              testing::ElementsAre("Parse of parse.h"));
  EXPECT_THAT(DefinedForOthers("text.cc", "int Unknown(int i) {\n", headers), testing::IsEmpty());
}

TEST(FileRules, FindsTheVerbOfAnOpeningSentence) {
  const std::set<std::string, std::less<>> verbs = {"reads", "is"};
  EXPECT_EQ(OpeningSentence("// Reads files\n// whole. Slowly.\n#pragma once\n"),
            "Reads files whole.");
  EXPECT_EQ(OpeningSentence("// Names a.b: one\n\n// More.\n"), "Names a.b: one");
  EXPECT_EQ(OpeningSentence("#pragma once\n// Late.\n"), "");
  EXPECT_TRUE(HasVerb("Reads files whole.", verbs));
  EXPECT_FALSE(HasVerb("Whole files, in one step.", verbs));
  EXPECT_FALSE(HasVerb("This", verbs));
}

TEST(FileRules, AllFilesObeyThem) {
  for (const auto& [breach, what] : BreachesOfTheTree()) ADD_FAILURE() << breach << ": " << what;
}

TEST(FileRules, AllFoldersAreLookedAt) { EXPECT_GT(Folders().size(), 20u); }

}  // namespace
}  // namespace warpcheck::layering
