//! Bind groups and vertex buffers of data that changes every picture.

/// Bind groups and vertex buffers of one picture.
pub struct FrameGroups {
    /// Group 0 of all drawing passes.
    pub scene: wgpu::BindGroup,
    /// Where models stand: vertex buffer 2 of what draws them.
    pub placements: wgpu::Buffer,
    /// Which people are drawn: vertex buffer 2 of what draws people.
    pub people: wgpu::Buffer,
    /// Triangles that can be seen of what the processor deformed.
    pub triangles: wgpu::Buffer,
    /// Group 0 of `deform`.
    pub deform: wgpu::BindGroup,
    /// Group 1 of `shadow`.
    pub views: wgpu::BindGroup,
    /// Group 2 of materials with decals over them.
    pub stamped: Vec<wgpu::BindGroup>,
    /// Group 3 of what draws models.
    pub factors: wgpu::BindGroup,
    /// Group 1 of `lines`.
    pub finish: wgpu::BindGroup,
}
