use std::fmt::Write as _;

use parallax_captures::Finding;

/// A finding with its evidence, over several lines.
pub(crate) fn finding_lines(finding: &Finding) -> String {
    let description = finding.description();
    let mut lines = format!(
        "{} {}: {}\n      at {}, seen {}, since {}\n",
        finding.code,
        description.severity.name(),
        description.title,
        finding.place,
        times(finding.count),
        finding.first.strftime("%Y-%m-%d %H:%M:%S%.6f UTC"),
    );
    if let Some(by) = &finding.muted {
        let _ = writeln!(lines, "      muted by {by}");
    }
    for sentence in &finding.evidence {
        let _ = writeln!(lines, "      - {sentence}");
    }
    let exchanges: Vec<_> = finding.exchanges.iter().map(u64::to_string).collect();
    let _ = writeln!(lines, "      exchanges {}", exchanges.join(", "));
    lines
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}
