//! Files and their errors, the documents; layers with a real environment are tested as a
//! user has them (`tests/settings.rs`).

use clap::{Command, CommandFactory as _};

use super::file::ConfigFile;
use super::layers::with_file;
use super::routes;
use super::schema::settings;
use crate::cli::Arguments;

fn run() -> Command {
    let mut command = Arguments::command();
    command.build();
    command.find_subcommand("run").unwrap().clone()
}

fn error(text: &str) -> String {
    let parsed = ConfigFile::parse("parallax.toml", text);
    let held = parsed.and_then(|file| {
        with_file(Arguments::command(), "run", &file)?;
        routes::held(&file, &[])
    });
    held.unwrap_err().to_string()
}

#[test]
fn what_cannot_be_is_told_with_file_line_column_and_what_to_do() {
    let route = "[[route]]\nname = \"a\"\nlisten = \"a:1\"\nupstream = \"b:1\"\n";
    for (text, place, said) in [
        (
            "upstraem = \"a:1\"\n",
            "line 1, column 1",
            "did you mean upstream?",
        ),
        (
            "\n  recrod = \"a\"\n",
            "line 2, column 3",
            "did you mean record?",
        ),
        ("zzz = 1\n", "line 1, column 1", "parallax config"),
        ("config = \"a\"\n", "line 1, column 1", "no setting config"),
        (
            "max-connections = \"many\"\n",
            "line 1, column 1",
            "not a number from 1",
        ),
        (
            "max-connections = -1\n",
            "line 1, column 1",
            "not a number from 1",
        ),
        (
            "max-connections = 99999999999999999999\n",
            "line 1, column 1",
            "not a number from 1",
        ),
        ("listen = 5\n", "line 1, column 1", "not host:port"),
        ("ui = \"\"\n", "line 1, column 1", "not host:port"),
        ("otlp-sample = 2\n", "line 1, column 1", "from 0 to 1"),
        ("otlp-sample = nan\n", "line 1, column 1", "from 0 to 1"),
        (
            "[[route]]\nname = \"a\"\nlistn = \"a:1\"\nupstream = \"b:1\"\n",
            "line 3, column 1",
            "did you mean listen?",
        ),
        (
            "on-overload = \"panic\"\n",
            "line 1, column 1",
            "slow-clients",
        ),
        (
            "bypass = \"yes\"\n",
            "line 1, column 1",
            "true or false, without quotes",
        ),
        ("record = true\n", "line 1, column 1", "record = \"DIR\""),
        ("ui = [\"a\", \"b\"]\n", "line 1, column 1", "not a list"),
        ("ui = 1979-05-27\n", "line 1, column 1", "no text, number"),
        (
            "[server]\nport = 1\n",
            "line 1, column 2",
            "only tables are [[route]]",
        ),
        ("ui = \n", "line 1, column", ""),
        ("route = 1\n", "line 1, column", "[[route]]"),
        ("[route]\nname = \"a\"\n", "line 1, column", "[[route]]"),
        (
            "[[route]]\nname = \"a\"\nupstream = \"b:1\"\n",
            "line 1, column",
            "has no listen",
        ),
        (
            &format!("{route}lsiten = 1\n"),
            "line 5, column 1",
            "did you mean listen?",
        ),
        (
            &format!("{route}ui = \"a:1\"\n"),
            "line 5, column 1",
            "no setting ui",
        ),
        (&format!("{route}{route}"), "line 6, column 1", "line 2"),
        (
            "[[route]]\nname = \"a b\"\nlisten = \"a:1\"\nupstream = \"b:1\"\n",
            "line 2",
            "letters",
        ),
    ] {
        let error = error(text);
        assert!(
            error.starts_with("parallax.toml, line "),
            "{text:?}: {error}"
        );
        assert!(error.contains(place), "{text:?}: {error}");
        assert!(error.contains(said), "{text:?}: {error}");
        assert!(!error.contains('\n'), "{text:?}: {error}");
    }
}

#[test]
fn more_routes_than_may_be_and_a_file_that_is_too_long_are_refused() {
    let route =
        |n: usize| format!("[[route]]\nname = \"r{n}\"\nlisten = \"a:{n}\"\nupstream = \"b:1\"\n");
    let most: String = (0..crate::limits::ROUTES).map(route).collect();
    assert!(ConfigFile::parse("parallax.toml", &most).is_ok());
    let more = format!("{most}{}", route(999));
    assert!(error(&more).contains("65 routes, and 64 may be"));
    let path = std::env::temp_dir().join(format!("parallax-long-{}.toml", std::process::id()));
    let long = usize::try_from(crate::limits::CONFIG_FILE_BYTES).unwrap() + 1;
    std::fs::write(&path, "#".repeat(long)).unwrap();
    let error = ConfigFile::find(Some(&path)).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("longer than"), "{error}");
}

#[test]
fn the_document_names_every_key_and_no_other() {
    let text = include_str!("../../../../docs/configuration.md");
    let table = text.split("## Keys").nth(1).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let named: Vec<_> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let run = run();
    let mut keys: Vec<_> = settings(&run).filter_map(|one| one.get_long()).collect();
    let mut sorted = named;
    sorted.sort_unstable();
    keys.sort_unstable();
    assert_eq!(sorted, keys);
}

#[test]
fn the_example_can_be_used() {
    let text = include_str!("../../../../docs/parallax.toml");
    let file = ConfigFile::parse("parallax.toml", text).unwrap();
    with_file(Arguments::command(), "run", &file).unwrap();
    let routes = routes::held(&file, &[]).unwrap();
    let tables: Vec<_> = routes.iter().map(|route| route.table().unwrap()).collect();
    assert_eq!(tables.len(), 3);
}
