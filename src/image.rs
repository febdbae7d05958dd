//! The image kinds that browsers do not read: in come a file's bytes, out come pixels.

pub mod program;
