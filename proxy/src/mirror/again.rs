//! Asking both sides once more.

use jiff::Timestamp;
use parallax_captures::poll::Poll;
use parallax_captures::verdict::TcpAnswer;
use tokio::time::Instant;

use super::asker::{Asker, lock};
use super::tcp::Whom;
use crate::comparison::{Again, Questions};
use crate::credentials::Credentials;
use crate::limits::{ASKED_AGAIN_PER_SECOND, PARTITIONS_ASKED_AGAIN};

impl Asker {
    /// Puts the questions to TCP, to HTTP, and to TCP once more.
    ///
    /// # Errors
    /// Why TCP could not be asked: a sentence without its full stop.
    pub(super) async fn again(
        &self,
        whom: &Whom,
        questions: &Questions,
        credentials: &Credentials,
    ) -> Result<Again, String> {
        let polls = &questions.polls;
        if polls.len() > PARTITIONS_ASKED_AGAIN {
            return Err(format!(
                "it would be about {} partitions, and at most {PARTITIONS_ASKED_AGAIN} are asked",
                polls.len()
            ));
        }
        self.may_ask_again()?;
        let time = Timestamp::now();
        let tcp_before = self.over_tcp(whom, polls).await?;
        let answers = self.answers(questions, credentials).await;
        let tcp_after = self.over_tcp(whom, polls).await?;
        Ok(Again {
            time,
            tcp_before,
            answers,
            tcp_after,
        })
    }

    /// # Errors
    /// More differ than are asked again.
    pub(super) fn may_ask_again(&self) -> Result<(), String> {
        if lock(&self.again_pace).take(Instant::now()) {
            return Ok(());
        }
        Err(format!(
            "more polls differ than the {ASKED_AGAIN_PER_SECOND} a second that are asked again"
        ))
    }

    async fn over_tcp(&self, whom: &Whom, polls: &[Poll]) -> Result<Vec<TcpAnswer>, String> {
        let mut answers = Vec::with_capacity(polls.len());
        for poll in polls {
            answers.push(self.tcp.poll(whom, poll).await?);
        }
        Ok(answers)
    }
}
