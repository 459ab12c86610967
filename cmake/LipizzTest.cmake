# Tests are programs of many files: one for each folder, so that a build links few.

# Test sources see GoogleTest and the standard library precompiled. Assertions are most of what
# there is to compile: optimised they take longer to compile than they save.
add_executable(lipizz_test_headers "${CMAKE_SOURCE_DIR}/tests/support/precompiled.cpp")
target_link_libraries(lipizz_test_headers PRIVATE lipizz_options GTest::gmock)
target_compile_options(lipizz_test_headers PRIVATE -O0)
target_precompile_headers(lipizz_test_headers PRIVATE "${CMAKE_SOURCE_DIR}/tests/support/precompiled.hpp")

# These look at so many numbers themselves that optimising them saves more time than it takes.
set(LIPIZZ_OPTIMISED_TESTS test_comm test_comm.mpi_communicator test_nn.train test_parallel
    test_parallel.mpi_collectives)

# Most of the time of compiling goes into templates that all sources share, so several are compiled
# as one: each test has a namespace of its own, named after its file.
set(LIPIZZ_TEST_BATCH 18 CACHE STRING "How many sources of tests are compiled together")

# lipizz_add_test_program(target SOURCES files... DEPS modules... [PRIVATE libs...] [DEFINITIONS d...])
function(lipizz_add_test_program target)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE;DEFINITIONS" ${ARGN})
  list(TRANSFORM ARG_DEPS REPLACE "/" "_")
  add_executable(${target} ${ARG_SOURCES})
  if(NOT target IN_LIST LIPIZZ_OPTIMISED_TESTS)
    target_precompile_headers(${target} REUSE_FROM lipizz_test_headers)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE lipizz_options GTest::gmock ${ARG_PRIVATE})
  target_compile_definitions(${target} PRIVATE ${ARG_DEFINITIONS})
  # Exports are what the CUDA plugin finds in its program.
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" ENABLE_EXPORTS ON
    UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${LIPIZZ_TEST_BATCH})
  if(ARG_DEPS MATCHES "nn|coev")
    target_link_libraries(${target} PRIVATE lipizz_host_kernels)
  endif()
  foreach(dep ${ARG_DEPS})
    target_link_libraries(${target} PRIVATE lipizz_${dep})
  endforeach()
endfunction()

# lipizz_find_suites(result file): a GoogleTest filter that picks the tests of one source.
function(lipizz_find_suites result file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(STRINGS "${file}" tests REGEX "^(TYPED_)?TEST(_F|_P)?\\(")
  list(TRANSFORM tests REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+).*" "\\1")
  file(STRINGS "${file}" instances REGEX "^INSTANTIATE_TEST_SUITE_P\\(")
  list(TRANSFORM instances REPLACE "^[A-Z_]+\\([A-Za-z0-9_]*, *([A-Za-z0-9_]+).*" "\\1")
  set(lines ${tests} ${instances})
  list(REMOVE_DUPLICATES lines)
  if(NOT lines)
    message(FATAL_ERROR "${file} has no test")
  endif()
  list(TRANSFORM lines REPLACE "(.+)" "\\1.*:\\1/*:*/\\1.*:*/\\1/*")
  list(JOIN lines ":" filter)
  set(${result} "${filter}" PARENT_SCOPE)
endfunction()

# lipizz_add_tests(folder NAMES names... DEPS modules... [PROGRAM suffix] [LABELS labels...]
#                  [TIMEOUT seconds] [SOURCES more...] [PRIVATE libs...] [DEFINITIONS d...])
#
# Builds tests/folder/NAME_test.cpp of all names as one program and makes a CTest entry of each,
# folder.name. A folder with several programs tells them apart by PROGRAM.
function(lipizz_add_tests folder)
  cmake_parse_arguments(ARG "" "PROGRAM;TIMEOUT" "NAMES;DEPS;LABELS;SOURCES;PRIVATE;DEFINITIONS" ${ARGN})
  string(REPLACE "/" "." prefix "${folder}")
  set(target test_${prefix})
  if(ARG_PROGRAM)
    string(APPEND target "_${ARG_PROGRAM}")
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  list(TRANSFORM ARG_NAMES REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/tests/${folder}/\\1_test.cpp" OUTPUT_VARIABLE files)
  lipizz_add_test_program(${target} SOURCES ${files} ${ARG_SOURCES} DEPS ${ARG_DEPS}
    PRIVATE GTest::gtest_main ${ARG_PRIVATE} DEFINITIONS ${ARG_DEFINITIONS})
  # Sources that are no tests have no namespace of their file.
  set_source_files_properties(${ARG_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(name file IN ZIP_LISTS ARG_NAMES files)
    lipizz_find_suites(filter "${file}")
    set(entry ${prefix}.${name})
    add_test(NAME ${entry} COMMAND ${target} --gtest_filter=${filter})
    set_tests_properties(${entry} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
      ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT}")
    set_property(GLOBAL APPEND PROPERTY lipizz_entries_of_${target} ${entry})
    set_property(GLOBAL PROPERTY lipizz_target_of_${entry} ${target})
    set_property(GLOBAL PROPERTY lipizz_filter_of_${entry} "${filter}")
  endforeach()
endfunction()

# lipizz_add_mpi_test(folder/name DEPS modules... NP counts... [LABELS labels...])
#
# Builds tests/folder/name_test.cpp with the MPI main of tests/support and makes a CTest entry of
# each number of ranks, folder.name.npN, labelled `mpi`.
function(lipizz_add_mpi_test path)
  cmake_parse_arguments(ARG "" "" "DEPS;NP;LABELS" ${ARGN})
  string(REPLACE "/" "." name "${path}")
  set(target test_${name})
  lipizz_add_test_program(${target} SOURCES "${CMAKE_SOURCE_DIR}/tests/${path}_test.cpp" DEPS ${ARG_DEPS}
    PRIVATE lipizz_mpi_test_main)
  if(LIPIZZ_SANITIZE)
    target_link_libraries(${target} PRIVATE lipizz_keep_libraries)
  endif()
  foreach(np ${ARG_NP})
    add_test(NAME ${name}.np${np}
             COMMAND ${MPIEXEC_EXECUTABLE} ${LIPIZZ_MPIEXEC_FLAGS} -np ${np} $<TARGET_FILE:${target}>)
    set_tests_properties(${name}.np${np} PROPERTIES LABELS "${ARG_LABELS};mpi"
      TIMEOUT 120 PROCESSORS 2 ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

set(LIPIZZ_MPIEXEC_FLAGS --oversubscribe CACHE STRING "Flags for mpirun in the tests")
# The classifier that scores images is trained once per build folder and kept in its cache.
set(LIPIZZ_TEST_ENVIRONMENT
  "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMP_NUM_THREADS=1"
  "XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache" "LIPIZZ_PLUGIN_DIR=${CMAKE_BINARY_DIR}/lib")
# Open MPI is built without frame pointers, hence the slow walk of the stack.
set(LIPIZZ_SANITIZER_ENVIRONMENT
  "ASAN_OPTIONS=fast_unwind_on_malloc=0"
  "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0"
  "UBSAN_OPTIONS=print_stacktrace=1"
  "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1")
if(LIPIZZ_SANITIZE)
  list(APPEND LIPIZZ_TEST_ENVIRONMENT ${LIPIZZ_SANITIZER_ENVIRONMENT})
endif()

# lipizz_add_gpu_tests(NAMES folder.name... [AS .suffix UNDER command...])
#
# The same tests once more with a GPU among their devices, labelled `gpu`; without one they are
# skipped and say why. UNDER: started by that program, which the name of the entry then tells.
# gpu_tests.txt of the build folder lists them: name, program, filter (scripts/gpu-check.sh).
file(WRITE "${CMAKE_BINARY_DIR}/gpu_tests.txt" "")
function(lipizz_add_gpu_tests)
  cmake_parse_arguments(ARG "" "AS" "UNDER;NAMES" ${ARGN})
  foreach(name ${ARG_NAMES})
    get_property(target GLOBAL PROPERTY lipizz_target_of_${name})
    get_property(filter GLOBAL PROPERTY lipizz_filter_of_${name})
    set(entry gpu${ARG_AS}.${name})
    add_test(NAME ${entry} COMMAND device_probe ${ARG_UNDER} $<TARGET_FILE:${target}> --gtest_filter=${filter})
    set_tests_properties(${entry} PROPERTIES LABELS gpu TIMEOUT 900 SKIP_RETURN_CODE 77
      ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT};LIPIZZ_TEST_DEVICE=cuda")
    if(NOT ARG_UNDER)
      file(RELATIVE_PATH folder "${CMAKE_BINARY_DIR}" "${CMAKE_CURRENT_BINARY_DIR}")
      file(APPEND "${CMAKE_BINARY_DIR}/gpu_tests.txt" "${name} ${folder}/${target} ${filter}\n")
    endif()
  endforeach()
endfunction()

# The same under the tools of compute-sanitizer, which stand beside the compiler.
find_program(COMPUTE_SANITIZER compute-sanitizer PATHS /usr/local/cuda/bin)
if(NOT COMPUTE_SANITIZER)
  set(COMPUTE_SANITIZER /usr/local/cuda/bin/compute-sanitizer)
endif()
function(lipizz_add_sanitized_gpu_tests)
  foreach(tool memcheck racecheck)
    lipizz_add_gpu_tests(AS .${tool} UNDER ${COMPUTE_SANITIZER} --tool ${tool} --error-exitcode 1 NAMES ${ARGN})
  endforeach()
endfunction()
