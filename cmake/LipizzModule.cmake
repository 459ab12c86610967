# Headers of the standard library are precompiled, once for all modules. A source still names what
# it uses: builds with CMAKE_DISABLE_PRECOMPILE_HEADERS=ON must pass.
add_library(lipizz_precompiled OBJECT "${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp")
target_link_libraries(lipizz_precompiled PRIVATE lipizz_options)
target_precompile_headers(lipizz_precompiled PRIVATE "${CMAKE_SOURCE_DIR}/cmake/precompiled.hpp")

# lipizz_optimise(SOURCES files... [OPTIONS options...]): sources of this folder that compute, fast
# in a debug build too. The precompiled header does not have their options. GCC is kept from walking
# down the columns in loops over rows: sums of columns came at less than half of memory's speed.
function(lipizz_optimise)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS" ${ARGN})
  set_source_files_properties(${ARG_SOURCES} PROPERTIES
    COMPILE_OPTIONS "-O3;$<$<CXX_COMPILER_ID:GNU>:-fno-loop-unroll-and-jam>;${ARG_OPTIONS}"
    SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# lipizz_add_module(FOLDER DEPS folders... SOURCES files... [PUBLIC libs...] [PRIVATE libs...] [UNITY])
#
# One static library per folder of src/, nn/graph being lipizz_nn_graph. DEPS names the folders that
# it may include; the include check in tests/lint holds the same table. UNITY: in builds with
# LIPIZZ_UNITY several sources are compiled as one, so names that they keep to themselves differ.
function(lipizz_add_module folder)
  cmake_parse_arguments(ARG "UNITY" "" "DEPS;SOURCES;PUBLIC;PRIVATE" ${ARGN})
  string(REPLACE "/" "_" name "${folder}")
  list(TRANSFORM ARG_DEPS REPLACE "/" "_")
  add_library(lipizz_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(lipizz_${name} PUBLIC lipizz_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  target_precompile_headers(lipizz_${name} REUSE_FROM lipizz_precompiled)
  if(ARG_UNITY AND LIPIZZ_UNITY)
    set_target_properties(lipizz_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
  foreach(dep ${ARG_DEPS})
    target_link_libraries(lipizz_${name} PUBLIC lipizz_${dep})
  endforeach()
endfunction()
