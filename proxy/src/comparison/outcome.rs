//! Which HTTP answers are answers, and which are the instrument's own trouble.

use parallax_captures::http_poll::parse_answer;
use parallax_captures::verdict::MirrorOutcome;

/// What the HTTP answer to a poll comes to.
///
/// A refusal counts where Iggy refuses the poll. Where the request did not get
/// that far (not logged in, sent elsewhere, too many, too large, not now) the
/// mirror failed, and nothing is known about the poll.
pub fn outcome(http_status: u16, body: &[u8]) -> MirrorOutcome {
    let (text, by_iggy) = match parse_answer(http_status, body) {
        Ok(Ok(answer)) => return MirrorOutcome::Answered(answer),
        Ok(Err(refusal)) => {
            let text = refusal.to_string();
            if own_trouble(http_status, true).is_none() {
                return MirrorOutcome::Refused(refusal);
            }
            (text, true)
        }
        Err(why) => (why, false),
    };
    let what =
        own_trouble(http_status, by_iggy).unwrap_or("Is this the HTTP address of the same server?");
    MirrorOutcome::Failed(format!("{text}. {what}"))
}

fn own_trouble(http_status: u16, by_iggy: bool) -> Option<&'static str> {
    Some(match http_status {
        401 => "parallax is not logged in over HTTP.",
        300..=399 => "The server sends parallax elsewhere, and it does not follow.",
        408 | 504 if !by_iggy => "The request timed out on the way.",
        413 => "That is too large for the server's HTTP.",
        429 => "The server wants fewer requests: lower the mirror's rate.",
        503 => "The server cannot answer now.",
        500 | 502 if !by_iggy => "Something in front of the server failed.",
        _ => return None,
    })
}
