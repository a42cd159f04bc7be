//! HTTP as a user: logged in, within the rate, with pauses where it fails.

use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use parallax_captures::MirrorState;
use parallax_captures::verdict::MirrorOutcome;
use tokio::time::{Instant, sleep};

use super::asker::{Asker, lock};
use super::client::{Reply, Trouble};
use super::gate::Ask;
use super::users::{self, Token, User};
use crate::credentials::Credentials;

impl Asker {
    /// Looks at something as this user. A token that is refused is renewed once.
    pub(super) async fn get(
        &self,
        target: &str,
        credentials: &Credentials,
    ) -> Result<Reply, String> {
        let (token, is_new) = self.token(credentials, None).await?;
        let mut reply = self.send(Ask::Get(target, &token)).await?;
        if reply.status == 401 && !is_new {
            let (token, _) = self.token(credentials, Some(&token)).await?;
            reply = self.send(Ask::Get(target, &token)).await?;
        }
        let mut users = self.users.lock().await;
        let user = users.user(credentials);
        if reply.status != 401 {
            user.backoff.succeeded();
            user.refusal = None;
            return Ok(reply);
        }
        let why = format!(
            "HTTP took the login with the {credentials:?} and refuses its token all the same (401)"
        );
        let wait = user.refused(Instant::now(), &why);
        self.is_refused(&why, wait);
        Err(why)
    }

    /// The user's token, and whether it was made just now. One that equals
    /// `stale` is made anew.
    async fn token(
        &self,
        credentials: &Credentials,
        stale: Option<&Token>,
    ) -> Result<(Token, bool), String> {
        // Held while logging in, so that one login serves all who wait.
        let mut users = self.users.lock().await;
        let user = users.user(credentials);
        if let Some(token) = &user.token
            && stale != Some(token)
        {
            self.asks_as(credentials);
            return Ok((token.clone(), false));
        }
        user.backoff.attempt(Instant::now())?;
        self.recognise(user).await?;
        let (path, body) = users::login(credentials);
        let reply = self.send(Ask::Login(path, body)).await?;
        match users::token(credentials, &reply) {
            Ok(token) => {
                user.token = Some(token.clone());
                self.asks_as(credentials);
                Ok((token, true))
            }
            Err(why) => {
                let wait = user.refused(Instant::now(), &why);
                self.is_refused(&why, wait);
                Err(why)
            }
        }
    }

    /// Makes sure that an Iggy server listens there, before it is told a password.
    async fn recognise(&self, user: &mut User) -> Result<(), String> {
        if self.is_iggy.load(Ordering::Relaxed) {
            return Ok(());
        }
        let reply = self.send(Ask::Ping).await?;
        if reply.status == 200 && reply.body == b"pong" {
            self.is_iggy.store(true, Ordering::Relaxed);
            return Ok(());
        }
        let (server, status) = (self.client.server(), reply.status);
        let begin = &reply.body[..reply.body.len().min(FOUND_SHOWN)];
        let found = String::from_utf8_lossy(begin);
        let why = format!(
            "{server} is no Iggy server: it answers GET /ping with HTTP {status} and {found:?}, not \
             with pong. No password was sent to it. Give the HTTP address of the server (--http)"
        );
        let wait = user.failed(Instant::now(), &why);
        self.is_down(&why, wait);
        Err(why)
    }

    /// Sends a request when its turn comes, unless HTTP is down.
    async fn send(&self, ask: Ask<'_>) -> Result<Reply, String> {
        let wait = {
            let (rate, backoff) = &mut *lock(&self.pace);
            let now = Instant::now();
            backoff.attempt(now)?;
            rate.turn(now)
        };
        sleep(wait).await;
        self.figures.update(|status| status.asked(Timestamp::now()));
        let sent = self.client.send(ask).await;
        let (_, backoff) = &mut *lock(&self.pace);
        match sent {
            Ok(reply) if is_not_now(reply.status) => {
                let why = format!("HTTP answers with {}: not now", reply.status);
                let wait = backoff.failed(Instant::now(), &why, reply.retry_after);
                self.is_down(&why, wait);
                Ok(reply)
            }
            Ok(reply) => {
                backoff.succeeded();
                Ok(reply)
            }
            Err(Trouble::Silent(why)) => {
                // Something else may listen there next time.
                self.is_iggy.store(false, Ordering::Relaxed);
                let wait = backoff.failed(Instant::now(), &why, None);
                self.is_down(&why, wait);
                Err(why)
            }
            Err(Trouble::Unusable(why)) => {
                backoff.succeeded();
                self.figures.update(|status| status.failures += 1);
                Err(why)
            }
        }
    }

    fn asks_as(&self, credentials: &Credentials) {
        let whom = format!("{credentials:?}");
        self.figures.update(|status| status.whom = Some(whom));
    }

    /// Takes note of what an answer came to: whether HTTP is of use.
    pub(super) fn judge(&self, status: u16, outcome: MirrorOutcome) -> MirrorOutcome {
        match &outcome {
            // Said when it came.
            _ if is_not_now(status) => {}
            // Of one poll alone.
            MirrorOutcome::Failed(_) if status == TOO_LARGE => {}
            MirrorOutcome::Failed(why) => self.is_unusable(why),
            _ => self.figures.update(|status| status.state = MirrorState::Ok),
        }
        outcome
    }

    fn is_unusable(&self, why: &str) {
        self.failed(|since| MirrorState::Unusable {
            since,
            reason: why.to_owned(),
        });
    }

    fn is_down(&self, why: &str, wait: Duration) {
        self.failed(|since| MirrorState::BackingOff {
            since,
            until: after(wait),
            reason: why.to_owned(),
        });
    }

    fn is_refused(&self, why: &str, wait: Duration) {
        self.failed(|since| MirrorState::Unauthenticated {
            since,
            until: after(wait),
            reason: why.to_owned(),
        });
    }

    /// Counts a failure, and takes note of a state: since when it is so stays as it was.
    fn failed(&self, state: impl Fn(Timestamp) -> MirrorState) {
        self.figures.update(|status| {
            status.failures += 1;
            let new = state(Timestamp::now());
            let is_on = new.name() == status.state.name();
            let before = status.state.trouble().filter(|_| is_on);
            let since = before.map(|trouble| trouble.since);
            status.state = since.map_or(new, &state);
        });
    }
}

fn after(wait: Duration) -> Option<Timestamp> {
    Timestamp::now().checked_add(wait).ok()
}

/// Bytes that are shown of what answered in an Iggy server's place.
const FOUND_SHOWN: usize = 40;

const TOO_LARGE: u16 = 413;

/// Too many requests, or no service: the server asks to be left alone for a time.
fn is_not_now(status: u16) -> bool {
    matches!(status, 429 | 503)
}
