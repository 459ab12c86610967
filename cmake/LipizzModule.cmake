# lipizz_add_module(NAME DEPS modules... SOURCES files... [PUBLIC libs...] [PRIVATE libs...])
#
# One static library per folder of src/. DEPS names the folders that it may include; the include
# check in tests/lint holds the same table.
function(lipizz_add_module name)
  cmake_parse_arguments(ARG "" "" "DEPS;SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(lipizz_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(lipizz_${name} PUBLIC lipizz_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  foreach(dep ${ARG_DEPS})
    target_link_libraries(lipizz_${name} PUBLIC lipizz_${dep})
  endforeach()
endfunction()
