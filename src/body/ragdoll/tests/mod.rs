//! The ragdoll of models made for the purpose.
