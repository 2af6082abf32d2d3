//! Tests of the sound device without a real one.

use glam::Vec3;

use super::*;
use crate::{Audio, Cue, Sound};

/// Frames in 60 ms.
const LATENCY_FRAMES: usize = 2880;

/// Two seconds of sound in which every frame is different.
fn ramp(time: f64) -> Cue {
    let samples = (0..96_000).map(|i| i as f32 / 131_072.0).collect();
    let sound = Sound::new("ramp", SAMPLE_RATE, 1, samples).unwrap();
    Cue::new(Arc::new(sound), time)
}

fn pull(source: &mut EngineSource, frames: usize) -> Vec<f32> {
    source.by_ref().take(2 * frames).collect()
}

#[test]
fn a_machine_without_card_or_server_is_not_queried() {
    let nothing = |_: &str| None;
    assert!(may_have_device(nothing, |_| false) != cfg!(target_os = "linux"));
    assert!(may_have_device(nothing, |path| path == Path::new("/dev/snd/controlC2")));
    assert!(may_have_device(
        |name| (name == "XDG_RUNTIME_DIR").then(|| "/run/user/7".into()),
        |path| path == Path::new("/run/user/7/pulse/native"),
    ));
    assert!(may_have_device(|_| Some(OsString::new()), |_| false));
}

#[test]
fn a_card_plays_the_samples_of_a_capture_later_by_the_latency() {
    let cue = |time| Cue {
        placement: Some(Vec3::new(1.0, 0.0, -3.0)),
        pitch: 0.9,
        ..ramp(time)
    };
    let mut capture = Audio::capture(SAMPLE_RATE);
    let (mut device, _device_keeper) = AudioDevice::without_card();
    *lock(&device.shared.state) = Ok("card".to_owned());
    let mut source = EngineSource::new(device.shared.clone());
    let mut heard = Vec::new();
    for tick in 0..30 {
        let time = f64::from(tick) / 60.0;
        capture.advance_to(time);
        device.advance(time);
        if tick % 7 == 0 {
            capture.play(cue(time + 0.001)).unwrap();
            device.send(MixerCommand::Play(cue(time + 0.001)));
        }
        heard.extend(pull(&mut source, 800));
    }
    capture.advance_to(0.5);
    let (late, frames) = (2 * LATENCY_FRAMES, 2 * 20_000);
    assert!(heard[..late].iter().all(|&s| s == 0.0));
    assert!(heard[late..late + frames] == capture.captured()[..frames]);
}

#[test]
fn without_its_card_a_sound_continues_silently() {
    let (mut device, _device_keeper) = AudioDevice::without_card();
    device.advance(0.0);
    device.send(MixerCommand::Play(ramp(0.0)));
    for tick in 1..=60 {
        device.advance(f64::from(tick) / 60.0);
    }
    assert_eq!(device.shared.rendered.load(Ordering::Acquire), 48_000);
    let mut source = EngineSource::new(device.shared.clone());
    let expected = (48_000 - LATENCY_FRAMES) as f32 / 131_072.0;
    assert_eq!(pull(&mut source, 1), [expected; 2]);
}

#[test]
fn a_card_that_requests_no_audio_is_reported() {
    let (mut device, device_keeper) = AudioDevice::without_card();
    *lock(&device.shared.state) = Ok("card".to_owned());
    device.advance(0.0);
    assert!(device_keeper.device_events.try_recv().is_err());
    device.moved.1 = Instant::now() - STALL * 2;
    device.advance(0.1);
    assert_eq!(
        device_keeper.until_lost(0).as_deref(),
        Some("the sound card has stopped")
    );
}

#[test]
fn only_the_loss_of_the_current_card_counts() {
    let (device, device_keeper) = AudioDevice::without_card();
    for (generation, reason) in [(2, "old"), (3, "unplugged")] {
        let lost = DeviceEvent::Lost(generation, reason.to_owned());
        device.events.send(lost).unwrap();
    }
    assert_eq!(device_keeper.until_lost(3).as_deref(), Some("unplugged"));
    drop(device);
    assert!(device_keeper.quit_requested_within(Duration::from_secs(5)));
}
