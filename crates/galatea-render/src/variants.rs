//! Pipelines made for what a picture holds. What a shader would ask at every pixel (are there lamps, is there a
//! normal picture) is a constant in them: on a processor that draws, both sides of a question cost.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::iter::Sum;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::shader::{ShaderError, ShaderSource};
use super::uniforms::{Finish, GpuScene};

/// Values of a shader's `override`s.
pub type Constants = Vec<(&'static str, f64)>;

/// What the shaders of one picture take for granted of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SceneTraits {
    lamps: bool,
    fog: bool,
    occlusion: bool,
    environment: bool,
    environment_shown: bool,
    seamless: bool,
    uneven: bool,
    cascades: u32,
    blocker_taps: u32,
    shadow_taps: u32,
}

impl SceneTraits {
    pub fn of(scene: &GpuScene) -> Self {
        Self {
            lamps: scene.has_lamps != 0,
            fog: scene.fog_density > 0.0,
            occlusion: scene.occlusion_scale > 0.0,
            environment: scene.environment_strength > 0.0,
            environment_shown: scene.environment_shown != 0,
            seamless: scene.seamless > 0.5,
            uneven: scene.uneven > 0.0,
            cascades: scene.n_cascades,
            blocker_taps: scene.blocker_taps,
            shadow_taps: scene.shadow_taps,
        }
    }

    /// The same for what no model is near to and no shadow of the sun can reach.
    pub fn in_the_open(self) -> Self {
        Self {
            cascades: 0,
            occlusion: false,
            blocker_taps: if self.lamps { self.blocker_taps } else { 0 },
            shadow_taps: if self.lamps { self.shadow_taps } else { 0 },
            ..self
        }
    }

    /// The same for what receives no shadows.
    pub fn without_shadows(self) -> Self {
        Self {
            lamps: false,
            occlusion: false,
            cascades: 0,
            blocker_taps: 0,
            shadow_taps: 0,
            ..self
        }
    }

    /// As `inc/scene.wgsl` names them.
    pub fn constants(&self) -> Constants {
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        vec![
            ("KNOWS", 1.0),
            ("LAMPS", flag(self.lamps)),
            ("FOG", flag(self.fog)),
            ("OCCLUSION_MAP", flag(self.occlusion)),
            ("ENVIRONMENT", flag(self.environment)),
            ("ENVIRONMENT_SHOWN", flag(self.environment_shown)),
            ("SEAMLESS", flag(self.seamless)),
            ("UNEVEN", flag(self.uneven)),
            ("CASCADES", f64::from(self.cascades)),
            ("BLOCKER_TAPS", f64::from(self.blocker_taps)),
            ("SHADOW_TAPS", f64::from(self.shadow_taps)),
        ]
    }
}

/// What the way from light to the screen takes for granted.
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

    /// As `inc/display.wgsl` names them.
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

/// How many pipelines there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipelineCounts {
    pub n_ready: usize,
    /// Pipelines that are still being made.
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

/// Pipelines by what they are made for, made when first needed: the first ones while the picture waits, later
/// ones beside it, if whoever draws does not want to wait.
pub struct PipelineVariants<K, P = wgpu::RenderPipeline> {
    made: HashMap<K, P>,
    /// Asked for once; a faulty one is not asked for again.
    asked: HashSet<K>,
    n_in_work: usize,
    make: Arc<dyn Fn(K) -> Made<P> + Send + Sync>,
    tell: Sender<(K, Made<P>)>,
    told: Receiver<(K, Made<P>)>,
}

impl<K: Copy + Eq + Hash + Send + 'static, P: Send + 'static> PipelineVariants<K, P> {
    pub fn new(make: impl Fn(K) -> Made<P> + Send + Sync + 'static) -> Self {
        let (tell, told) = channel();
        Self {
            made: HashMap::new(),
            asked: HashSet::new(),
            n_in_work: 0,
            make: Arc::new(make),
            tell,
            told,
        }
    }

    /// Makes those of `wanted` that are not there yet. The first ones are always waited for.
    ///
    /// # Errors
    /// The first faulty one since the last call; it is left out.
    pub fn prepare(
        &mut self,
        wanted: impl Iterator<Item = K>,
        waits: bool,
    ) -> Result<(), ShaderError> {
        let waits = waits || self.is_empty();
        let mut fault = Ok(());
        while let Ok(result) = self.told.try_recv() {
            fault = fault.and(self.take(result));
        }
        let missing: Vec<K> = wanted.filter(|key| self.asked.insert(*key)).collect();
        self.begin(missing);
        while waits && self.n_in_work > 0 {
            match self.told.recv() {
                Ok(result) => fault = fault.and(self.take(result)),
                Err(_) => break,
            }
        }
        fault
    }

    /// Shares work out among threads.
    fn begin(&mut self, missing: Vec<K>) {
        if missing.is_empty() {
            return;
        }
        self.n_in_work += missing.len();
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let share = missing.len().div_ceil(most.min(missing.len()));
        for keys in missing.chunks(share) {
            let (make, tell, own) = (self.make.clone(), self.tell.clone(), keys.to_vec());
            let work = move || {
                for key in own {
                    // Whoever waits is told even where the driver's compiler panics.
                    let made = galatea_guard::guarded("making a pipeline", || make(key))
                        .unwrap_or_else(|_| {
                            Err(ShaderError {
                                message:
                                    "making a pipeline of it failed within the graphics interface"
                                        .into(),
                                ..ShaderError::default()
                            })
                        });
                    // Nobody waits once the pass is gone.
                    let _ = tell.send((key, made));
                }
            };
            let thread = std::thread::Builder::new().name("pipelines".into());
            if thread.spawn(work).is_err() {
                for key in keys {
                    let _ = self.tell.send((*key, (self.make)(*key)));
                }
            }
        }
    }

    fn take(&mut self, (key, result): (K, Made<P>)) -> Result<(), ShaderError> {
        self.n_in_work -= 1;
        self.made.insert(key, result?);
        Ok(())
    }

    /// The pipeline of `key`, once it is there.
    pub fn get(&self, key: &K) -> Option<&P> {
        self.made.get(key)
    }

    /// No pipeline is there yet.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// A pipeline of which this is true.
    pub fn any(&self, is_it: impl Fn(&K) -> bool) -> Option<&P> {
        let (_, found) = self.made.iter().find(|(key, _)| is_it(key))?;
        Some(found)
    }

    /// Pipelines that are there, and that are being made.
    pub fn counts(&self) -> PipelineCounts {
        PipelineCounts {
            n_ready: self.made.len(),
            n_in_work: self.n_in_work,
        }
    }
}

/// Pipelines of which one, made for `None`, does for every picture.
impl<K: Copy + Eq + Hash + Send + 'static, P: Send + 'static> PipelineVariants<Option<K>, P> {
    /// Makes the general one at once where a project has changed shaders.
    ///
    /// # Errors
    /// Its fault.
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

    /// Makes those of `wanted`; the general one too where pictures do not wait.
    ///
    /// # Errors
    /// The first fault since the last call.
    pub fn prepare_with_general(
        &mut self,
        wanted: impl Iterator<Item = K>,
        waits: bool,
    ) -> Result<(), ShaderError> {
        let also = (!waits && !self.is_empty()).then_some(None);
        self.prepare(wanted.map(Some).chain(also), waits)
    }

    /// The one of `key`, or the general one.
    pub fn get_or_general(&self, key: Option<K>) -> Option<&P> {
        self.get(&key).or_else(|| self.get(&None))
    }
}
