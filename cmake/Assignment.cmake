# warpcheck_assignment(<name>): the program <name>_checks of assignments/<name>/checks.cpp and
# reference/<name>.cu. The reference is compiled as a submission is, in the language of the rubric:
# its device code stays PTX, for the emulator and for every GPU of CUDA 13, and the CUDA runtime that
# it calls is warpcheck's own. The target grade_<name> is all that grading it needs.
function(warpcheck_assignment name)
  set(folder ${CMAKE_SOURCE_DIR}/assignments/${name})
  set(reference ${CMAKE_SOURCE_DIR}/reference/${name}.cu)
  foreach(file ${folder}/checks.cpp ${folder}/${name}.h ${folder}/rubric.toml ${reference})
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "assignment '${name}' has no ${file}")
    endif()
  endforeach()

  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_reference.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND compile_reference ${folder}/rubric.toml ${WARPCHECK_NVCC} -c
            -I ${folder} -MD -MF ${object}.d -MT ${object} ${reference} -o ${object}
    DEPENDS ${reference} ${folder}/rubric.toml compile_reference
    DEPFILE ${object}.d
    COMMENT "Compiling the reference of ${name}"
    VERBATIM)

  # Complaints call arrays what the header calls them.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${name}.h)
  file(READ ${folder}/${name}.h header)
  set(header_source ${CMAKE_CURRENT_BINARY_DIR}/${name}_header.cc)
  file(CONFIGURE OUTPUT ${header_source} @ONLY CONTENT
    "extern const char* const kAssignmentHeader;\nconst char* const kAssignmentHeader = R\"header(@header@)header\";\n")

  add_executable(${name}_checks ${folder}/checks.cpp ${header_source} ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_include_directories(${name}_checks PRIVATE ${folder})
  target_link_libraries(${name}_checks PRIVATE warpcheck_checks_main warpcheck_checks)
  # The checks find the mangled name of the student's function by its address in this program.
  set_target_properties(${name}_checks PROPERTIES ENABLE_EXPORTS ON)

  # What grading this one needs.
  add_custom_target(grade_${name})
  add_dependencies(grade_${name} ${name}_checks warpcheck submission_host gpu_host)
endfunction()
