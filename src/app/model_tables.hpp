#pragma once

#include <string>

namespace lipizz::app {

/// For people: of each model the layers of generator and discriminator with the shape of one
/// sample, parameters and operations (multiplications and additions of one sample's forward pass);
/// what one sample of a training step costs; and what a cell holds in memory at the default batch.
std::string model_tables();

}  // namespace lipizz::app
