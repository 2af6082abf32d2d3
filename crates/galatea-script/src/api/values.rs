//! Conversions between Lua values and Rust values.

use glam::Vec3;
use mlua::{AnyUserData, UserData, Value};

use galatea_anim::PlayMode;

/// Describes a value for messages: its type, and its content if it is short.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Nil => "nil".into(),
        Value::String(text) => {
            let text = text.to_string_lossy();
            let short: String = text.chars().take(40).collect();
            format!("the string {short:?}")
        }
        Value::Boolean(b) => b.to_string(),
        Value::Integer(n) => format!("the number {n}"),
        Value::Number(n) => format!("the number {n}"),
        Value::Vector(v) => v.to_string(),
        Value::Table(_) => "a table".into(),
        Value::Function(_) => "a function".into(),
        Value::UserData(data) => match data.type_name() {
            Ok(name) => format!("a {}", name.to_string_lossy()),
            Err(_) => "a value of the runtime".into(),
        },
        other => format!("a {}", other.type_name()),
    }
}

/// Converts a Lua number to a float; `None` for other types.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Number(n) => Some(*n),
        _ => None,
    }
}

/// Converts a Lua string to text; `None` for other types.
pub fn text(value: &Value) -> Option<String> {
    Some(value.as_string()?.to_string_lossy())
}

/// Formats a value as `print` does. Bytes that are not valid UTF-8 become replacement characters.
///
/// # Errors
/// Fails if its `__tostring` fails.
pub fn displayed(value: &Value) -> mlua::Result<String> {
    if let Some(text) = text(value) {
        return Ok(text);
    }
    match value.to_string() {
        // The result of `__tostring` is not UTF-8, and mlua does not expose the bytes.
        Err(mlua::Error::FromLuaConversionError { .. }) => Ok("\u{fffd}".into()),
        other => other,
    }
}

/// Reads a Luau vector; `None` for other types.
pub fn vector(value: &Value) -> Option<Vec3> {
    match value {
        Value::Vector(v) => Some(Vec3::new(v.x(), v.y(), v.z())),
        _ => None,
    }
}

/// Clones the content of a userdata of type `T`; `None` for other types.
pub fn object<T: UserData + Clone + 'static>(value: &Value) -> Option<T> {
    let data: &AnyUserData = value.as_userdata()?;
    data.borrow::<T>().ok().map(|object| object.clone())
}

crate::words!(PlayMode {
    "once" => PlayMode::Once,
    "loop" => PlayMode::Loop,
    "pingpong" => PlayMode::PingPong,
});

/// Converts a vector for Lua.
pub fn lua_vector(v: Vec3) -> Value {
    Value::Vector(mlua::Vector::new(v.x, v.y, v.z))
}

/// Converts a number for Lua. Uses the shortest decimal that maps to the same `f32`, so that 0.9 is read as 0.9.
pub fn lua_number(n: f32) -> Value {
    Value::Number(decimal(n))
}

/// Returns the shortest decimal, of at most nine places, that maps to the same `f32`.
pub fn decimal(n: f32) -> f64 {
    let exact = f64::from(n);
    let tens = std::iter::successors(Some(1.0), |ten| Some(ten * 10.0)).take(10);
    let mut rounded = tens.map(|ten: f64| (exact * ten).round() / ten);
    rounded
        .find(|decimal| *decimal as f32 == n)
        .unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for n in [0.9, 0.1, -33.3, 1e-7, 12345.678, 3e9, 0.0] {
            assert_eq!(decimal(n as f32), n);
        }
        let third = 1.0f32 / 3.0;
        assert_eq!(decimal(third) as f32, third);
        assert!(decimal(f32::NAN).is_nan() && decimal(f32::INFINITY).is_infinite());
    }
}
