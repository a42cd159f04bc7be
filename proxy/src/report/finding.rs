use std::fmt::Write as _;

use parallax_captures::Finding;

use super::without_controls;

/// A finding with its evidence, over several lines.
pub(crate) fn finding_lines(finding: &Finding) -> String {
    let description = finding.description();
    let mut lines = format!(
        "{} {}: {}\n      at {}, seen {}, since {}\n",
        finding.code,
        description.severity.name(),
        description.title,
        without_controls(&finding.place),
        times(finding.count),
        finding.first.strftime("%Y-%m-%d %H:%M:%S%.6f UTC"),
    );
    if let Some(by) = &finding.muted {
        let _ = writeln!(lines, "      muted by {by}");
    }
    for sentence in &finding.evidence {
        let sentence = without_controls(sentence);
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

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use parallax_captures::FindingCode;

    use super::*;

    #[test]
    fn a_name_that_a_client_chose_forges_no_line_and_moves_no_cursor() {
        let name = "a\r\nPX999 error\u{1b}[31m\u{202e}b";
        let evidence = vec![format!("the topic is {name}")];
        let finding = Finding::new(FindingCode(102), name, 1, Timestamp::UNIX_EPOCH, evidence);
        let lines = finding_lines(&finding);
        assert_eq!(lines.lines().count(), 4, "{lines}");
        assert!(!lines.contains(['\r', '\u{1b}', '\u{202e}']), "{lines}");
    }
}
