//! Triangle edges, and normal lines.

use galatea::asset::model::Material;
use galatea::stage::frame::ViewKind;
use glam::{Affine3A, Quat, Vec3};

use super::{SIZE, at, draw, frame, plain, put, show, square};
use crate::shapes::rigid;
use crate::{gpu, keep};

#[test]
fn edges_are_a_pixel_wide_in_any_size_and_hidden_ones_are_not_seen() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut widths = Vec::new();
    for (uid, scale) in [(970, 0.45), (972, 0.9)] {
        let mut frame = frame();
        let mut small = square();
        small.positions.iter_mut().for_each(|p| *p *= scale);
        put(
            &mut frame,
            rigid(uid, vec![small], vec![Material::default()]),
            Affine3A::IDENTITY,
        );
        // Behind it and rotated: its edges would cross the middle of a triangle of the first one.
        let behind = Affine3A::from_translation(Vec3::new(0.15 * scale, 0.0, -0.5))
            * Affine3A::from_scale(Vec3::splat(0.3));
        let turned = behind * Affine3A::from_quat(Quat::from_rotation_z(0.3));
        let mut other = square();
        other.positions.iter_mut().for_each(|p| *p *= scale);
        put(
            &mut frame,
            rigid(uid + 1, vec![other], vec![Material::default()]),
            turned,
        );
        show(&mut frame, ViewKind::Wireframe);
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("wire {scale}"));
        // Across the diagonal, along a row: brightness above the body's, summed over the line.
        let half = (scale / (4.0 * 16.0_f32.to_radians().tan()) * 128.0) as u32;
        let row: Vec<f32> = (128 - half + 6..128 + half - 6)
            .map(|x| at(&picture, x, 118).y)
            .collect();
        let brightest = (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b]));
        let edge = brightest.unwrap();
        let (low, high) = ((row[edge - 6] + row[edge + 6]) * 0.5, 0.86 * 255.0);
        let around = &row[edge - 6..=edge + 6];
        let width: f32 = around.iter().map(|y| (y - low) / (high - low)).sum();
        widths.push(width);
        let lit = row.iter().filter(|y| **y > low + 8.0).count();
        assert!((1..=4).contains(&lit), "{lit} pixels of one edge: {row:?}");
    }
    // Both sides draw 0.55 pixels of it; a row crosses it at 45 degrees.
    for width in &widths {
        assert!((width - 1.1 * 2.0_f32.sqrt()).abs() < 0.35, "{widths:?}");
    }
    assert!((widths[0] - widths[1]).abs() < 0.3, "{widths:?}");
}

#[test]
fn vertex_lines_follow_normals_and_nothing_of_a_view_remains_afterwards() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut frame = frame();
    let turn = Affine3A::from_quat(Quat::from_rotation_x(-1.2));
    put(
        &mut frame,
        rigid(990, vec![square()], vec![Material::default()]),
        turn,
    );
    frame.models.push(frame.models[0].clone());
    frame.models[1].instance = 77;
    frame.models[1].world_from_model = Affine3A::from_translation(Vec3::Y * 0.6) * turn;
    let before = draw(&gpu, &mut renderer, &frame);
    let mut changed = Vec::new();
    for hairs in [false, true] {
        show(&mut frame, ViewKind::Normals);
        frame.view.as_mut().unwrap().vertex_lines = hairs;
        changed.push(draw(&gpu, &mut renderer, &frame));
    }
    keep(&changed[1], "hairs");
    let unlike = |x: u32, y: u32| at(&changed[0], x, y).distance(at(&changed[1], x, y)) > 30.0;
    let places: Vec<(u32, u32)> = (0..SIZE.0)
        .flat_map(|x| (0..SIZE.1).map(move |y| (x, y)))
        .filter(|&(x, y)| unlike(x, y))
        .collect();
    // Eight vertices with lines of 1.2 % of the distance: about five pixels each.
    assert!((12..120).contains(&places.len()), "{places:?}");
    let near_corner = places.iter().all(|&(x, _)| !(60..196).contains(&x));
    assert!(near_corner, "lines start at the vertices: {places:?}");
    frame.view = None;
    assert_eq!(draw(&gpu, &mut renderer, &frame), before);
}
