//! From findings to the life of the partition that they are about.

use maud::{Markup, html};
use parallax_captures::partition::partition_meant;
use parallax_captures::{Exchange, Finding, Journal};

/// To those of the latest exchange of a finding that is about a partition.
pub(crate) fn life_of_finding(journal: &Journal, finding: &Finding) -> Option<Markup> {
    let latest = finding.exchanges.iter().rev().take(3);
    let mut found = latest.filter_map(|n| life_of(&*journal.exchange(*n)?));
    found.next()
}

/// To the surroundings of this exchange in its partition's life.
fn life_of(exchange: &Exchange) -> Option<Markup> {
    let partition = partition_meant(exchange)?;
    let href = format!("/partitions/{}?around={}", partition.path(), exchange.n);
    Some(html! {
        a.life-of href=(href) title={ "The life of " (partition) } { "drawn over time" }
    })
}
