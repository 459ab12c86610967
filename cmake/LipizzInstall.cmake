# What `cmake --install BUILD --prefix PREFIX` puts where. The program finds the rest from its own
# place: GPUs' library in ../lib (nn/exec/devices.cpp), experiments in ../share/lipizz/configs
# (app/experiment_file.cpp).
install(TARGETS lipizz RUNTIME DESTINATION bin)
if(TARGET lipizz_cuda)
  install(TARGETS lipizz_cuda LIBRARY DESTINATION lib)
endif()
install(DIRECTORY configs DESTINATION share/lipizz)
install(DIRECTORY scripts/slurm DESTINATION share/lipizz USE_SOURCE_PERMISSIONS)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION share/doc/lipizz)
install(DIRECTORY docs DESTINATION share/doc/lipizz)
install(FILES bench/README.md DESTINATION share/doc/lipizz/bench)
