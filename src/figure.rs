//! Models placed on each other's tags, dressed and posed: in come models, out come vertices in one space.
