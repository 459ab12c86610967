# lipizz_add_test(folder/name DEPS modules... [NP counts...] [LABELS labels...] [TIMEOUT seconds]
#                 [SOURCES more...])
#
# Builds tests/folder/name_test.cpp. Without NP it runs as one process; with NP it links the MPI
# main of tests/support and becomes one CTest entry per rank count, name.npN, labelled `mpi`.
function(lipizz_add_test path)
  cmake_parse_arguments(ARG "" "TIMEOUT" "DEPS;NP;LABELS;SOURCES;PRIVATE" ${ARGN})
  string(REPLACE "/" "." name "${path}")
  set(target "test_${name}")
  add_executable(${target} "${CMAKE_SOURCE_DIR}/tests/${path}_test.cpp" ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE GTest::gmock ${ARG_PRIVATE})
  # Exports are what the CUDA plugin finds in its program.
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" ENABLE_EXPORTS ON)
  if(ARG_DEPS MATCHES "nn|coev")
    target_link_libraries(${target} PRIVATE lipizz_host_kernels)
  endif()
  foreach(dep ${ARG_DEPS})
    target_link_libraries(${target} PRIVATE lipizz_${dep})
  endforeach()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(ARG_NP)
    target_link_libraries(${target} PRIVATE lipizz_mpi_test_main)
    if(LIPIZZ_SANITIZE)
      target_link_libraries(${target} PRIVATE lipizz_keep_libraries)
    endif()
    foreach(np ${ARG_NP})
      add_test(NAME ${name}.np${np}
               COMMAND ${MPIEXEC_EXECUTABLE} ${LIPIZZ_MPIEXEC_FLAGS} -np ${np} $<TARGET_FILE:${target}>)
      set_tests_properties(${name}.np${np} PROPERTIES LABELS "${ARG_LABELS};mpi"
        TIMEOUT ${ARG_TIMEOUT} PROCESSORS 2 ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT}")
    endforeach()
  else()
    target_link_libraries(${target} PRIVATE GTest::gtest_main)
    add_test(NAME ${name} COMMAND ${target})
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
      ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT}")
  endif()
endfunction()

set(LIPIZZ_MPIEXEC_FLAGS --oversubscribe CACHE STRING "Flags for mpirun in the tests")
# The classifier that scores images is trained once per build folder and kept in its cache.
set(LIPIZZ_TEST_ENVIRONMENT
  "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMP_NUM_THREADS=1"
  "XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache" "LIPIZZ_PLUGIN_DIR=${CMAKE_BINARY_DIR}/lib")
if(LIPIZZ_SANITIZE)
  # Open MPI is built without frame pointers, hence the slow walk of the stack.
  list(APPEND LIPIZZ_TEST_ENVIRONMENT
    "ASAN_OPTIONS=fast_unwind_on_malloc=0"
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1")
endif()

# lipizz_add_gpu_tests(NAMES folder.name... [AS .suffix UNDER command...])
#
# The same tests once more with a GPU among their devices, labelled `gpu`; without one they are
# skipped and say why. UNDER: started by that program, which the name of the entry then tells.
function(lipizz_add_gpu_tests)
  cmake_parse_arguments(ARG "" "AS" "UNDER;NAMES" ${ARGN})
  foreach(name ${ARG_NAMES})
    set(entry gpu${ARG_AS}.${name})
    add_test(NAME ${entry} COMMAND device_probe ${ARG_UNDER} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${entry} PROPERTIES LABELS gpu TIMEOUT 900 SKIP_RETURN_CODE 77
      ENVIRONMENT "${LIPIZZ_TEST_ENVIRONMENT};LIPIZZ_TEST_DEVICE=cuda")
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
