use parallax_captures::Connection;

/// The body layouts of which something is known.
pub(crate) fn layouts(connection: &Connection) -> String {
    let told = connection.dialect.map(|one| connection.layouts.told(one));
    let known = told.into_iter().flatten().filter_map(|(what, layout)| {
        let layout = layout?;
        Some(format!("{what}: {layout}"))
    });
    known.collect::<Vec<_>>().join(", ")
}
