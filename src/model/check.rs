//! Proves once, after reading, what every hot loop afterwards relies on: indices in range, parents first, numbers finite.
