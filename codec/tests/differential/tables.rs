use iggy_binary_protocol::dispatch::COMMAND_TABLE;
use iggy_common::IggyError;
use parallax_codec::{COMMANDS, Command, Dialect, ErrorCode};

/// Above every number that either dialect gives an error.
const NUMBERS: std::ops::Range<u32> = 0..20_000;

#[test]
fn every_command_they_have_is_a_classic_one_of_ours() {
    let mut theirs: Vec<u32> = COMMAND_TABLE.iter().map(|command| command.code).collect();
    theirs.sort_unstable();
    let ours = COMMANDS
        .iter()
        .filter(|command| command.is_in(Dialect::Classic));
    let ours: Vec<u32> = ours.map(|command| command.code).collect();
    assert_eq!(ours, theirs);
}

#[test]
fn a_command_is_known_since_no_later_than_the_release_whose_table_has_it() {
    for command in COMMANDS {
        let theirs = COMMAND_TABLE.iter().any(|their| their.code == command.code);
        let since = command.since(Dialect::Classic);
        assert_eq!(since.is_some(), theirs, "{}", command.name);
        let minor = since.and_then(|since| since.server.split('.').nth(1)?.parse().ok());
        assert!(
            minor.is_none_or(|minor: u32| minor <= 8),
            "{}",
            command.name
        );
        let vsr = command.since(Dialect::Vsr).unwrap();
        assert!(theirs || vsr.server.starts_with("0.8.") || vsr.server.starts_with("0.9."));
    }
}

#[test]
fn the_wire_documentation_has_every_command_with_its_releases() {
    let page = include_str!("../../src/wire.rs");
    for command in COMMANDS {
        let [classic, vsr] = [Dialect::Classic, Dialect::Vsr]
            .map(|dialect| command.since(dialect).map_or("-", |since| since.server));
        let (code, name) = (command.code, command.name);
        let row = format!("//! | {code} | `{name}` | {classic} | {vsr} |");
        assert!(page.lines().any(|line| line == row), "{row}");
    }
}

#[test]
fn commands_are_sorted_and_found_by_their_code() {
    assert!(COMMANDS.is_sorted_by(|a, b| a.code < b.code));
    for command in COMMANDS {
        assert_eq!(Command::from_code(command.code), Some(command));
    }
    assert_eq!(Command::from_code(0), None);
}

#[test]
fn every_error_they_have_is_ours_by_number_name_and_argument() {
    let mut known = 0;
    for number in NUMBERS {
        let Some(theirs) = IggyError::from_repr(number) else {
            continue;
        };
        known += 1;
        let ours = ErrorCode(number);
        assert_eq!(ours.name(), Some(theirs.as_string()), "number {number}");
        let debug = format!("{theirs:?}");
        let variant = debug.split(['(', ' ']).next().unwrap();
        assert_eq!(ours.variant_name().unwrap(), variant);
        assert_eq!(ours.has_argument(), debug != variant, "{variant}");
        assert_eq!(ErrorCode::from_name(theirs.as_string()), Some(ours));
    }
    assert!(known > 150, "their table was read: {known} errors");
}

#[test]
fn errors_are_sorted_and_within_the_numbers_that_were_compared() {
    assert!(ErrorCode::all().is_sorted());
    assert!(ErrorCode::all().all(|error| NUMBERS.contains(&error.0)));
    assert_eq!(ErrorCode(19_999).name(), None);
    assert_eq!(ErrorCode(19_999).to_string(), "19999 (0x4e1f, unknown)");
}
