# lipizz_add_module(FOLDER DEPS folders... SOURCES files... [PUBLIC libs...] [PRIVATE libs...])
#
# One static library per folder of src/, nn/graph being lipizz_nn_graph. DEPS names the folders that
# it may include; the include check in tests/lint holds the same table.
function(lipizz_add_module folder)
  cmake_parse_arguments(ARG "" "" "DEPS;SOURCES;PUBLIC;PRIVATE" ${ARGN})
  string(REPLACE "/" "_" name "${folder}")
  list(TRANSFORM ARG_DEPS REPLACE "/" "_")
  add_library(lipizz_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(lipizz_${name} PUBLIC lipizz_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  foreach(dep ${ARG_DEPS})
    target_link_libraries(lipizz_${name} PUBLIC lipizz_${dep})
  endforeach()
endfunction()
