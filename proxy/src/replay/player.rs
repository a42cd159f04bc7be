//! A plan put to a server.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::{ConnectionId, Exchange};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::lane::Lane;
use super::pace::Pace;
use super::plan::{Plan, Step};
use crate::limits::{REPLAY_ANSWERS, REPLAY_CONNECTIONS};

/// Whom to play to, and how.
#[derive(Debug, Clone)]
pub struct Target {
    /// `host:port`.
    pub to: String,
    /// How fast.
    pub pace: Pace,
    /// On how many connections.
    pub connections: Connections,
    /// How long to wait for a connection or a reply.
    pub patience: Duration,
}

/// On how many connections a capture is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Connections {
    /// On as many as were captured.
    Captured,
    /// On one.
    One,
}

/// What became of a request.
#[derive(Debug)]
pub struct Played {
    /// As it was captured.
    pub captured: Arc<Exchange>,
    /// As it was answered now, or why it was not.
    pub now: Result<Box<Exchange>, String>,
    /// Whether it was sent at all: not on a connection that was lost before.
    pub was_sent: bool,
}

/// Plays a plan; tells of each request as it is answered.
///
/// # Errors
/// The plan needs more connections than [`REPLAY_CONNECTIONS`], or the first one
/// cannot be made.
pub async fn play(plan: Plan, target: &Target, mut tell: impl FnMut(Played)) -> Result<(), String> {
    let connections = plan.connections();
    if target.connections == Connections::Captured && connections > REPLAY_CONNECTIONS {
        return Err(format!(
            "the capture has {connections} connections, more than the {REPLAY_CONNECTIONS} that \
             are opened; --connections one plays it on one"
        ));
    }
    let Some(first) = plan.steps.first() else {
        return Ok(());
    };
    let Exchange { conn, dialect, .. } = *first.captured;
    let is_mixed = plan
        .steps
        .iter()
        .any(|step| step.captured.dialect != dialect);
    if target.connections == Connections::One && is_mixed {
        return Err(
            "the capture has connections of both dialects, which are not played on one; \
                    leave --connections out"
                .to_owned(),
        );
    }
    // Who is not there is said once, not for each request.
    let first_lane = Lane::open(&target.to, conn, dialect, target.patience).await?;
    let mut lanes = Lanes::from([(lane_of(first, target), Ok(first_lane))]);
    let (answers, mut answered) = mpsc::channel(REPLAY_ANSWERS);
    let begun = Instant::now();
    for steps in queues(plan, target) {
        let (target, answers) = (target.clone(), answers.clone());
        // The first request is in the first queue.
        let lanes = std::mem::take(&mut lanes);
        tokio::spawn(play_queue(steps, target, lanes, begun, answers));
    }
    drop(answers);
    while let Some(played) = answered.recv().await {
        tell(played);
    }
    Ok(())
}

/// Steps that wait for each other: all of them, or those of each connection.
fn queues(plan: Plan, target: &Target) -> Vec<Vec<Step>> {
    if target.pace == Pace::Flat || target.connections == Connections::One {
        return vec![plan.steps];
    }
    let mut places: HashMap<ConnectionId, usize> = HashMap::new();
    let mut queues: Vec<Vec<Step>> = Vec::new();
    for step in plan.steps {
        let place = *places.entry(step.captured.conn).or_insert_with(|| {
            queues.push(Vec::new());
            queues.len() - 1
        });
        queues[place].push(step);
    }
    queues
}

/// A lane that is open, or why it is lost.
type Lanes = HashMap<Option<ConnectionId>, Result<Lane, String>>;

async fn play_queue(
    steps: Vec<Step>,
    target: Target,
    mut lanes: Lanes,
    begun: Instant,
    answers: mpsc::Sender<Played>,
) {
    let mut left: HashMap<_, usize> = HashMap::new();
    for step in &steps {
        *left.entry(lane_of(step, &target)).or_default() += 1;
    }
    for step in steps {
        sleep_until(begun + target.pace.due(step.after)).await;
        let name = lane_of(&step, &target);
        let (was_sent, now) = ask(&step, name, &target, &mut lanes).await;
        if let Some(left) = left.get_mut(&name) {
            *left -= 1;
            if *left == 0 {
                // It ends where the captured one asked nothing more.
                lanes.remove(&name);
            }
        }
        let played = Played {
            captured: step.captured,
            now: now.map(Box::new),
            was_sent,
        };
        if answers.send(played).await.is_err() {
            return;
        }
    }
}

fn lane_of(step: &Step, target: &Target) -> Option<ConnectionId> {
    (target.connections == Connections::Captured).then_some(step.captured.conn)
}

/// The answer to a step, and whether it was sent.
async fn ask(
    step: &Step,
    name: Option<ConnectionId>,
    target: &Target,
    lanes: &mut Lanes,
) -> (bool, Result<Exchange, String>) {
    let Exchange { conn, dialect, .. } = &*step.captured;
    let lane = match lanes.entry(name) {
        Entry::Occupied(lane) => lane.into_mut(),
        Entry::Vacant(place) => {
            let opened = Lane::open(&target.to, *conn, *dialect, target.patience).await;
            place.insert(opened)
        }
    };
    match lane {
        Ok(open) => {
            let answer = open.ask(step.code, step.body()).await;
            if let Err(why) = &answer {
                *lane = Err(format!("the connection was given up before: {why}"));
            }
            (true, answer)
        }
        Err(why) => (false, Err(why.clone())),
    }
}
