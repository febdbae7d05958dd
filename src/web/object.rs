//! Plain JavaScript objects and arrays from plain Rust values.

use js_sys::{Array, Reflect};
use wasm_bindgen::JsValue;

/// Builds an object field by field.
pub struct Object(js_sys::Object);

impl Object {
    pub fn new() -> Self {
        Self(js_sys::Object::new())
    }

    pub fn set(self, name: &str, value: impl Into<JsValue>) -> Self {
        // Setting a field of an object made here cannot fail.
        let _ = Reflect::set(&self.0, &name.into(), &value.into());
        self
    }

    pub fn set_some(self, name: &str, value: Option<impl Into<JsValue>>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }
}

impl From<Object> for JsValue {
    fn from(object: Object) -> JsValue {
        object.0.into()
    }
}

pub fn strings<S: AsRef<str>>(list: impl IntoIterator<Item = S>) -> Array {
    list.into_iter().map(|text| JsValue::from_str(text.as_ref())).collect()
}

pub fn numbers(list: impl IntoIterator<Item = f64>) -> Array {
    list.into_iter().map(JsValue::from_f64).collect()
}
