//! A client's question for a stored offset, put to HTTP as well.

use parallax_captures::Exchange;
use parallax_captures::verdict::{AskedBy, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind};
use parallax_codec::commands::GetConsumerOffset;

use super::asker::{Asker, NO_LOGIN};
use super::offsets::{offset_outcome, offset_target};
use super::tcp::Whom;
use crate::comparison::{
    OffsetAgain, TcpOffset, judge_offset, offset_partition, offset_question, offsets_differ,
    unasked,
};
use crate::credentials::Credentials;

impl Asker {
    /// The verdict on a question for a stored offset; `None` of other exchanges.
    pub(super) async fn stored_offset_verdict(
        &self,
        exchange: &Exchange,
        credentials: Option<&Credentials>,
    ) -> Option<Verdict> {
        let request = offset_question(exchange)?;
        let known = offset_partition(request).and_then(|id| Ok((id, TcpOffset::of(exchange)?)));
        let (partition_id, tcp) = match known {
            Ok(known) => known,
            Err(reason) => return Some(unasked(VerdictKind::NotComparable, reason)),
        };
        let Some(credentials) = credentials else {
            return Some(unasked(VerdictKind::MirrorFailed, NO_LOGIN.to_owned()));
        };
        let answer = self
            .offset_over_http(request, partition_id, credentials)
            .await;
        if !offsets_differ(tcp, &answer.outcome) {
            return Some(judge_offset(tcp, answer, None));
        }
        let again = match Whom::of(exchange, credentials) {
            Some(whom) => self.offset_again(&whom, request, partition_id).await,
            None => Err("how the client asks is not known".to_owned()),
        };
        Some(match again {
            Ok(again) => judge_offset(tcp, answer, Some(again)),
            // The consumer may have stored another one in between.
            Err(why) => {
                let mut verdict = judge_offset(tcp, answer, None);
                verdict.kind = VerdictKind::NotComparable;
                verdict.differences.clear();
                verdict.reason = format!(
                    "{} It may have been stored in between: TCP could not be asked again ({why}).",
                    verdict.reason
                );
                verdict
            }
        })
    }

    async fn offset_again(
        &self,
        whom: &Whom,
        request: &GetConsumerOffset,
        partition_id: u32,
    ) -> Result<OffsetAgain, String> {
        self.may_ask_again()?;
        let before = self.tcp.offset(whom, request, partition_id).await?;
        let http = self.offset_over_http(request, partition_id, whom.credentials());
        let http = http.await.outcome;
        let after = self.tcp.offset(whom, request, partition_id).await?;
        Ok(OffsetAgain {
            before,
            http,
            after,
        })
    }

    async fn offset_over_http(
        &self,
        request: &GetConsumerOffset,
        partition_id: u32,
        credentials: &Credentials,
    ) -> MirrorAnswer {
        let topic = (&request.stream, &request.topic);
        let target = offset_target(topic, &request.consumer.id, partition_id);
        let (latency, times, outcome) = match self.get(&target, credentials).await {
            Ok(reply) => (
                Some(reply.latency),
                Some(reply.times()),
                self.judge(reply.status, offset_outcome(&reply)),
            ),
            Err(why) => (None, None, MirrorOutcome::Failed(why)),
        };
        MirrorAnswer {
            asked_by: AskedBy::Mirror,
            partition_id: Some(partition_id),
            target,
            latency,
            times,
            outcome,
        }
    }
}
