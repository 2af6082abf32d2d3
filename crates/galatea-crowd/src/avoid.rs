//! Reciprocal collision avoidance (ORCA): each neighbour forbids a half-plane of velocities, and the agent takes the allowed
//! velocity nearest to its preferred one (van den Berg, Guy, Lin and Manocha 2011, "Reciprocal n-body collision avoidance").

use galatea_math::clamp::ClampTo as _;
use glam::Vec2;

/// Maximum number of neighbours that an agent considers.
pub const MAX_NEIGHBORS: usize = 16;
/// Maximum number of ORCA lines: neighbours and walls.
pub const MAX_LINES: usize = 32;
/// Lines are parallel if the sine of the angle between them is at most this.
const PARALLEL: f32 = 1e-5;

/// A line of the velocity plane; velocities to its left are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OrcaLine {
    /// A point on the line, m/s.
    pub point: Vec2,
    /// Direction, unit.
    pub direction: Vec2,
}

impl OrcaLine {
    /// Distance of a velocity from the line on the forbidden side, m/s; negative on the allowed side.
    fn breach(&self, velocity: Vec2) -> f32 {
        self.direction.perp_dot(self.point - velocity)
    }
}

/// Another agent as seen from an agent.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// From oneself, metres.
    pub offset: Vec2,
    /// Velocity of approach: own velocity minus the other's, m/s.
    pub closing: Vec2,
    /// Sum of the radii, metres.
    pub radii: f32,
    /// Own fraction of the avoidance, 0..=1.
    pub avoidance_fraction: f32,
    /// Time horizon without a collision, seconds.
    pub horizon: f32,
}

/// Neighbours of an agent as a structure of arrays, so that several are computed at once.
#[derive(Clone, Debug, Default)]
pub struct Others {
    n: usize,
    offset: [[f32; MAX_NEIGHBORS]; 2],
    closing: [[f32; MAX_NEIGHBORS]; 2],
    radii: [f32; MAX_NEIGHBORS],
    avoidance_fraction: [f32; MAX_NEIGHBORS],
    /// Reciprocals of the time horizons.
    rate: [f32; MAX_NEIGHBORS],
}

impl Others {
    /// Removes all neighbours.
    pub fn clear(&mut self) {
        self.n = 0;
    }

    /// Adds a neighbour; there is room for [`MAX_NEIGHBORS`].
    pub fn push(&mut self, other: &Other) {
        let i = self.n;
        for axis in 0..2 {
            self.offset[axis][i] = other.offset[axis];
            self.closing[axis][i] = other.closing[axis];
        }
        self.radii[i] = other.radii;
        self.avoidance_fraction[i] = other.avoidance_fraction;
        self.rate[i] = other.horizon.recip();
        self.n += 1;
    }

    /// Writes the ORCA line of each neighbour for an agent with this velocity and returns their number. A line forbids
    /// velocities that lead to a collision within the horizon, or, for agents that overlap, that do not separate them within
    /// `dt`.
    pub fn lines(&self, velocity: Vec2, dt: f32, out: &mut [OrcaLine]) -> usize {
        let (mut points, mut directions) =
            ([[0.0_f32; MAX_NEIGHBORS]; 2], [[0.0_f32; MAX_NEIGHBORS]; 2]);
        let per_tick = dt.recip();
        // Both cases are computed for all neighbours without branches, so that the loop can be vectorised.
        for i in 0..MAX_NEIGHBORS {
            let (ox, oy) = (self.offset[0][i], self.offset[1][i]);
            let (cx, cy) = (self.closing[0][i], self.closing[1][i]);
            let (radii, share, rate) = (self.radii[i], self.avoidance_fraction[i], self.rate[i]);
            let distance2 = ox * ox + oy * oy;
            let radii2 = radii * radii;
            let overlap = distance2 <= radii2;
            let by = if overlap { per_tick } else { rate };
            // Vector from the centre of the disc that cuts off the velocity cone.
            let (wx, wy) = (cx - ox * by, cy - oy * by);
            let w2 = wx * wx + wy * wy;
            let along = wx * ox + wy * oy;
            let off_disc = overlap | ((along < 0.0) & (along * along > radii2 * w2));
            let w = w2.sqrt();
            let has_way = w > 1e-6;
            let per = w.max(1e-6).recip();
            let ux = if has_way { wx * per } else { 1.0 };
            let uy = if has_way { wy * per } else { 0.0 };
            let much = radii * by - w;
            // Projection on a leg of the cone.
            let leg = (distance2 - radii2).max(0.0).sqrt();
            let side = if ox * wy - oy * wx > 0.0 { 1.0 } else { -1.0 };
            let per = distance2.max(1e-12).recip() * side;
            let lx = (ox * leg - side * oy * radii) * per;
            let ly = (oy * leg + side * ox * radii) * per;
            let slide = cx * lx + cy * ly;
            let change_x = if off_disc { ux * much } else { lx * slide - cx };
            let change_y = if off_disc { uy * much } else { ly * slide - cy };
            points[0][i] = velocity.x + change_x * share;
            points[1][i] = velocity.y + change_y * share;
            directions[0][i] = if off_disc { uy } else { lx };
            directions[1][i] = if off_disc { -ux } else { ly };
        }
        for (i, line) in out.iter_mut().enumerate().take(self.n) {
            line.point = Vec2::new(points[0][i], points[1][i]);
            line.direction = Vec2::new(directions[0][i], directions[1][i]);
        }
        self.n
    }
}

/// ORCA line of a wall at `distance` metres: the agent must not come nearer than `radius` within `horizon` seconds. `away`
/// is the unit direction from the wall to the agent.
pub fn wall_line(away: Vec2, distance: f32, radius: f32, horizon: f32) -> OrcaLine {
    OrcaLine {
        point: away * ((radius - distance) / horizon.max(1e-3)),
        direction: Vec2::new(away.y, -away.x),
    }
}

/// The velocity nearest to `wish` that all lines allow, at most `fastest`. If there is none, keeps the first `n_firm` lines
/// and minimises the largest breach of the others.
pub fn allowed(lines: &[OrcaLine], n_firm: usize, fastest: f32, wish: Vec2) -> Vec2 {
    let wish = wish.clamp_length_max(fastest);
    match nearest(lines, fastest, wish, false) {
        Ok(velocity) => velocity,
        Err((failed, velocity)) => {
            least_breach(lines, n_firm.min(failed), failed, fastest, velocity)
        }
    }
}

/// The allowed velocity nearest to `wish`; with `along`, the farthest along that unit vector. Fails at the first line that
/// cannot be satisfied together with those before it; the error holds its index and the velocity so far.
fn nearest(
    lines: &[OrcaLine],
    fastest: f32,
    wish: Vec2,
    along: bool,
) -> Result<Vec2, (usize, Vec2)> {
    let mut velocity = if along { wish * fastest } else { wish };
    for (i, line) in lines.iter().enumerate() {
        if line.breach(velocity) > 0.0 {
            match on_line(&lines[..i], line, fastest, wish, along) {
                Some(found) => velocity = found,
                None => return Err((i, velocity)),
            }
        }
    }
    Ok(velocity)
}

/// The best point on a line that the other lines allow.
fn on_line(
    others: &[OrcaLine],
    line: &OrcaLine,
    fastest: f32,
    wish: Vec2,
    along: bool,
) -> Option<Vec2> {
    let middle = line.point.dot(line.direction);
    let room = middle * middle + fastest * fastest - line.point.length_squared();
    if room < 0.0 {
        return None;
    }
    let half = room.sqrt();
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in others {
        let across = line.direction.perp_dot(other.direction);
        let before = other.direction.perp_dot(line.point - other.point);
        if across.abs() <= PARALLEL {
            if before < 0.0 {
                return None;
            }
            continue;
        }
        let at = before / across;
        if across >= 0.0 {
            high = high.min(at);
        } else {
            low = low.max(at);
        }
        if low > high {
            return None;
        }
    }
    let at = if along {
        if wish.dot(line.direction) > 0.0 {
            high
        } else {
            low
        }
    } else {
        line.direction.dot(wish - line.point).clamp_to(low, high)
    };
    Some(line.point + line.direction * at)
}

/// Minimises the largest breach, from a velocity that satisfies all lines before `failed`.
fn least_breach(
    lines: &[OrcaLine],
    n_firm: usize,
    failed: usize,
    fastest: f32,
    from: Vec2,
) -> Vec2 {
    let mut velocity = from;
    let mut breach = 0.0;
    let mut own = [OrcaLine::default(); MAX_LINES];
    for i in failed..lines.len() {
        let line = &lines[i];
        if line.breach(velocity) <= breach {
            continue;
        }
        // The line on which this line and an earlier one are breached equally.
        let mut n = n_firm;
        own[..n].copy_from_slice(&lines[..n]);
        for other in &lines[n_firm..i] {
            let across = line.direction.perp_dot(other.direction);
            let point = if across.abs() <= PARALLEL {
                if line.direction.dot(other.direction) > 0.0 {
                    continue;
                }
                (line.point + other.point) * 0.5
            } else {
                let at = other.direction.perp_dot(line.point - other.point) / across;
                line.point + line.direction * at
            };
            own[n] = OrcaLine {
                point,
                direction: (other.direction - line.direction).normalize_or(Vec2::X),
            };
            n += 1;
        }
        let inwards = Vec2::new(-line.direction.y, line.direction.x);
        if let Ok(found) = nearest(&own[..n], fastest, inwards, true) {
            velocity = found;
        }
        breach = line.breach(velocity);
    }
    velocity
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    fn line(point: [f32; 2], allowed: [f32; 2]) -> OrcaLine {
        let up = Vec2::from(allowed).normalize();
        OrcaLine {
            point: Vec2::from(point),
            direction: Vec2::new(up.y, -up.x),
        }
    }

    /// The best of many sampled velocities, and its breach.
    fn searched(lines: &[OrcaLine], fastest: f32, wish: Vec2) -> (Vec2, f32) {
        let mut best = (Vec2::ZERO, f32::INFINITY, f32::INFINITY);
        for i in 0..200 {
            for k in 0..200 {
                let at = |i: i32| (i as f32 / 199.0 * 2.0 - 1.0) * fastest;
                let v = Vec2::new(at(i), at(k));
                if v.length() > fastest {
                    continue;
                }
                let breach = lines.iter().map(|l| l.breach(v)).fold(0.0_f32, f32::max);
                let off = v.distance(wish);
                if (breach, off) < (best.1, best.2) {
                    best = (v, breach, off);
                }
            }
        }
        (best.0, best.1)
    }

    #[test]
    fn the_nearest_allowed_velocity_is_found_and_where_none_is_the_least_breach() {
        let mut chance = RandomSource::new(5);
        let (mut some, mut none) = (0, 0);
        for _ in 0..60 {
            let n = 1 + (chance.unit() * 6.0) as usize;
            let lines: Vec<OrcaLine> = (0..n)
                .map(|_| {
                    let angle = chance.unit() * std::f32::consts::TAU;
                    let up = Vec2::from_angle(angle);
                    line((up * chance.between(-0.8, 0.9)).to_array(), up.to_array())
                })
                .collect();
            let wish = Vec2::new(chance.about_zero(), chance.about_zero());
            let found = allowed(&lines, 0, 1.0, wish);
            let (best, breach) = searched(&lines, 1.0, wish);
            let own = lines
                .iter()
                .map(|l| l.breach(found))
                .fold(0.0_f32, f32::max);
            assert!(found.length() <= 1.0 + 1e-5);
            assert!(own <= breach + 1e-4, "{own} {breach}");
            if breach == 0.0 {
                some += 1;
                let over = found.distance(wish) - best.distance(wish);
                assert!(over < 1e-4, "{found} {best} {wish}");
            } else {
                none += 1;
                assert!(own >= breach - 0.02, "{own} {breach}");
            }
        }
        assert!(some > 20 && none > 5, "{some} {none}");
    }

    #[test]
    fn firm_lines_are_kept_where_not_all_can_be() {
        // A wall requires at least 0.5 along x; an agent, at most 0.2.
        let lines = [line([0.5, 0.0], [1.0, 0.0]), line([0.2, 0.0], [-1.0, 0.0])];
        let found = allowed(&lines, 1, 1.0, Vec2::ZERO);
        assert!((found.x - 0.5).abs() < 1e-4, "{found}");
        let found = allowed(&lines, 0, 1.0, Vec2::ZERO);
        assert!((found.x - 0.35).abs() < 1e-4, "{found}");
    }

    fn line_of(other: Other, velocity: Vec2, dt: f32) -> OrcaLine {
        let mut others = Others::default();
        others.push(&other);
        let mut lines = [OrcaLine::default(); 2];
        assert_eq!(others.lines(velocity, dt, &mut lines), 1);
        lines[0]
    }

    #[test]
    fn two_oncoming_agents_both_step_aside_and_overlapping_agents_separate() {
        let towards = Other {
            offset: Vec2::new(4.0, 0.1),
            closing: Vec2::new(2.0, 0.0),
            radii: 0.6,
            avoidance_fraction: 0.5,
            horizon: 4.0,
        };
        let line = line_of(towards, Vec2::X, 0.1);
        assert!(line.breach(Vec2::X) > 0.0);
        let aside = allowed(&[line], 0, 1.5, Vec2::X);
        assert!(aside.y < -0.02 && aside.x > 0.8, "{aside}");
        // Each avoids by half, so both together clear it.
        let closing = Vec2::new(aside.x * 2.0, aside.y * 2.0);
        let nearest = (towards.offset
            - closing * (towards.offset.dot(closing) / closing.length_squared()))
        .length();
        assert!((nearest - 0.6).abs() < 1e-3, "{nearest}");
        let inside = Other {
            offset: Vec2::new(0.3, 0.0),
            closing: Vec2::ZERO,
            ..towards
        };
        let apart = allowed(&[line_of(inside, Vec2::ZERO, 0.1)], 0, 5.0, Vec2::ZERO);
        assert!((apart - Vec2::new(-1.5, 0.0)).length() < 1e-4, "{apart}");
        // At the same position any direction away is good.
        let same = Other {
            offset: Vec2::ZERO,
            ..inside
        };
        let apart = allowed(&[line_of(same, Vec2::ZERO, 0.1)], 0, 9.0, Vec2::ZERO);
        assert!((apart.length() - 3.0).abs() < 1e-4, "{apart}");
    }

    #[test]
    fn a_wall_keeps_agents_at_their_radius() {
        let line = wall_line(Vec2::NEG_X, 1.0, 0.3, 0.5);
        let found = allowed(&[line], 1, 9.0, Vec2::new(5.0, 2.0));
        assert!((found - Vec2::new(1.4, 2.0)).length() < 1e-4, "{found}");
        let within = wall_line(Vec2::NEG_X, 0.1, 0.3, 0.5);
        let found = allowed(&[within], 1, 9.0, Vec2::ZERO);
        assert!((found.x + 0.4).abs() < 1e-4, "{found}");
    }
}
