//! Galatea.
