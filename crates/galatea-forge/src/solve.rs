//! Sparse symmetric linear systems, solved by conjugate gradients (Hestenes and Stiefel 1952) with Jacobi preconditioning.

/// A sparse, symmetric, positive definite matrix, stored by rows.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    rows: Vec<Vec<(u32, f64)>>,
}

impl Sparse {
    /// An empty matrix with `n` rows.
    pub fn new(n: usize) -> Self {
        Self {
            rows: vec![Vec::new(); n],
        }
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let own = &mut self.rows[row];
        match own.iter_mut().find(|(c, _)| *c as usize == column) {
            Some((_, sum)) => *sum += value,
            None => own.push((column as u32, value)),
        }
    }

    /// Adds a spring between two unknowns: the entries of neighbours in a Laplacian.
    pub fn spring(&mut self, a: usize, b: usize, weight: f64) {
        self.add(a, a, weight);
        self.add(b, b, weight);
        self.add(a, b, -weight);
        self.add(b, a, -weight);
    }

    fn times(&self, x: &[f64], out: &mut [f64]) {
        for (row, slot) in self.rows.iter().zip(out) {
            *slot = row.iter().map(|(c, w)| w * x[*c as usize]).sum();
        }
    }

    /// Solves for `b`, starting from a guess, until the residual is below `exact` times the length of `b`, or for `rounds`
    /// iterations.
    pub fn solve(&self, b: &[f64], guess: &mut Vec<f64>, exact: f64, rounds: usize) {
        let n = self.rows.len();
        guess.resize(n, 0.0);
        let scale: Vec<f64> = self
            .rows
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let own = row.iter().find(|(c, _)| *c as usize == i);
                own.map_or(1.0, |(_, w)| 1.0 / w.max(1e-12))
            })
            .collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut product = vec![0.0; n];
        self.times(guess, &mut product);
        let mut rest: Vec<f64> = b.iter().zip(&product).map(|(b, p)| b - p).collect();
        let mut scaled: Vec<f64> = rest.iter().zip(&scale).map(|(r, s)| r * s).collect();
        let mut along = scaled.clone();
        let mut now = dot(&rest, &scaled);
        let enough = exact * exact * dot(b, b).max(1e-30);
        for _ in 0..rounds {
            if dot(&rest, &rest) <= enough {
                break;
            }
            self.times(&along, &mut product);
            let step = now / dot(&along, &product).max(1e-300);
            for i in 0..n {
                guess[i] += step * along[i];
                rest[i] -= step * product[i];
                scaled[i] = rest[i] * scale[i];
            }
            let next = dot(&rest, &scaled);
            let keep = next / now.max(1e-300);
            now = next;
            for i in 0..n {
                along[i] = scaled[i] + keep * along[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_springs_between_two_ends_is_a_straight_line() {
        let n = 40;
        let mut matrix = Sparse::new(n);
        for i in 1..n {
            matrix.spring(i - 1, i, 2.0);
        }
        let stiff = 1e6;
        matrix.add(0, 0, stiff);
        matrix.add(n - 1, n - 1, stiff);
        let mut b = vec![0.0; n];
        b[n - 1] = stiff * 3.0;
        let mut x = Vec::new();
        matrix.solve(&b, &mut x, 1e-12, 1000);
        for (i, x) in x.iter().enumerate() {
            let expected = 3.0 * i as f64 / (n - 1) as f64;
            assert!((x - expected).abs() < 1e-4, "{i} {x}");
        }
    }
}
