//! The list as one works with it, where no browser is needed.

use std::sync::Arc;

use parallax_captures::{Annotation, Journal, VerdictKind};
use parallax_codec::primitives::PollingKind;
use parallax_web::limits::EXCHANGES_LISTED;
use serde_json::Value;

use crate::http::Page;
use crate::sample::{self, FAILING_POLL};

async fn page() -> Page {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    Page::over(journal).await
}

/// The numbers of the rows of a list.
fn rows(page: &str) -> Vec<u64> {
    let numbers = page.split("data-n=\"").skip(1);
    numbers
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect()
}

/// Where the links of this class lead.
fn links(html: &str, class: &str) -> Vec<String> {
    let opening = format!("<a class=\"{class}\" href=\"");
    let rest = html.split(&opening).skip(1);
    rest.map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
        .collect()
}

#[tokio::test]
async fn every_value_leads_to_a_list_with_its_row_and_to_one_without() {
    let page = page().await;
    let columns = "columns=n,time,conn,dialect,command,place,consumer,asked,status,latency,size,\
                   verdict,findings,notes";
    let list = page.text(&format!("/exchanges?{columns}")).await;
    let table = list.split("<tbody id=\"rows\"").nth(1).unwrap();
    let mut count = 0;
    for row in table.split("<tr").skip(1) {
        let n = row.split("data-n=\"").nth(1).unwrap();
        let n: u64 = n.split('"').next().unwrap().parse().unwrap();
        let only = [links(row, "plain only"), links(row, "only only-sign")].concat();
        let without = links(row, "not");
        assert_eq!(only.len(), without.len());
        assert!(only.len() >= 5, "{row}");
        for href in only {
            assert!(rows(&page.text(&href).await).contains(&n), "{n}: {href}");
            count += 1;
        }
        for href in without {
            assert!(!rows(&page.text(&href).await).contains(&n), "{n}: {href}");
        }
    }
    assert!(count > 150, "{count}");
}

#[tokio::test]
async fn a_value_is_added_to_what_was_asked_for_before() {
    let page = page().await;
    let asked = "where=conn%20%3D%3D%201%20or%20conn%20%3D%3D%202&sort=latency&errors=1";
    let list = page.text(&format!("/exchanges?{asked}")).await;
    let only = links(
        list.split("<tbody id=\"rows\"").nth(1).unwrap(),
        "plain only",
    );
    let status = only.iter().find(|href| href.contains("status")).unwrap();
    assert!(
        status.starts_with("/exchanges?errors=1&sort=latency&where=%28conn"),
        "{status}"
    );
}

#[tokio::test]
async fn a_list_stands_in_the_order_that_is_asked_for_and_says_what_it_covers() {
    let page = page().await;
    let oldest = page.text("/exchanges?sort=oldest").await;
    assert_eq!(rows(&oldest), (1..=18).collect::<Vec<_>>());
    let slowest = page.text("/exchanges?sort=latency").await;
    let listed = page.json("/api/v1/exchanges").await;
    let mut latencies: Vec<_> = listed["exchanges"].as_array().unwrap().iter().collect();
    latencies.retain(|one| !one["latency_us"].is_null());
    latencies.sort_by_key(|one| std::cmp::Reverse((one["latency_us"].as_u64(), one["n"].as_u64())));
    let expected: Vec<_> = latencies
        .iter()
        .map(|one| one["n"].as_u64().unwrap())
        .collect();
    assert_eq!(rows(&slowest), expected);
    assert!(slowest.contains("Of all 18 kept exchanges; what got no reply is left out."));
    assert!(slowest.contains("aria-sort=\"descending\""));
    let largest = page.text("/exchanges?sort=size&columns=n,size").await;
    assert_eq!(rows(&largest).len(), 18);
    assert_eq!(largest.matches("columnheader").count(), 2);
    let api = page.json("/api/v1/exchanges?sort=latency&limit=2").await;
    assert_eq!(api["exchanges"][1]["n"], expected[1]);
    let further = page.json(api["next_page"].as_str().unwrap()).await;
    assert_eq!(further["exchanges"][0]["n"], expected[2]);
}

#[tokio::test]
async fn pages_follow_each_other_in_every_order_without_script() {
    let journal = Journal::new();
    for at in 0..250 {
        let question = sample::question("metrics", None, PollingKind::Next);
        journal.record(sample::poll(at, &question, Ok((0, 0))));
    }
    let page = Page::over(Arc::new(journal)).await;
    for order in ["newest", "oldest", "latency", "size"] {
        let mut found = Vec::new();
        let mut next = Some(format!("/exchanges?sort={order}&columns=n"));
        while let Some(href) = next {
            let text = page.text(&href).await;
            assert!(rows(&text).len() <= EXCHANGES_LISTED);
            found.extend(rows(&text));
            let link = text.split("<a rel=\"next\" href=\"").nth(1);
            next = link.map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"));
        }
        found.sort_unstable();
        assert_eq!(found, (1..=250).collect::<Vec<_>>(), "{order}");
    }
    let rows_alone = page.get("/rows?after=100&sort=oldest").await;
    assert_eq!(rows(&rows_alone.body)[0], 101);
    assert_eq!(
        rows_alone.header("parallax-next"),
        Some("?sort=oldest&after=200")
    );
    let newer = page.json("/newer?after=249").await;
    assert_eq!(
        (&newer["count"], &newer["more"]),
        (&1.into(), &false.into())
    );
    let newer = page.json("/newer?after=9").await;
    assert_eq!(
        (&newer["count"], &newer["more"]),
        (&100.into(), &true.into())
    );
}

#[tokio::test]
async fn problems_are_what_catches_the_eye() {
    let page = page().await;
    let list = page.text("/exchanges?problems=1").await;
    let table = list.split("<tbody id=\"rows\"").nth(1).unwrap();
    assert!(!table.contains("r-well") && table.contains("r-diverge"));
    let all = page.text("/exchanges").await;
    let well = all.matches("class=\"r-well\"").count();
    assert_eq!(rows(&list).len(), 18 - well);
}

#[tokio::test]
async fn a_note_is_sent_by_a_plain_form_and_only_by_the_page_itself() {
    let page = page().await;
    let send = async |headers: &str, body: &str| {
        let (host, length) = (page.address, body.len());
        let cookie = page.cookie().await;
        let request = format!(
            "POST /exchanges/{FAILING_POLL}/annotation HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\
             {headers}Content-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        page.ask(&request).await
    };
    let own = format!("Origin: http://{}\r\n", page.address);
    let form = "mark=0&mark=1&comment=why+%224100%22%3F+%3Cscript%3E";
    for foreign in ["", "Origin: http://evil.example\r\n", "Origin: null\r\n"] {
        assert_eq!(send(foreign, form).await.status, 403, "{foreign}");
    }
    let sent = send(&own, form).await;
    assert_eq!(
        (sent.status, sent.header("location")),
        (303, Some("/exchanges/6#note"))
    );
    let one = page
        .json(&format!("/api/v1/exchanges/{FAILING_POLL}"))
        .await;
    assert_eq!(one["marked"], true);
    assert_eq!(one["comment"], "why \"4100\"? <script>");
    let list = page.text("/exchanges?where=marked").await;
    assert_eq!(rows(&list), [FAILING_POLL]);
    assert!(list.contains("why &quot;4100&quot;? &lt;script&gt;") && !list.contains("? <script>"));
    // What is not given stays.
    assert_eq!(send(&own, "mark=0").await.status, 303);
    let one = page
        .json(&format!("/api/v1/exchanges/{FAILING_POLL}"))
        .await;
    assert_eq!(
        (&one["marked"], one["comment"].is_string()),
        (&false.into(), true)
    );
    assert_eq!(send(&own, "mark=maybe").await.status, 400);
    assert_eq!(send(&own, "colour=red").await.status, 400);
    let detail = page.text(&format!("/exchanges/{FAILING_POLL}")).await;
    assert!(detail.contains("Notes are kept as long as the exchange is in memory"));
}

#[tokio::test]
async fn what_a_list_has_is_saved_in_each_form() {
    let journal = sample::broken_partition();
    journal
        .annotate(FAILING_POLL, Annotation::new(true, "look here"))
        .unwrap();
    let page = Page::over(journal).await;
    let wanted = "where=status%20%3D%3D%204100";
    let lines = page.get(&format!("/exchanges.jsonl?{wanted}")).await;
    let disposition = lines.header("content-disposition").unwrap();
    assert_eq!(
        disposition,
        "attachment; filename=\"parallax-exchanges.jsonl\""
    );
    let all: Vec<Value> = unchunked(&lines.body)
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    let numbers: Vec<_> = all.iter().map(|one| one["n"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [6, 8, 10, 12]);
    assert_eq!(all[0]["comment"], "look here");
    let table = page.get(&format!("/exchanges.csv?{wanted}")).await;
    let table = unchunked(&table.body);
    assert_eq!(table.lines().count(), 5);
    assert!(
        table.lines().nth(1).unwrap().ends_with("true,look here,"),
        "{table}"
    );
    let hex = page.text(&format!("/exchanges/{FAILING_POLL}/hex")).await;
    let hex = unchunked(&hex);
    assert!(hex.starts_with("# exchange 6, request, "), "{hex}");
    assert!(hex.contains("\n00000000  "));
    assert!(hex.contains("# exchange 6, reply, 8 bytes\n00000000  04 10 00 00 00 00 00 00\n"));
}

/// The body of an answer that came in chunks.
fn unchunked(body: &str) -> String {
    let mut rest = body;
    let mut whole = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        whole.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    whole
}

#[tokio::test]
async fn the_help_has_every_key_that_the_script_is_given() {
    let page = page().await;
    for (path, script) in [
        ("/exchanges", "/static/js/exchanges.js"),
        ("/exchanges/6", "/static/js/exchanges.js"),
    ] {
        let text = page.text(path).await;
        let dialog = text.split("<dialog id=\"keys\"").nth(1).unwrap();
        let table = dialog.split("data-keys=\"").nth(1).unwrap();
        let table = table.split('"').next().unwrap().replace("&quot;", "\"");
        let table: Value = table.parse().unwrap();
        let script = page.text(script).await;
        let keys = table.as_array().unwrap();
        assert!(keys.len() >= 6);
        for key in keys {
            let act = key["act"].as_str().unwrap();
            let is_known = ["(", ":"]
                .iter()
                .any(|sign| script.contains(&format!("    {act}{sign}")));
            assert!(is_known || act == "help", "{path}: {act}");
        }
        let shown = dialog
            .split("</dialog>")
            .next()
            .unwrap()
            .matches("<kbd>")
            .count();
        let given: usize = keys
            .iter()
            .map(|key| key["keys"].as_array().unwrap().len())
            .sum();
        assert_eq!(shown, given, "{path}");
    }
}

/// Where the number of a row leads.
fn opened(list: &str, n: u64) -> String {
    let row = list.split(&format!("data-n=\"{n}\"")).nth(1).unwrap();
    let link = row.split("<a class=\"n\" href=\"").nth(1).unwrap();
    link.split('"').next().unwrap().replace("&amp;", "&")
}

/// Where the link with this id leads.
fn leads(page: &str, id: &str) -> Option<String> {
    let (_, link) = page.split_once(&format!("<a id=\"{id}\""))?;
    let href = link.split("href=\"").nth(1)?;
    Some(href.split('"').next()?.replace("&amp;", "&"))
}

#[tokio::test]
async fn an_exchange_that_is_opened_from_a_list_leads_through_it_and_back_to_it() {
    let page = page().await;
    let list = page.text("/exchanges?where=status%20%3D%3D%204100").await;
    let href = opened(&list, 8);
    assert_eq!(
        href,
        "/exchanges/8?in=where%3Dstatus%2520%253D%253D%25204100"
    );
    let one = page.text(&href).await;
    assert_eq!(leads(&one, "prev").unwrap(), href.replace("/8?", "/6?"));
    assert_eq!(leads(&one, "next").unwrap(), href.replace("/8?", "/10?"));
    assert!(
        leads(&one, "next-all")
            .unwrap()
            .starts_with("/exchanges/9?in=")
    );
    let back = leads(&one, "list").unwrap();
    assert_eq!(back, "/exchanges?where=status%20%3D%3D%204100#x8");
    let down = |page: &str| {
        let tag = page.split("data-step=\"down\"").nth(1).unwrap();
        let href = tag.split("/exchanges/").nth(1).unwrap();
        href.split('?').next().unwrap().to_owned()
    };
    assert_eq!(down(&one), "6");
    // Down an older list is forth in time.
    let older = page.text("/exchanges?errors=1&sort=oldest").await;
    let one = page.text(&opened(&older, 8)).await;
    assert!(down(&one).parse::<u64>().unwrap() > 8);
    let slowest = page
        .text("/exchanges?where=status%20%3D%3D%204100&sort=latency")
        .await;
    let one = page.text(&opened(&slowest, 8)).await;
    assert!(one.contains(", which stands slowest first, by number"));
    assert!(
        leads(&one, "next")
            .unwrap()
            .starts_with("/exchanges/10?in=")
    );
    // The whole list is none of its own.
    let all = page.text("/exchanges").await;
    assert_eq!(opened(&all, 8), "/exchanges/8");
    assert_eq!(leads(&page.text("/exchanges/8").await, "list"), None);
}

#[tokio::test]
async fn a_list_that_is_not_understood_is_left_out_and_that_is_said() {
    let page = page().await;
    for bad in [
        "where%3Dstatus%2520%253D",
        "unheard%3D1",
        "sort%3Dn",
        "%FF%3D1",
        "a%20b%25",
    ] {
        let one = page.get(&format!("/exchanges/8?in={bad}")).await;
        assert_eq!(one.status, 200, "{bad}");
        assert!(
            one.body
                .contains("is not understood: these are all exchanges"),
            "{bad}"
        );
        assert_eq!(
            leads(&one.body, "next").as_deref(),
            Some("/exchanges/9"),
            "{bad}"
        );
    }
    assert_eq!(page.get("/exchanges/8?unheard=1").await.status, 400);
}

#[tokio::test]
async fn a_row_says_as_whom_how_many_and_of_which_partition_it_likely_was() {
    let journal = sample::broken_partition();
    let agreed = journal.exchange(FAILING_POLL).unwrap();
    let mut verdict = agreed.verdict.clone().unwrap();
    verdict.kind = VerdictKind::NotComparable;
    journal.set_verdict(FAILING_POLL, verdict);
    let page = Page::over(journal).await;
    let list = page.text("/exchanges?where=n%20%3D%3D%206").await;
    let asked = "<bdi>next 100, group qw_sink_metrics</bdi>";
    assert!(list.contains(asked), "{list}");
    let place = list.split("c-place").nth(2).unwrap();
    assert!(
        place.split("</td>").next().unwrap().contains("2?</span>"),
        "{place}"
    );
    assert!(list.contains("not comparable, HTTP fails too at 2"));
    // Not of a poll that went well, nor where the partition was named.
    let well = page.text("/exchanges?where=status%20%3D%3D%200").await;
    assert!(!well.contains("?</span>") && !well.contains("HTTP fails too"));
}

#[tokio::test]
async fn what_is_refused_before_a_page_sees_it_is_told_as_everything_is() {
    let page = page().await;
    let send = async |kind: &str, body: &str| {
        let (host, length, cookie) = (page.address, body.len(), page.cookie().await);
        let request = format!(
            "POST /exchanges/{FAILING_POLL}/annotation HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\
             Origin: http://{host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        page.ask(&request).await
    };
    let form = "application/x-www-form-urlencoded";
    let long = send(form, &format!("comment={}", "x".repeat(70_000))).await;
    let other = send("application/json", "{}").await;
    let address = page.get("/partitions/%00/%ff/1").await;
    for (answer, status, words) in [
        (long, 413, "at most 65536 bytes"),
        (other, 415, "sent as a form is"),
        (address, 400, "Invalid UTF-8"),
    ] {
        assert_eq!(answer.status, status);
        assert!(
            answer.body.contains("<h1>") && answer.body.contains(words),
            "{}",
            answer.body
        );
    }
    let api = page.get("/api/v1/partitions/%00/%ff/1").await;
    let error: Value = api.body.parse().unwrap();
    assert!(
        error["error"].as_str().unwrap().contains("UTF-8"),
        "{error}"
    );
}
