//! Messages of the Debug Adapter Protocol: a header with the length, and JSON.
//!
//! Source: Debug Adapter Protocol 1.71, "Base Protocol".

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Value, json};

/// Maximum length of a message, bytes.
const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// Maximum length of a header line, bytes.
const MAX_HEADER_BYTES: u64 = 1 << 10;

/// Beginning of the first line of a client that uses this protocol.
pub const FIRST_HEADER: &[u8] = b"Content-Length:";

/// Reads the next message; `None` at the end of the stream. `first` is a header line that was read already.
///
/// # Errors
/// If the stream cannot be read, or has something else.
pub fn read_message(
    reader: &mut impl BufRead,
    first: Option<Vec<u8>>,
) -> io::Result<Option<Value>> {
    let mut length = None;
    let mut next = first;
    loop {
        let line = match next.take() {
            Some(line) => line,
            None => {
                let mut line = Vec::new();
                reader
                    .by_ref()
                    .take(MAX_HEADER_BYTES)
                    .read_until(b'\n', &mut line)?;
                if line.is_empty() {
                    return Ok(None);
                }
                line
            }
        };
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let wrong = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text);
    let length = length.ok_or_else(|| wrong("a message has no Content-Length"))?;
    if length > MAX_MESSAGE_BYTES {
        return Err(wrong("a message is too long"));
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    let message = serde_json::from_slice(&bytes)?;
    Ok(Some(message))
}

/// Writes a message.
///
/// # Errors
/// If the stream cannot be written.
pub fn write_message(out: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// A response to a request. Its `seq` is set when it is sent.
pub fn response(request: &Value, body: Result<Value, String>) -> Value {
    let mut message = json!({
        "type": "response",
        "request_seq": request.get("seq"),
        "command": request.get("command"),
        "success": body.is_ok(),
    });
    match body {
        Ok(body) => message["body"] = body,
        Err(why) => {
            message["body"] = json!({ "error": { "id": 1, "format": why, "showUser": true } });
            message["message"] = json!(why);
        }
    }
    message
}

/// An event. Its `seq` is set when it is sent.
pub fn event(name: &str, body: Value) -> Value {
    json!({ "type": "event", "event": name, "body": body })
}

/// Capabilities of the debugger, for the answer to `initialize`.
pub fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsTerminateRequest": true,
        "supportTerminateDebuggee": true,
        "exceptionBreakpointFilters": [{
            "filter": "uncaught",
            "label": "Errors that no script catches",
            "default": true,
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        for message in [json!({ "a": "ä" }), json!({ "b": 2 })] {
            write_message(&mut bytes, &message).unwrap();
        }
        let mut reader = &bytes[..];
        assert_eq!(
            read_message(&mut reader, None).unwrap(),
            Some(json!({ "a": "ä" }))
        );
        assert_eq!(
            read_message(&mut reader, None).unwrap(),
            Some(json!({ "b": 2 }))
        );
        assert_eq!(read_message(&mut reader, None).unwrap(), None);
    }

    #[test]
    fn wrong_messages_are_errors() {
        for text in [
            "\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 99999999\r\n\r\n",
            "Content-Length: 3\r\n\r\n{a}",
        ] {
            assert!(
                read_message(&mut text.as_bytes(), None).is_err(),
                "{text:?}"
            );
        }
    }
}
