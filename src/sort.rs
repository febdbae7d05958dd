//! Lists in order. In go a list and how two of it compare, out comes the list; what is equal stays in the order it was.

/// Sorts as the standard library's `sort_by`. The small build has its own way, once for all lists, where the standard library has
/// 4 KB for each.
#[cfg(feature = "fast")]
pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> std::cmp::Ordering) {
    list.sort_by(compare);
}

#[cfg(not(feature = "fast"))]
pub use small::by;

#[cfg(any(test, not(feature = "fast")))]
mod small {
    use std::cmp::Ordering;

    pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
        let mut order = order(list.len(), &|a, b| compare(&list[a], &list[b]) == Ordering::Less);
        // Each cycle of the permutation is gone through once.
        for start in 0..list.len() {
            let mut at = start;
            loop {
                let next = std::mem::replace(&mut order[at], at);
                if next == start || next == at {
                    break;
                }
                list.swap(at, next);
                at = next;
            }
        }
    }

    /// Where each place of the sorted list has its element from: runs of one, two, four … elements are merged.
    fn order(count: usize, is_before: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
        let mut runs: Vec<usize> = (0..count).collect();
        let mut merged = runs.clone();
        let mut length = 1;
        while length < count {
            for start in (0..count).step_by(2 * length) {
                let (mut left, middle) = (start, (start + length).min(count));
                let (mut right, end) = (middle, (start + 2 * length).min(count));
                for place in &mut merged[start..end] {
                    let is_right = left == middle || right < end && is_before(runs[right], runs[left]);
                    let from = if is_right { &mut right } else { &mut left };
                    *place = runs[*from];
                    *from += 1;
                }
            }
            std::mem::swap(&mut runs, &mut merged);
            length *= 2;
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_ways_sort_alike() {
        let mut seed = 1_u32;
        for count in 0..200 {
            let mut list: Vec<(u32, usize)> = (0..count)
                .map(|place| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((seed >> 16) % 40, place)
                })
                .collect();
            let mut expected = list.clone();
            expected.sort();
            let mut other = list.clone();
            super::small::by(&mut list, |a, b| a.0.cmp(&b.0));
            super::by(&mut other, |a, b| a.0.cmp(&b.0));
            assert_eq!(list, expected);
            assert_eq!(other, expected);
        }
    }
}
