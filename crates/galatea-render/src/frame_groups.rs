/// Bind groups and vertex buffers of one frame.
pub struct FrameGroups {
    /// Group 0 of all drawing passes.
    pub scene: wgpu::BindGroup,
    /// Transforms of the models: vertex buffer 2 of the pipelines that draw models.
    pub placements: wgpu::Buffer,
    /// Indices of the visible agents: vertex buffer 2 of the pipelines that draw agents.
    pub agents: wgpu::Buffer,
    /// Indices of the visible triangles of pieces that the CPU deformed.
    pub triangles: wgpu::Buffer,
    /// Group 0 of `deform`.
    pub deform: wgpu::BindGroup,
    /// Group 1 of `shadow`.
    pub views: wgpu::BindGroup,
    /// Group 2 of materials with decals.
    pub stamped: Vec<wgpu::BindGroup>,
    /// Group 3 of the pipelines that draw models.
    pub factors: wgpu::BindGroup,
    /// Group 1 of `lines`.
    pub finish: wgpu::BindGroup,
}
