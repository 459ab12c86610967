#pragma once

#include "nn/exec/device.hpp"

namespace lipizz::setup {

/// The speed of one core of this machine, measured in CPU time of the calling thread, which is
/// prepared for computing (nn::prepare_compute_thread()). Takes about half a second.
struct MachineSpeed {
  double peak_flops_per_s = 0;     // multiply-adds on the widest registers (nn/cpu/peak.hpp)
  double product_flops_per_s = 0;  // a product of matrices, by the device's engine
  double bytes_per_s = 0;          // read and written, copying what no cache holds
};

/// `device`: one that is the processor.
MachineSpeed measure_machine(nn::Device& device);

}  // namespace lipizz::setup
