//! Generated motion of a whole human body, as BVH.

use std::f64::consts::TAU;

/// Frames per second.
const RATE: f64 = 30.0;

/// A body that walks in place, one cycle a second, and lifts its left arm meanwhile, for some seconds; in centimetres.
pub fn human(seconds: f64) -> String {
    let turns = "CHANNELS 3 Zrotation Xrotation Yrotation";
    let arm = |side: &str, x: i32| {
        format!(
            "JOINT {side}Arm {{ OFFSET {x} 45 0 {turns}\nJOINT {side}ForeArm {{ OFFSET {x} 0 0 {turns}\n\
             JOINT {side}Hand {{ OFFSET {x} 0 0 {turns}\nEnd Site {{ OFFSET {x} 0 0 }} }} }} }}\n"
        )
    };
    let leg = |side: &str, x: i32| {
        format!(
            "JOINT {side}UpLeg {{ OFFSET {x} 0 0 {turns}\nJOINT {side}Leg {{ OFFSET 0 -42 0 {turns}\n\
             JOINT {side}Foot {{ OFFSET 0 -42 0 {turns}\nEnd Site {{ OFFSET 0 -6 12 }} }} }} }}\n"
        )
    };
    let n = (seconds * RATE).round() as usize + 1;
    let mut text = format!(
        "HIERARCHY\nROOT Hips {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         {}{}JOINT Spine {{ OFFSET 0 10 0 {turns}\n{}{}JOINT Head {{ OFFSET 0 60 0 {turns}\n\
         End Site {{ OFFSET 0 20 0 }} }} }} }}\nMOTION\nFrames: {n}\nFrame Time: {:.7}\n",
        leg("Left", 10),
        leg("Right", -10),
        arm("Left", 20),
        arm("Right", -20),
        1.0 / RATE,
    );
    for i in 0..n {
        let t = i as f64 / RATE;
        let swing = 18.0 * (t * TAU).sin();
        let lift = 60.0 * t / seconds;
        // Hips; both legs; spine; both arms; head.
        text += &format!(
            "0 90 0 0 0 0  0 {swing} 0 0 0 0 0 0 0  0 {} 0 0 0 0 0 0 0  0 0 0  {lift} 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0  0 0 0\n",
            -swing
        );
    }
    text
}
