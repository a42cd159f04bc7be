//! Why there is no second answer, and how to get one.

use maud::{Markup, html};
use parallax_captures::{Content, Exchange, Journal};
use parallax_codec::primitives::PollingKind;

use crate::about::{About, Source};

/// What is missing of an exchange without a verdict; nothing of one that is never
/// compared.
pub(crate) fn missing(journal: &Journal, about: &About, exchange: &Exchange) -> Markup {
    html! {
        @if let Some((missing, to_do)) = words(journal, about, exchange) {
            section.two-answers.v-none id="two-answers" aria-labelledby="h-sides" {
                h2 id="h-sides" { "Two answers: " span.verdict.v-none { "one is missing" } }
                p { (missing) }
                p.next-step { (to_do) }
            }
        }
    }
}

fn words(journal: &Journal, about: &About, exchange: &Exchange) -> Option<(String, &'static str)> {
    let poll = exchange.poll()?;
    if matches!(exchange.content, Content::Http(_)) {
        let missing = "This is a poll over HTTP. It takes the mirror's part for polls on TCP of the \
                       same topic that a capture holds within a minute of it.";
        let to_do = "Look at the poll on TCP: what was compared is shown there.";
        return Some((missing.to_owned(), to_do));
    }
    let strategy = poll.strategy;
    let is_mirrored = matches!(strategy, PollingKind::First | PollingKind::Next);
    let name = strategy.name();
    Some(match &about.source {
        Source::File { .. } => (
            "In this recording there is no HTTP poll that can be compared with it: none of the same \
             topic and partition within a minute, or none that asked for the same."
                .to_owned(),
            "Capture HTTP's port as well (tcpdump 'tcp port 8090 or tcp port 3000') while somebody \
             polls the same partition over HTTP; or put parallax between client and server, then it \
             asks HTTP itself (parallax run).",
        ),
        Source::Live(_) if about.source.is_unmirrored() => (
            "parallax asks nothing over HTTP: the mirror is turned off.".to_owned(),
            "Start it without --no-mirror, and with --http where HTTP is not on port 3000.",
        ),
        Source::Live(_) if !is_mirrored => (
            format!("Polls of {name} are not put to HTTP: First and Next are."),
            "Start parallax with --mirror-also and this strategy, and they are compared too.",
        ),
        Source::Live(_) if !journal.mirrors().is_empty() => (
            "There is no verdict yet: HTTP is being asked, or the mirror was too busy to ask about \
             this one."
                .to_owned(),
            "Look again in a moment. Polls that were not mirrored are counted on the overview.",
        ),
        Source::Live(_) => (
            "Nothing was asked over HTTP about this poll.".to_owned(),
            "The overview says how the mirror is doing.",
        ),
    })
}
