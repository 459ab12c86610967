# Tests that run once more in programs that are built another way.

# lipizz_add_test_variant(prefix OF test_program OBJECTS objects... [SLOW entries...])
#
# Another program of these objects with the libraries of a test program, and the CTest entries of
# that once more, PREFIX.entry, run by it; those named SLOW get that label too.
function(lipizz_add_test_variant prefix)
  cmake_parse_arguments(ARG "" "OF" "OBJECTS;SLOW" ${ARGN})
  string(REGEX REPLACE "^test_" "test_${prefix}." program "${ARG_OF}")
  add_executable(${program} ${ARG_OBJECTS})
  get_target_property(libraries ${ARG_OF} LINK_LIBRARIES)
  target_link_libraries(${program} PRIVATE ${libraries})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  get_property(entries GLOBAL PROPERTY lipizz_entries_of_${ARG_OF})
  foreach(entry ${entries})
    get_property(filter GLOBAL PROPERTY lipizz_filter_of_${entry})
    add_test(NAME ${prefix}.${entry} COMMAND ${program} --gtest_filter=${filter})
    set(labels ${prefix})
    if(entry IN_LIST ARG_SLOW)
      list(APPEND labels slow)
    endif()
    set_tests_properties(${prefix}.${entry} PROPERTIES LABELS "${labels}" TIMEOUT 120
      ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT};${LIPIZZ_SANITIZER_ENVIRONMENT}")
  endforeach()
endfunction()

# lipizz_add_portable_tests(folders... [SLOW entries...])
#
# The tests of those folders as a build without oneDNN has them: what stands in for the fast engine
# there is linked in front of it. Also that such a build can be configured.
function(lipizz_add_portable_tests)
  cmake_parse_arguments(ARG "" "" "SLOW" ${ARGN})
  if(NOT LIPIZZ_WITH_ONEDNN)
    return()
  endif()
  add_test(NAME portable.configure
    COMMAND ${CMAKE_COMMAND} -S "${CMAKE_SOURCE_DIR}" -B "${CMAKE_BINARY_DIR}/portable" -G "${CMAKE_GENERATOR}"
            -DLIPIZZ_ONEDNN=OFF -DLIPIZZ_CUDA=OFF -DBUILD_TESTING=OFF)
  set_tests_properties(portable.configure PROPERTIES LABELS portable TIMEOUT 120
    PASS_REGULAR_EXPRESSION "CPU kernels on oneDNN: OFF.*Generating done")
  foreach(folder ${ARG_UNPARSED_ARGUMENTS})
    string(REPLACE "/" "." name "${folder}")
    lipizz_add_test_variant(portable OF test_${name}
      OBJECTS $<TARGET_OBJECTS:test_${name}> $<TARGET_OBJECTS:lipizz_nn_cpu_portable> SLOW ${ARG_SLOW})
  endforeach()
endfunction()

# lipizz_add_address_sanitized(name LIKE target): the objects of a target with the address sanitizer.
function(lipizz_add_address_sanitized name)
  cmake_parse_arguments(ARG "" "LIKE" "" ${ARGN})
  get_target_property(sources ${ARG_LIKE} SOURCES)
  get_target_property(folder ${ARG_LIKE} SOURCE_DIR)
  get_target_property(libraries ${ARG_LIKE} LINK_LIBRARIES)
  get_target_property(definitions ${ARG_LIKE} COMPILE_DEFINITIONS)
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  get_target_property(unity ${ARG_LIKE} UNITY_BUILD)
  get_target_property(batch ${ARG_LIKE} UNITY_BUILD_BATCH_SIZE)
  add_library(${name} OBJECT ${sources})
  if(unity)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
  if(definitions)
    target_compile_definitions(${name} PRIVATE ${definitions})
  endif()
  target_link_libraries(${name} PRIVATE ${libraries})
  # Without optimisation, which takes longer here than the tests do.
  target_compile_options(${name} PRIVATE -O0 -fsanitize=address -fno-omit-frame-pointer)
  if(NOT name STREQUAL lipizz_asan_headers)
    target_precompile_headers(${name} REUSE_FROM lipizz_asan_headers)
  endif()
endfunction()

# lipizz_add_address_sanitized_tests(folders... [SLOW entries...])
#
# The tests of those folders, which are modules, with the modules and core compiled for the address
# sanitizer; the tests themselves and what else they use are linked as they are. Sanitized objects
# come first: of functions that several objects have, the linker takes theirs.
function(lipizz_add_address_sanitized_tests)
  cmake_parse_arguments(ARG "" "" "SLOW" ${ARGN})
  if(LIPIZZ_SANITIZE)
    return()
  endif()
  lipizz_add_address_sanitized(lipizz_asan_headers LIKE lipizz_precompiled)
  target_precompile_headers(lipizz_asan_headers PRIVATE "${CMAKE_SOURCE_DIR}/cmake/precompiled.hpp")
  lipizz_add_address_sanitized(lipizz_asan_core LIKE lipizz_core)
  foreach(folder ${ARG_UNPARSED_ARGUMENTS})
    lipizz_add_address_sanitized(lipizz_asan_${folder} LIKE lipizz_${folder})
    lipizz_add_test_variant(asan OF test_${folder}
      OBJECTS $<TARGET_OBJECTS:lipizz_asan_${folder}> $<TARGET_OBJECTS:lipizz_asan_core>
              $<TARGET_OBJECTS:test_${folder}>
      SLOW ${ARG_SLOW})
    target_link_options(test_asan.${folder} PRIVATE -fsanitize=address)
  endforeach()
endfunction()
