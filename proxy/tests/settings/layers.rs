//! Flags, then the environment, then the file, then defaults.

use serde_json::Value;

use super::{Place, errors, lines};

/// The value of a key, and from where it is.
fn held(
    place: &Place,
    arguments: &[&str],
    variables: &[(&str, &str)],
    key: &str,
) -> (Value, Value) {
    let all = [&["config", "--json"], arguments].concat();
    let mut command = place.parallax(&all);
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let lines = lines(&output);
    let line = lines.iter().find(|line| line["key"] == key).unwrap();
    (line["value"].clone(), line["from"].clone())
}

#[test]
fn each_layer_is_behind_those_before_it() {
    let (empty, place) = (
        Place::new("empty"),
        Place::with("file", "upstream = \"file:1\"\n"),
    );
    let environment = [("PARALLAX_UPSTREAM", "environment:1")];
    let flag = ["--upstream", "flag:1"];
    for (place, arguments, variables, expected) in [
        (&empty, &[][..], &[][..], ("127.0.0.1:8090", "default")),
        (&place, &[], &[], ("file:1", "file")),
        (&empty, &[], &environment, ("environment:1", "environment")),
        (&place, &[], &environment, ("environment:1", "environment")),
        (&empty, &flag, &[], ("flag:1", "flag")),
        (&place, &flag, &[], ("flag:1", "flag")),
        (&empty, &flag, &environment, ("flag:1", "flag")),
        (&place, &flag, &environment, ("flag:1", "flag")),
    ] {
        let (value, from) = held(place, arguments, variables, "upstream");
        assert_eq!((value.as_str().unwrap(), from.as_str().unwrap()), expected);
    }
}

#[test]
fn flags_lists_and_arguments_of_the_program_come_from_the_file_too() {
    let text = "no-mirror = true\nmirror-also = [\"offset\", \"last\"]\nlog-format = \"json\"\n";
    let place = Place::with("kinds", text);
    let file = Value::from("file");
    assert_eq!(
        held(&place, &[], &[], "no-mirror"),
        (true.into(), file.clone())
    );
    let also = held(&place, &[], &[], "mirror-also");
    assert_eq!(also, (vec!["offset", "last"].into(), file.clone()));
    assert_eq!(held(&place, &[], &[], "log-format"), ("json".into(), file));
    let off = [("PARALLAX_NO_MIRROR", "false")];
    let environment = Value::from("environment");
    assert_eq!(
        held(&place, &[], &off, "no-mirror"),
        (false.into(), environment)
    );
}

#[test]
fn a_file_is_named_by_flag_or_variable_and_must_be_there_then() {
    let place = Place::with("default", "upstream = \"default:1\"\n");
    std::fs::write(place.path().join("other.toml"), "upstream = \"other:1\"\n").unwrap();
    let named = held(&place, &["--config", "other.toml"], &[], "upstream");
    assert_eq!(named.0, "other:1");
    let variable = [("PARALLAX_CONFIG", "other.toml")];
    assert_eq!(held(&place, &[], &variable, "upstream").0, "other:1");
    let output = place
        .parallax(&["config", "--config", "no.toml"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("no.toml"), "{}", errors(&output));
}

#[test]
fn an_unknown_key_ends_every_configured_verb_and_names_the_one_that_was_meant() {
    let place = Place::with("unknown", "# a comment\nupstraem = \"a:1\"\n");
    for verb in ["run", "config", "doctor"] {
        let output = place.parallax(&[verb]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{verb}");
        let said = errors(&output);
        let expected = "parallax.toml, line 2, column 1: there is no setting upstraem; did you \
                        mean upstream?";
        assert!(said.contains(expected), "{verb}: {said}");
    }
    // Others have nothing to do with it.
    assert!(
        place
            .parallax(&["explain"])
            .output()
            .unwrap()
            .status
            .success()
    );
}

#[test]
fn what_excludes_each_other_is_said_with_where_both_are() {
    let place = Place::with("both", "record = \"here\"\n");
    let output = place.parallax(&["config", "--bypass"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(
        said.contains("parallax.toml:1") && said.contains("bypass (flag)"),
        "{said}"
    );
}

#[test]
fn what_is_printed_is_a_configuration_that_holds_the_same_and_has_no_secret() {
    let text =
        "http = \"http://iggy:hunter2@a:1\"\nmirror-also = [\"offset\"]\nmute = \"a \\\"b\\\"\"\n";
    let place = Place::with("printed", text);
    let mut command = place.parallax(&["config"]);
    command.env("PARALLAX_HTTP_PASSWORD", "hunter3");
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("# parallax.toml:1"), "{printed}");
    assert!(!printed.contains("hunter"), "{printed}");
    // Not an address that would be taken, and be another.
    assert!(
        printed.contains("# http: an address with a user"),
        "{printed}"
    );
    assert!(
        printed.contains("PARALLAX_HTTP_PASSWORD is set"),
        "{printed}"
    );
    std::fs::write(place.path().join("printed.toml"), &printed).unwrap();
    let again = ["config", "--json", "--config", "printed.toml"];
    let again = place.parallax(&again).output().unwrap();
    assert!(again.status.success(), "{}", errors(&again));
    let first = place.parallax(&["config", "--json"]).output().unwrap();
    let values = |output| {
        let told = lines(&output);
        told.iter()
            .filter(|line| line["key"] != "http")
            .map(|line| (line["key"].clone(), line["value"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(values(again), values(first));
}

#[test]
fn a_route_has_its_own_and_of_the_rest_what_holds_outside() {
    let text = "http-user = \"alice\"\nno-mirror = true\n\n\
                [[route]]\nname = \"east\"\nlisten = \"127.0.0.1:1\"\nupstream = \"a:1\"\n\n\
                [[route]]\nname = \"west\"\nlisten = \"127.0.0.1:2\"\nupstream = \"b:1\"\nhttp-user = \"bob\"\nno-mirror = false\n";
    let place = Place::with("routes", text);
    let output = place.parallax(&["config", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let lines = lines(&output);
    let of = |route: &str, key: &str| {
        let is_it = |line: &&Value| line["route"] == route && line["key"] == key;
        lines
            .iter()
            .find(is_it)
            .map(|line| (line["value"].clone(), line["where"].clone()))
            .unwrap()
    };
    assert_eq!(
        of("east", "http-user"),
        ("alice".into(), "parallax.toml:1".into())
    );
    assert_eq!(
        of("west", "http-user"),
        ("bob".into(), "parallax.toml:13".into())
    );
    assert_eq!(of("east", "no-mirror").0, true);
    assert_eq!(of("west", "no-mirror").0, false);
    assert_eq!(of("west", "upstream").0, "b:1");
    // A flag that a route has an answer of its own to, and a variable that is none.
    let output = place
        .parallax(&["config", "--http-user", "carol"])
        .env("PARALLAX_LISEN", "a:1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    for told in [
        "--http-user does not hold for the route that has its own (parallax.toml:13)",
        "PARALLAX_LISEN is no setting, and is passed over; did you mean PARALLAX_LISTEN?",
    ] {
        assert!(errors(&output).contains(told), "{}", errors(&output));
    }
    // Of one route, where there are several.
    let output = place
        .parallax(&["config", "--listen", "a:1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors(&output).contains("below [[route]]"),
        "{}",
        errors(&output)
    );
}
