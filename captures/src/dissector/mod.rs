//! A dissector for Wireshark, in Lua, made from the codec's own tables: commands, errors,
//! operations, and the [shapes](parallax_codec::shape) of headers and bodies.

mod shapes;
mod tables;

/// The dissector, one file of Lua for Wireshark 4. Its first lines say where it goes.
pub fn dissector() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let head = include_str!("lua/head.lua").replace("VERSION", version);
    [
        head.as_str(),
        include_str!("lua/parts.lua"),
        include_str!("lua/own.lua"),
        &tables::tables(),
        include_str!("lua/numbers.lua"),
        include_str!("lua/reader.lua"),
        include_str!("lua/messages.lua"),
        include_str!("lua/show.lua"),
        include_str!("lua/talk.lua"),
        include_str!("lua/recognise.lua"),
        include_str!("lua/words.lua"),
        include_str!("lua/frames.lua"),
        include_str!("lua/entry.lua"),
    ]
    .join("\n")
}
