//! Deformation on the GPU against plain arithmetic.
