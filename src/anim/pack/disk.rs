/// e
#[derive(Debug)]
pub struct PackedClipError;
