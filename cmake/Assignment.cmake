# Writes the main function of an assignment's checks into the build folder, and stores the path of
# its source in the variable `result`. The function passes the assignment's header, because complaints
# name arrays as the header does, and what the reference counts (harness/results/reference_counts.h),
# if `folder` has such a file.
function(warpcheck_write_checks_main name folder result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${name}.h)
  file(READ ${folder}/${name}.h header)
  set(reference_counts "{}")
  file(GLOB recorded CONFIGURE_DEPENDS ${folder}/reference_counts.json)
  if(recorded)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${recorded})
    file(READ ${recorded} reference_counts)
  endif()
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}_header.cc)
  file(CONFIGURE OUTPUT ${main} @ONLY CONTENT
    "#include \"checks/program.h\"
int main(int argc, char** argv) {
  return warpcheck::RunChecksProgram(argc, argv, R\"header(@header@)header\",
                                    R\"counts(@reference_counts@)counts\");
}
")
  set(${result} ${main} PARENT_SCOPE)
endfunction()

# warpcheck_add_assignment(<name>) builds the program <name>_checks from
# assignments/<name>/checks.cpp. Students receive this program. It contains nothing of
# reference/<name>.cu, because the checks compute the expected results on the host. An assignment
# that lacks a file is left out with a warning, so that the others can be built. Sets <name>_complete.
function(warpcheck_add_assignment name)
  set(folder ${PROJECT_SOURCE_DIR}/assignments/${name})
  foreach(file ${folder}/checks.cpp ${folder}/${name}.h ${folder}/rubric.toml
      ${PROJECT_SOURCE_DIR}/reference/${name}.cu)
    file(GLOB found CONFIGURE_DEPENDS ${file})
    if(NOT found)
      message(WARNING "assignment '${name}' is left out: it has no ${file}")
      set(${name}_complete FALSE PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${name}_complete TRUE PARENT_SCOPE)

  warpcheck_write_checks_main(${name} ${folder} main)
  add_library(${name}_cases OBJECT ${folder}/checks.cpp ${main})
  target_include_directories(${name}_cases PRIVATE ${folder})
  target_link_libraries(${name}_cases PRIVATE warpcheck_checks)

  add_executable(${name}_checks $<TARGET_OBJECTS:${name}_cases>)
  set_target_properties(${name}_checks PROPERTIES LINKER_LANGUAGE CXX)
  target_link_options(${name}_checks PRIVATE $<$<CONFIG:Release>:-s>)
  warpcheck_thin(${name}_checks)
  warpcheck_install(${name}_checks)
endfunction()

# Adds every folder of assignments/ that has a rubric, and sets WARPCHECK_ASSIGNMENTS to their
# names.
function(warpcheck_add_assignments)
  file(GLOB rubrics CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assignments/*/rubric.toml)
  foreach(rubric ${rubrics})
    get_filename_component(folder ${rubric} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    warpcheck_add_assignment(${name})
    if(${name}_complete)
      list(APPEND names ${name})
    endif()
  endforeach()
  set(WARPCHECK_ASSIGNMENTS ${names} PARENT_SCOPE)
endfunction()
