// Makes the page of one submission: the score, the complaints, and the source with the cost of each
// line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grading/grade.h"
#include "report/html/html_page.h"

namespace warpcheck {

// Facts about the student and the mark that are not in the grade.
struct StudentHead {
  std::string name;         // the name to show; may contain any UTF-8
  std::string submitted{};  // may be empty
  bool late = false;
  std::string mark{};  // the points that count, if remarks change them; empty if they are not final
  std::vector<std::string> remarks{};  // texts about points taken for lateness, and notes of people
};

// Returns the head of a page that names the submission's file instead of a student.
StudentHead HeadOfFile(const Grade& grade);

// Returns the page, which names no other student and has no links to other pages.
std::string StudentPage(const Grade& grade, const StudentHead& head, const PageExtras& extras = {});

// Returns a StudentPage with a part, which is HTML, as the first of its main part.
std::string WithFirstPart(std::string student_page, const std::string& part);

// The position of a student among the students of the class that have pages.
struct ClassPlace {
  struct Neighbour {
    std::string address;
    std::string name;  // the name; may contain any UTF-8
  };
  std::string class_page;  // the address of the class page
  std::size_t number = 0;  // the position, counted from 1
  std::size_t count = 0;
  std::optional<Neighbour> previous{};
  std::optional<Neighbour> next{};
};

// Returns a StudentPage with links to the class's page and to the neighbours, for instructors.
std::string WithClassPlace(std::string student_page, const ClassPlace& place);

}  // namespace warpcheck
