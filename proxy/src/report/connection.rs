use std::fmt::Write as _;

use parallax_captures::{Connection, Dialect};

use super::without_controls;

/// A connection and what is known of it, over several lines.
pub(crate) fn connection_lines(connection: &Connection) -> String {
    let Connection {
        id, client, server, ..
    } = connection;
    let dialect = connection
        .dialect
        .map_or("dialect not known", Dialect::name);
    let mut lines = format!("connection c{id}, {client} to {server}: {dialect}\n");
    let said = [
        ("client says", &connection.client_version),
        ("server says", &connection.server_version),
    ];
    for (who, what) in said {
        if let Some(what) = what {
            let _ = writeln!(lines, "       {who} {}", without_controls(what));
        }
    }
    let sides = connection.tls.as_deref();
    let sessions = [
        ("client", sides.and_then(|sides| sides.client.as_ref())),
        ("server", sides.and_then(|sides| sides.server.as_ref())),
    ];
    for (whose, session) in sessions {
        if let Some(session) = session {
            let (version, suite) = (&session.version, &session.cipher_suite);
            let name = session.server_name.as_deref().unwrap_or("no name");
            let name = without_controls(name);
            let certificate = session.peer_certificate.name();
            let _ = writeln!(
                lines,
                "       {version} with the {whose}: {suite}, name {name}, its certificate {certificate}"
            );
        }
    }
    let layouts = connection
        .dialect
        .map(|dialect| connection.layouts.told(dialect));
    for (what, layout) in layouts.into_iter().flatten() {
        let layout = layout.as_deref().unwrap_or("not known");
        let _ = writeln!(lines, "       layout of {what:<15} {layout}");
    }
    for gap in connection.gaps.iter() {
        let _ = writeln!(lines, "       {gap}");
    }
    lines
}
