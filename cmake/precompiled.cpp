// Stands for the header of its name, which every module precompiles.
