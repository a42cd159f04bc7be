use iggy_binary_protocol::codes;
use iggy_binary_protocol::consensus::Operation as TheirOperation;
use iggy_binary_protocol::dispatch::COMMAND_TABLE;
use iggy_common::IggyError;
use parallax_codec::vsr::Operation;
use parallax_codec::{COMMANDS, Dialect, ErrorCode, code};

/// Above every number that either dialect gives an error.
const NUMBERS: std::ops::Range<u32> = 0..20_000;

#[test]
fn every_command_they_have_is_a_vsr_one_of_ours() {
    let mut theirs: Vec<u32> = COMMAND_TABLE.iter().map(|command| command.code).collect();
    theirs.sort_unstable();
    let ours = COMMANDS
        .iter()
        .filter(|command| command.is_in(Dialect::Vsr));
    let ours: Vec<u32> = ours.map(|command| command.code).collect();
    assert_eq!(ours, theirs);
}

#[test]
fn a_command_is_known_since_a_release_with_the_vsr_dialect() {
    for command in COMMANDS {
        let theirs = COMMAND_TABLE.iter().any(|their| their.code == command.code);
        let since = command.since(Dialect::Vsr);
        assert_eq!(since.is_some(), theirs, "{}", command.name);
        let server = since.unwrap().server;
        let first = ["0.8.1-edge.1", "0.8.2-edge.1", "0.9.0-edge.4", "0.9.0"];
        assert!(first.contains(&server), "{}: {server}", command.name);
    }
}

/// Servers before 0.9.0-edge.5 have them, `iggy_binary_protocol` 0.11.0 no more.
const RETIRED: [u8; 2] = [164, 165];

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
    assert!(known > 160, "their table was read: {known} errors");
}

#[test]
fn every_operation_they_have_is_ours_by_number_name_code_and_result_section() {
    let mut known = 0;
    for number in 0..=u8::MAX {
        let ours = Operation(number);
        let Ok(theirs) = bytemuck::checked::try_cast::<u8, TheirOperation>(number) else {
            let is_retired = RETIRED.contains(&number);
            assert_eq!(ours.name() == "unknown", !is_retired, "{number}");
            assert_eq!(ours.code().is_some(), is_retired);
            continue;
        };
        known += 1;
        assert_eq!(ours.name(), snake_case(&format!("{theirs:?}")));
        assert_eq!(
            ours.is_result_framed(),
            theirs.is_result_framed() || theirs == TheirOperation::Register
        );
        if let Some(code) = theirs.to_command_code() {
            assert_eq!(ours.code(), Some(code));
            assert_eq!(Operation::of_code(code), ours);
        }
    }
    assert!(known > 30, "{known}");
    assert_eq!(
        Operation::of_code(codes::LOGOUT_USER_CODE),
        Operation::LOGOUT
    );
    assert_eq!(
        Operation::of_code(code::LOGIN_REGISTER),
        Operation::REGISTER
    );
}

#[test]
fn every_command_that_is_not_replicated_travels_as_such() {
    for command in COMMAND_TABLE {
        let ours = Operation::of_code(command.code);
        match command.code {
            codes::LOGOUT_USER_CODE => assert_eq!(ours, Operation::LOGOUT),
            codes::LOGIN_REGISTER_CODE | codes::LOGIN_REGISTER_WITH_PAT_CODE => {
                assert_eq!(ours, Operation::REGISTER);
            }
            _ => {
                let theirs = command.operation.unwrap_or(TheirOperation::NonReplicated);
                assert_eq!(ours, Operation(theirs as u8), "{}", command.name);
            }
        }
    }
}

fn snake_case(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
