//! Reading a fault.

use std::str::FromStr;
use std::time::Duration;

use parallax_captures::filter::{Words, nearest};
use parallax_codec::primitives::PollingKind;
use parallax_codec::{COMMANDS, Command, ErrorCode, code};

use super::due::Due;
use super::place::{PLACED, Place};
use super::rule::{Action, Commands, Fault};

impl FromStr for Fault {
    type Err = String;

    /// # Errors
    /// A sentence that says which word is not understood, and what may stand there.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let name = words.next().ok_or_else(|| {
            "a fault is COMMAND ACTION [SELECTOR]..., like poll_messages error=invalid_offset \
             every=3"
                .to_owned()
        })?;
        let commands = commands(name)?;
        let mut reading = Reading::default();
        for word in words {
            reading.take(word)?;
        }
        let Reading {
            action, due, place, ..
        } = reading;
        let action = action.ok_or_else(|| {
            format!(
                "{name:?} is to have an action: error=CODE, empty, delay=TIME, cut=BYTES or drop"
            )
        })?;
        let fault = Self {
            commands,
            action,
            due,
            place,
        };
        fault.fits()?;
        Ok(fault)
    }
}

impl Fault {
    /// # Errors
    /// What does not go together.
    fn fits(&self) -> Result<(), String> {
        let Self {
            commands,
            action,
            due,
            place,
        } = self;
        let of = |known: &[u32]| match commands {
            Commands::Any => false,
            Commands::One(command) => known.contains(&command.code),
        };
        let polls = [code::POLL_MESSAGES, code::POLL_MESSAGES_ON_PRIMARY];
        if *action == Action::Empty && !of(&polls) {
            return Err(format!(
                "empty is for poll_messages, not {}",
                commands.name()
            ));
        }
        if place.strategy.is_some() && !of(&polls) {
            return Err(format!(
                "strategy is for poll_messages, not {}",
                commands.name()
            ));
        }
        if !place.is_anywhere() && !of(&PLACED) {
            return Err(format!(
                "stream, topic and partition are for polls, sends and offsets, not {}",
                commands.name()
            ));
        }
        if due.seed != 0 && due.chance.is_none() {
            return Err("seed is for chance, which is not given".to_owned());
        }
        Ok(())
    }
}

#[derive(Default)]
struct Reading {
    seen: Vec<String>,
    action: Option<Action>,
    due: Due,
    place: Place,
}

const NAMES: [&str; 14] = [
    "error",
    "empty",
    "delay",
    "cut",
    "drop",
    "every",
    "first",
    "times",
    "chance",
    "seed",
    "stream",
    "topic",
    "partition",
    "strategy",
];

impl Reading {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        if self.seen.iter().any(|seen| seen == name) {
            return Err(format!("{name} is given twice"));
        }
        self.seen.push(name.to_owned());
        let needed = || {
            value
                .filter(|value| !value.is_empty())
                .ok_or(format!("{name} needs a value: {name}=..."))
        };
        match name {
            "error" => self.act(Action::Error(error(needed()?)?)),
            "empty" | "drop" if value.is_some() => Err(format!("{name} has no value")),
            "empty" => self.act(Action::Empty),
            "drop" => self.act(Action::Drop),
            "delay" => self.act(Action::Delay(period(needed()?)?)),
            "cut" => self.act(Action::Cut(number(name, needed()?, 0)?)),
            "every" => set(&mut self.due.every, number(name, needed()?, 1)?),
            "first" => set(&mut self.due.first, number(name, needed()?, 1)?),
            "times" => set(&mut self.due.times, number(name, needed()?, 1)?),
            "chance" => set(&mut self.due.chance, chance(needed()?)?),
            "seed" => {
                self.due.seed = number(name, needed()?, 0)?;
                Ok(())
            }
            "stream" => set(&mut self.place.stream, needed()?.to_owned()),
            "topic" => set(&mut self.place.topic, needed()?.to_owned()),
            "partition" => {
                let number = number(name, needed()?, 0)?;
                let partition = number
                    .try_into()
                    .map_err(|_| format!("there is no partition {number}"))?;
                set(&mut self.place.partition, partition)
            }
            "strategy" => set(&mut self.place.strategy, strategy(needed()?)?),
            _ => Err(unknown("word", name, NAMES.into_iter())),
        }
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        match self.action.replace(action) {
            None => Ok(()),
            Some(other) => Err(format!(
                "{other} and {action} are two actions; a fault has one"
            )),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "so that each word is one line")]
fn set<T>(place: &mut Option<T>, value: T) -> Result<(), String> {
    *place = Some(value);
    Ok(())
}

fn commands(name: &str) -> Result<Commands, String> {
    if name == "any" {
        return Ok(Commands::Any);
    }
    let known: Option<&'static Command> = COMMANDS.iter().find(|command| command.name == name);
    let names = COMMANDS.iter().map(|command| command.name).chain(["any"]);
    known
        .map(Commands::One)
        .ok_or_else(|| unknown("command", name, names))
}

fn error(text: &str) -> Result<ErrorCode, String> {
    match text.parse() {
        Ok(0) => Err("0 is success, no error".to_owned()),
        Ok(number) => Ok(ErrorCode(number)),
        Err(_) => ErrorCode::from_name(text).ok_or_else(|| {
            let names = Words::Error.all();
            unknown("error", text, names.iter().map(String::as_str))
        }),
    }
}

fn strategy(text: &str) -> Result<PollingKind, String> {
    let all = PollingKind::ALL;
    all.into_iter()
        .find(|kind| kind.name() == text)
        .ok_or_else(|| {
            let names = all.map(PollingKind::name).join(", ");
            format!("there is no strategy {text:?}; there are {names}")
        })
}

fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>) -> String {
    match nearest(name, names) {
        Some(near) => format!("there is no {what} {name:?}; did you mean {near}?"),
        None => format!("there is no {what} {name:?}"),
    }
}

fn number(name: &str, text: &str, least: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number >= least);
    number.ok_or_else(|| format!("{name}={text} is to be a whole number from {least} on"))
}

fn chance(text: &str) -> Result<f64, String> {
    let chance = text
        .parse()
        .ok()
        .filter(|chance| *chance > 0.0 && *chance <= 1.0);
    chance.ok_or_else(|| format!("chance={text} is to be a number above 0 and at most 1"))
}

fn period(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, u64); 3] = [("ms", 1), ("s", 1_000), ("m", 60_000)];
    let millis = UNITS.iter().find_map(|(unit, factor)| {
        let count: u64 = text.strip_suffix(unit)?.parse().ok()?;
        count.checked_mul(*factor).filter(|millis| *millis > 0)
    });
    let wrong = || format!("delay={text} is to be a whole number and ms, s or m");
    millis.map(Duration::from_millis).ok_or_else(wrong)
}
