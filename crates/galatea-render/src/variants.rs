//! Specialised pipelines for the content of a frame. Conditions that a general shader checks per pixel (lights present,
//! normal map present) are constants in them. On a software renderer, both branches of a condition cost time.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::iter::Sum;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tracing::info_span;

use super::shader::{ShaderError, ShaderSource};
use super::uniforms::{Finish, GpuScene};
use galatea_math::phases::PHASE;

/// Values of a shader's `override`s.
pub type Constants = Vec<(&'static str, f64)>;

/// Properties of the scene that specialised shaders assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SceneTraits {
    local_lights: bool,
    fog: bool,
    occlusion: bool,
    environment: bool,
    environment_shown: bool,
    seamless: bool,
    has_color_variation: bool,
    cascades: u32,
    blocker_taps: u32,
    shadow_taps: u32,
}

impl SceneTraits {
    pub fn of(scene: &GpuScene) -> Self {
        Self {
            local_lights: scene.has_local_lights != 0,
            fog: scene.fog_density > 0.0,
            occlusion: scene.occlusion_scale > 0.0,
            environment: scene.environment_strength > 0.0,
            environment_shown: scene.environment_shown != 0,
            seamless: scene.seamless > 0.5,
            has_color_variation: scene.uneven > 0.0,
            cascades: scene.n_cascades,
            blocker_taps: scene.blocker_taps,
            shadow_taps: scene.shadow_taps,
        }
    }

    /// Traits for surfaces that no model is near and that no shadow of the sun can reach.
    pub fn in_the_open(self) -> Self {
        Self {
            cascades: 0,
            occlusion: false,
            blocker_taps: if self.local_lights {
                self.blocker_taps
            } else {
                0
            },
            shadow_taps: if self.local_lights {
                self.shadow_taps
            } else {
                0
            },
            ..self
        }
    }

    /// Traits for surfaces that receive no shadows.
    pub fn without_shadows(self) -> Self {
        Self {
            local_lights: false,
            occlusion: false,
            cascades: 0,
            blocker_taps: 0,
            shadow_taps: 0,
            ..self
        }
    }

    /// Values of the `override`s in `inc/scene.wgsl`.
    pub fn constants(&self) -> Constants {
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        vec![
            ("KNOWS", 1.0),
            ("LAMPS", flag(self.local_lights)),
            ("FOG", flag(self.fog)),
            ("OCCLUSION_MAP", flag(self.occlusion)),
            ("ENVIRONMENT", flag(self.environment)),
            ("ENVIRONMENT_SHOWN", flag(self.environment_shown)),
            ("SEAMLESS", flag(self.seamless)),
            ("UNEVEN", flag(self.has_color_variation)),
            ("CASCADES", f64::from(self.cascades)),
            ("BLOCKER_TAPS", f64::from(self.blocker_taps)),
            ("SHADOW_TAPS", f64::from(self.shadow_taps)),
        ]
    }
}

/// Properties of the tone mapping that specialised shaders assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FinishTraits {
    tone: u32,
    bloom: bool,
    adapts: bool,
    vignette: bool,
    grades: bool,
    transparent: bool,
    encodes: bool,
    scaled: bool,
}

impl FinishTraits {
    pub fn of(finish: &Finish) -> Self {
        let is_plain = finish.contrast == 1.0
            && finish.saturation == 1.0
            && finish.highlights == [1.0; 3]
            && finish.shadows == [0.0; 3];
        Self {
            tone: finish.tone,
            bloom: finish.bloom > 0.0,
            adapts: finish.adapts > 0.5,
            vignette: finish.vignette > 0.0,
            grades: !is_plain,
            transparent: finish.is_transparent > 0.5,
            encodes: finish.target_encodes > 0.5,
            scaled: finish.lit_size != finish.target_size,
        }
    }

    /// Values of the `override`s in `inc/display.wgsl`.
    pub fn constants(&self) -> Constants {
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        vec![
            ("KNOWS", 1.0),
            ("TONE", f64::from(self.tone)),
            ("BLOOM", flag(self.bloom)),
            ("ADAPTS", flag(self.adapts)),
            ("VIGNETTE", flag(self.vignette)),
            ("GRADES", flag(self.grades)),
            ("TRANSPARENT", flag(self.transparent)),
            ("ENCODES", flag(self.encodes)),
            ("SCALED", flag(self.scaled)),
        ]
    }
}

type Made<P> = Result<P, ShaderError>;

/// Number of pipelines by state.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipelineCounts {
    pub n_ready: usize,
    /// Pipelines that are still compiling.
    pub n_in_work: usize,
}

impl Sum for PipelineCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, one| Self {
            n_ready: sum.n_ready + one.n_ready,
            n_in_work: sum.n_in_work + one.n_in_work,
        })
    }
}

/// Pipelines by key, created on demand. The frame waits for the first ones; later ones compile in the background, unless the
/// caller wants to wait.
pub struct PipelineVariants<K, P = wgpu::RenderPipeline> {
    made: HashMap<K, P>,
    /// Keys requested so far. A pipeline that failed is not requested again.
    requested: HashSet<K>,
    n_in_work: usize,
    make: Arc<dyn Fn(K) -> Made<P> + Send + Sync>,
    result_sender: Sender<(K, Made<P>)>,
    result_receiver: Receiver<(K, Made<P>)>,
}

impl<K: Copy + Eq + Hash + Send + 'static, P: Send + 'static> PipelineVariants<K, P> {
    pub fn new(make: impl Fn(K) -> Made<P> + Send + Sync + 'static) -> Self {
        let (result_sender, result_receiver) = channel();
        Self {
            made: HashMap::new(),
            requested: HashSet::new(),
            n_in_work: 0,
            make: Arc::new(make),
            result_sender,
            result_receiver,
        }
    }

    /// Creates the missing pipelines of `keys`. The first ones are always waited for.
    ///
    /// # Errors
    /// The first shader error since the last call; that pipeline is left out.
    pub fn prepare(
        &mut self,
        keys: impl Iterator<Item = K>,
        waits: bool,
    ) -> Result<(), ShaderError> {
        let waits = waits || self.is_empty();
        let mut fault = Ok(());
        while let Ok(result) = self.result_receiver.try_recv() {
            fault = fault.and(self.take(result));
        }
        let missing: Vec<K> = keys.filter(|key| self.requested.insert(*key)).collect();
        self.begin(missing);
        let _phase = (waits && self.n_in_work > 0)
            .then(|| info_span!(target: PHASE, "compile pipelines", n = self.n_in_work).entered());
        while waits && self.n_in_work > 0 {
            match self.result_receiver.recv() {
                Ok(result) => fault = fault.and(self.take(result)),
                Err(_) => break,
            }
        }
        fault
    }

    /// Distributes the work among threads.
    fn begin(&mut self, missing: Vec<K>) {
        if missing.is_empty() {
            return;
        }
        self.n_in_work += missing.len();
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let per_thread = missing.len().div_ceil(most.min(missing.len()));
        for keys in missing.chunks(per_thread) {
            let (make, result_sender, own) =
                (self.make.clone(), self.result_sender.clone(), keys.to_vec());
            let work = move || {
                for key in own {
                    // A waiting caller gets a result even if the driver's compiler panics.
                    let made = galatea_guard::guarded("making a pipeline", || make(key))
                        .unwrap_or_else(|_| {
                            Err(ShaderError {
                                message: "the graphics driver failed to compile it".into(),
                                ..ShaderError::default()
                            })
                        });
                    // Sending fails only if the pass is gone.
                    let _ = result_sender.send((key, made));
                }
            };
            let thread = std::thread::Builder::new().name("pipelines".into());
            if thread.spawn(work).is_err() {
                for key in keys {
                    let _ = self.result_sender.send((*key, (self.make)(*key)));
                }
            }
        }
    }

    fn take(&mut self, (key, result): (K, Made<P>)) -> Result<(), ShaderError> {
        self.n_in_work -= 1;
        self.made.insert(key, result?);
        Ok(())
    }

    /// Returns the pipeline of `key`, if it is finished.
    pub fn get(&self, key: &K) -> Option<&P> {
        self.made.get(key)
    }

    /// Returns true if no pipeline is finished.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// Returns a pipeline whose key satisfies `matches`.
    pub fn any(&self, matches: impl Fn(&K) -> bool) -> Option<&P> {
        let (_, found) = self.made.iter().find(|(key, _)| matches(key))?;
        Some(found)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        PipelineCounts {
            n_ready: self.made.len(),
            n_in_work: self.n_in_work,
        }
    }
}

/// Pipelines with a general version, key `None`, that fits every frame.
impl<K: Copy + Eq + Hash + Send + 'static, P: Send + 'static> PipelineVariants<Option<K>, P> {
    /// Creates the general pipeline at once if a project replaces shaders.
    ///
    /// # Errors
    /// The shader error of the general pipeline.
    pub fn checked(
        make: impl Fn(Option<K>) -> Made<P> + Send + Sync + 'static,
        shaders: &ShaderSource,
    ) -> Result<Self, ShaderError> {
        let mut variants = Self::new(make);
        if !shaders.is_embedded() {
            variants.prepare([None].into_iter(), true)?;
        }
        Ok(variants)
    }

    /// Creates the pipelines of `keys`, and the general one if frames do not wait.
    ///
    /// # Errors
    /// The first shader error since the last call.
    pub fn prepare_with_general(
        &mut self,
        keys: impl Iterator<Item = K>,
        waits: bool,
    ) -> Result<(), ShaderError> {
        let also = (!waits && !self.is_empty()).then_some(None);
        self.prepare(keys.map(Some).chain(also), waits)
    }

    /// Returns the pipeline of `key`, or the general one.
    pub fn get_or_general(&self, key: Option<K>) -> Option<&P> {
        self.get(&key).or_else(|| self.get(&None))
    }
}
