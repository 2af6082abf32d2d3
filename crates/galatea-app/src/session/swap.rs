//! Applies changed files and loaded models: replaces a reloaded model in all its characters.

use std::path::Path;
use std::sync::Arc;

use super::{Session, short, stem};
use crate::files::Saved;
use crate::library::Arrived;
use galatea_asset::model::Image;
use galatea_asset::{Environment, ModelKey, vfs};
use galatea_character::{Definition, MadeClip};
use galatea_stage::frame::MessageKind;
use galatea_stage::{Handle, UiContent};

impl Session {
    pub(super) fn file_changed(&mut self, path: &Path) {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            // Any changed script may be a module that was missing before.
            Some("lua" | "luau") => {
                if !self.runs_already(path) {
                    self.scripts.load_saved();
                }
            }
            Some("wgsl") => self.files.shaders_changed = true,
            _ => {
                let model = self.files.library.reload(path);
                let sound = self.files.library.reload_sound(path);
                if sound {
                    self.diagnostics.clear(&format!("sound {}", stem(path)));
                    self.diagnostics
                        .notify(format!("{} reloaded", short(&self.project, path)));
                }
                let light = self.files.library.reload_environment(path);
                let image = self.files.library.reload_image(path);
                let relief = self.files.library.reload_height_map(path);
                let groom = self.files.library.reload_groom(path);
                // A file for which a failed script was waiting may exist now.
                let name = short(&self.project, path);
                let in_assets = Path::new(&name).strip_prefix(vfs::ASSETS);
                let waited_for = self
                    .scripts
                    .waits_for
                    .iter()
                    .any(|waited| *waited == name || in_assets == Ok(Path::new(waited)));
                let made = relief.is_some() || groom.is_some();
                let known = model || sound || light.is_some() || image.is_some() || made;
                let may_mend = self.script_failed() && !model;
                if waited_for || may_mend || !known && !self.scripts.has_run {
                    self.scripts.is_due = true;
                }
                if let Some(saved) = light {
                    self.swap_environment(saved);
                }
                if let Some(saved) = image {
                    self.swap_image(saved);
                }
                if let Some(saved) = relief {
                    self.make_again("heights", saved);
                }
                if let Some(saved) = groom {
                    self.make_again("hair", saved);
                }
            }
        }
    }

    pub(super) fn model_arrived(&mut self, arrived: Arrived) {
        let subject = format!("model {}", arrived.key);
        if self.scripts.waits_for.contains(&arrived.key) {
            self.scripts.is_due = true;
        }
        match (arrived.now, arrived.before) {
            // The script that requests it reports the error, with its line.
            (None, _) | (Some(Err(_)), None) => {}
            (Some(Err(error)), Some(_)) => {
                let text = format!("{error}\nthe previous version stays in use");
                self.diagnostics.set(&subject, MessageKind::Error, &text);
            }
            (Some(Ok(now)), before) => {
                self.diagnostics.clear(&subject);
                // The script may have failed because the old version of the model lacked something.
                self.scripts.is_due |= self.script_failed();
                if before.is_some() {
                    self.swap_model(&arrived.key, &now);
                    if let Some(timeline) = &mut self.timeline {
                        let n_ticks = self.stage.time_control.n_ticks;
                        timeline.history.note_reload(n_ticks, &arrived.key);
                        timeline.replaced_models.push((n_ticks, arrived.key));
                    }
                }
            }
        }
    }

    /// Replaces a model in all its characters and binds their state machines again. A character whose machine no longer fits
    /// keeps the old model.
    pub(super) fn swap_model(&mut self, path: &str, now: &Arc<Definition>) {
        let mut problems = Vec::new();
        let (mut ended, mut replaced) = (Vec::new(), Vec::new());
        // Characters with equal additional clips continue to share a definition.
        let mut extended: Vec<(Vec<Arc<MadeClip>>, Arc<Definition>)> = Vec::new();
        let base = now;
        let characters = self.stage.characters.iter();
        let of_it =
            characters.filter(|(_, one)| matches!(&one.source, ModelKey::File(key) if key == path));
        let handles: Vec<Handle> = of_it.map(|(handle, _)| handle).collect();
        for handle in handles {
            let Some(character) = self.stage.characters.get(handle) else {
                continue;
            };
            let own = &character.playback.own_clips;
            let known = extended.iter().find(|(clips, _)| same_clips(clips, own));
            let now = match known {
                Some((_, known)) => known.clone(),
                None => match base.with_made(own) {
                    Ok(made) => {
                        extended.push((own.clone(), made.clone()));
                        made
                    }
                    Err(faults) => {
                        problems.extend(faults);
                        continue;
                    }
                },
            };
            let before = character.definition.clone();
            match self.stage.replace_definition(handle, now) {
                Ok(lost) => {
                    ended.extend(lost);
                    replaced.push((handle, before));
                }
                Err(faults) => problems.extend(faults.iter().map(ToString::to_string)),
            }
        }
        for (holder, before) in &replaced {
            self.reattach(*holder, before, now);
        }
        let replaced: Vec<Handle> = replaced.iter().map(|(handle, _)| *handle).collect();
        self.scripts.host.models_replaced(&replaced, &ended);
        if problems.is_empty() {
            self.diagnostics.notify(format!("{path} reloaded"));
            self.report_warnings();
        } else {
            problems.dedup();
            let text = format!(
                "{path} was not reloaded: {}\nthe previous version stays in use",
                problems.join("\n")
            );
            self.diagnostics
                .set(&format!("model {path}"), MessageKind::Error, &text);
        }
    }

    /// Replaces a reloaded environment map.
    pub(super) fn swap_environment(&mut self, saved: Saved<Environment>) {
        let subject = format!("environment {}", saved.path);
        match saved.now {
            Ok(now) => {
                self.diagnostics.clear(&subject);
                if let Some(used) = &mut self.stage.lighting.light.environment
                    && used.environment.sources == now.sources
                {
                    used.environment = now;
                }
                self.diagnostics.notify(format!("{} reloaded", saved.path));
            }
            Err(why) if saved.before.is_some() => {
                let text = format!("{why}\nthe previous version stays in use");
                self.diagnostics.set(&subject, MessageKind::Error, &text);
            }
            // The script that requests it reports the error, with its line.
            Err(_) => {}
        }
    }

    /// Replaces a reloaded image.
    pub(super) fn swap_image(&mut self, saved: Saved<Image>) {
        let subject = format!("image {}", saved.path);
        let Some(before) = saved.before else { return };
        match saved.now {
            Ok(now) => {
                self.diagnostics.clear(&subject);
                for (_, ui) in self.stage.ui.iter_mut() {
                    if let UiContent::Image { image, .. } = &mut ui.item.content
                        && Arc::ptr_eq(image, &before)
                    {
                        *image = now.clone();
                    }
                }
                self.diagnostics.notify(format!("{} reloaded", saved.path));
            }
            Err(why) => {
                let text = format!("{why}\nthe previous version stays in use");
                self.diagnostics.set(&subject, MessageKind::Error, &text);
            }
        }
    }

    /// Lets the script regenerate objects made from a file, such as ground from a height map or hair.
    pub(super) fn make_again<T>(&mut self, what: &str, saved: Saved<T>) {
        let subject = format!("{what} {}", saved.path);
        match saved.now {
            Ok(_) => {
                self.diagnostics.clear(&subject);
                self.scripts.is_due = true;
            }
            Err(why) if saved.before.is_some() => {
                let text = format!("{why}\nthe previous version stays in use");
                self.diagnostics.set(&subject, MessageKind::Error, &text);
            }
            // The script that requests it reports the error, with its line.
            Err(_) => {}
        }
    }

    /// Attached objects of a reloaded character stay at the bone of the same name, or are released.
    fn reattach(&mut self, holder: Handle, before: &Definition, now: &Definition) {
        for (_, held) in self.stage.characters.iter_mut() {
            let Some(attachment) = held.attachment.as_mut().filter(|a| a.holder == holder) else {
                continue;
            };
            let name = &before.model.skeleton.bones()[usize::from(attachment.bone)].name;
            match now.model.skeleton.find(name) {
                Some(bone) => attachment.bone = bone,
                None => held.attachment = None,
            }
        }
    }
}

fn same_clips(a: &[Arc<MadeClip>], b: &[Arc<MadeClip>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}
