//! One exchange in detail: fields and bytes, payloads, times, ways on.

use std::collections::HashSet;

use fantoccini::Locator;
use fantoccini::actions::{InputSource as _, MouseActions, PointerAction};
use fantoccini::key::Key;
use parallax_tests::{Browser, recording};
use serde_json::{Value, json};

use crate::read::{first, inspected, number, passes};
use crate::support::{PATIENCE, Viewed, text_of, wait_for};

const BROKEN: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";
const CLASSIC: &str = "server-0.8.0_sdk-0.10.0/polls.pcap";
const VSR: &str = "server-0.9-edge_sdk-0.11-edge/polls.pcap";

async fn run(browser: &Browser, script: &str) -> Value {
    browser.client.execute(script, Vec::new()).await.unwrap()
}

/// Of each frame of the page: its bytes in hex, and the leaves whose lit bytes, when
/// pointed at, are not as many as they say; and the bytes whose field does not light up.
const POINT_AT_EVERYTHING: &str = r#"
  const over = (element) => element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  const bytes = (cells) => cells.map((cell) => cell.textContent.trim().split(" ").filter(Boolean)).flat();
  return [...document.querySelectorAll(".frame")].map((frame) => {
    const wrong = [];
    frame.querySelectorAll("details").forEach((group) => { group.open = true; });
    const first = parseInt(frame.querySelector(".at").textContent, 16);
    const last = first + bytes([...frame.querySelectorAll(".bytes")]).length - 1;
    const leaves = [...frame.querySelectorAll(".leaf")];
    for (const leaf of leaves) {
      over(leaf);
      const said = (leaf.querySelector(".range").textContent.match(/\d+/g) || []).map(Number);
      // A field may go on beyond what is shown.
      const expected = said.length && Math.min(said.at(-1), last) - Math.max(said[0], first) + 1;
      const lit = bytes([...frame.querySelectorAll(".bytes .lit")]).length;
      if (lit !== expected || !leaf.classList.contains("lit")) wrong.push(leaf.textContent);
    }
    for (const cell of frame.querySelectorAll(".bytes [data-leaf]")) {
      over(cell);
      const lit = [...frame.querySelectorAll(".tree .lit")];
      if (lit.length !== 1 || lit[0] !== leaves[cell.dataset.leaf]) wrong.push(cell.title);
    }
    const all = bytes([...frame.querySelectorAll(".bytes")]).join("");
    return { title: frame.getAttribute("aria-label"), hex: all, leaves: leaves.length, wrong };
  });
"#;

fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    pairs.map(byte).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_both_dialects_and_directions_every_field_has_its_bytes_and_every_byte_its_field() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    for path in [CLASSIC, VSR] {
        let file = recording(path);
        let exchanges = inspected(&file);
        let viewed = Viewed::recording(path);
        // One exchange of each command, and a refused one.
        let mut seen = HashSet::new();
        let kinds = exchanges
            .iter()
            .filter(|one| seen.insert((one["command"].to_string(), one["status"] == 0)));
        let kinds: Vec<_> = kinds.map(number).collect();
        assert!(kinds.len() > 4, "{path}: {kinds:?}");
        for n in kinds {
            viewed.open(&browser, &format!("exchanges/{n}")).await;
            wait_for(&browser, ".frame").await;
            let frames = run(&browser, POINT_AT_EVERYTHING).await;
            let frames = frames.as_array().unwrap();
            assert_eq!(frames.len(), 2, "{path}, {n}");
            for frame in frames {
                assert_eq!(frame["wrong"], json!([]), "{path}, {n}, {}", frame["title"]);
                assert!(frame["leaves"].as_u64().unwrap() > 1);
                let bytes = unhex(frame["hex"].as_str().unwrap());
                // A login's password is masked, so its frame did not pass like that.
                let is_login = exchanges[usize::try_from(n).unwrap() - 1]["command"]
                    .as_str()
                    .unwrap()
                    .starts_with("login");
                if !is_login && bytes.len() < 1_000 {
                    assert!(
                        passes(&file, &bytes),
                        "{path}, {n}: the bytes that passed are others"
                    );
                }
            }
        }
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mouse_lights_up_a_fields_bytes_and_a_bytes_field() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let exchanges = inspected(&recording(CLASSIC));
    let poll = first(&exchanges, |one| one["command"] == "poll_messages");
    let viewed = Viewed::recording(CLASSIC);
    viewed
        .open(&browser, &format!("exchanges/{}", number(poll)))
        .await;
    let over = async |css: &str| {
        let element = wait_for(&browser, css).await;
        run(
            &browser,
            &format!("document.querySelector('{css}').scrollIntoView({{block: 'center'}})"),
        )
        .await;
        let actions = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveToElement {
            element,
            duration: None,
            x: 0.,
            y: 0.,
        });
        browser.client.perform_actions(actions).await.unwrap();
    };
    // The reply's current_offset: polls.out says 26 of the first poll.
    over("#reply .leaf[data-from=\"3\"]").await;
    let lit = text_of(&browser, "#reply .leaf.lit").await;
    assert!(lit.contains("current_offset 26"), "{lit}");
    let bytes = wait_for(&browser, "#reply .bytes .lit")
        .await
        .text()
        .await
        .unwrap();
    assert_eq!(bytes.split_whitespace().next(), Some("1a"), "{bytes}");
    over("#request .bytes [title=\"strategy\"]").await;
    let lit = text_of(&browser, "#request .leaf.lit").await;
    assert!(lit.contains("strategy 3 (first)"), "{lit}");
    browser.keep_looks("detail-frames").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_does_too_and_a_chosen_bytes_field_is_opened_and_brought_into_view() {
    let Some(browser) = Browser::start(1280, 800).await else {
        return;
    };
    let exchanges = inspected(&recording(CLASSIC));
    let poll = first(&exchanges, |one| {
        one["command"] == "poll_messages" && one["response"]["count"] == 5
    });
    let viewed = Viewed::recording(CLASSIC);
    viewed
        .open(&browser, &format!("exchanges/{}", number(poll)))
        .await;
    wait_for(&browser, "#reply .leaf").await;
    let active = async |key: Key| {
        let focused = browser.client.active_element().await.unwrap();
        focused.send_keys(&key.to_string()).await.unwrap();
        run(
            &browser,
            "const e = document.activeElement; return e.title || e.querySelector('.name').textContent.trim();",
        )
        .await
    };
    run(&browser, "document.querySelector('#reply .leaf').focus()").await;
    assert_eq!(active(Key::Down).await, "length");
    assert_eq!(active(Key::Down).await, "partition_id");
    assert_eq!(active(Key::Enter).await, "partition_id");
    let lit = text_of(&browser, "#reply .leaf.lit").await;
    assert!(lit.contains("partition_id 0"), "{lit}");
    assert_eq!(active(Key::Right).await, "current_offset");
    assert_eq!(active(Key::Left).await, "partition_id");
    assert_eq!(active(Key::Enter).await, "partition_id");
    let name = run(&browser, "return document.activeElement.className").await;
    assert!(
        name.as_str().unwrap().contains("leaf"),
        "back in the tree: {name}"
    );

    // All groups closed: the last byte's field is in one of them.
    run(
        &browser,
        "document.querySelectorAll('#reply details').forEach((group) => { group.open = false; })",
    )
    .await;
    run(
        &browser,
        "[...document.querySelectorAll('#reply .bytes [data-leaf]')].at(-1).focus()",
    )
    .await;
    let shown = run(
        &browser,
        "const leaf = document.querySelector('#reply .leaf.lit').getBoundingClientRect();
         const tree = document.querySelector('#reply .tree').getBoundingClientRect();
         return leaf.height > 0 && leaf.top >= tree.top && leaf.bottom <= tree.bottom + 1;",
    )
    .await;
    assert_eq!(shown, true, "opened, and within the tree's pane");
    // One Tab leads out of the tree, not through each of its fields.
    let stops = run(
        &browser,
        "return document.querySelectorAll('#reply .tree [tabindex=\"0\"], #reply .tree summary:not([tabindex=\"-1\"])').length",
    )
    .await;
    assert_eq!(stops, 1);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_frame_is_loaded_in_its_place_and_paged_to_its_end() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let path = "server-0.9-edge_sdk-0.11-edge/segments.pcap";
    let exchanges = inspected(&recording(path));
    let poll = first(&exchanges, |one| one["command"] == "poll_messages");
    let viewed = Viewed::recording(path);
    viewed
        .open(&browser, &format!("exchanges/{}", number(poll)))
        .await;
    run(&browser, "window.stays = true; return 0").await;
    let window = text_of(&browser, "#reply .window").await;
    assert!(window.starts_with("Bytes 0 to 4,095 of 200,"), "{window}");
    let press = async |words: &str, then: &str| {
        let link = Locator::XPath("//section[@id='reply']//a[contains(., 'WORDS')]");
        let Locator::XPath(xpath) = link else {
            unreachable!()
        };
        let xpath = xpath.replace("WORDS", words);
        let link = browser.client.find(Locator::XPath(&xpath)).await.unwrap();
        run(
            &browser,
            "document.querySelector('#reply').scrollIntoView()",
        )
        .await;
        link.click().await.unwrap();
        let loaded = format!("//p[contains(@class, 'window')][contains(., '{then}')]");
        let waited = browser.client.wait().at_most(PATIENCE);
        waited.for_element(Locator::XPath(&loaded)).await.unwrap();
    };
    press("load 65,536 at once", "0 to 65,535").await;
    press("next", "65,536 to 131,071").await;
    press("next", "131,072 to 196,607").await;
    press("next", "196,608 to").await;
    let last = run(&browser, POINT_AT_EVERYTHING).await;
    assert_eq!(
        last[1]["wrong"],
        json!([]),
        "the new bytes are linked with their fields"
    );
    assert_eq!(
        run(&browser, "return window.stays").await,
        true,
        "the page was not left"
    );

    // The payload of one message of 100,000 bytes.
    run(
        &browser,
        "document.querySelector('#messages details').open = true",
    )
    .await;
    let length = poll["response"]["messages"][0]["payload_length"]
        .as_u64()
        .unwrap();
    assert!(length > 65_536, "{length}");
    let hex = "#payload-0 .tabs a[href*=\"as=hex\"]";
    wait_for(&browser, hex).await.click().await.unwrap();
    wait_for(&browser, "#payload-0 [data-kind=\"bytes\"]").await;
    wait_for(&browser, "#payload-0 .window a")
        .await
        .click()
        .await
        .unwrap();
    let waited = browser.client.wait().at_most(PATIENCE);
    let second = Locator::XPath("//div[@id='payload-0']//*[contains(., '65,536 to 1')]");
    waited.for_element(second).await.unwrap();
    assert_eq!(
        run(&browser, "return window.stays").await,
        true,
        "the page was not left"
    );
    browser.keep_looks("detail-large").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payload_can_be_seen_in_every_form_and_taken_away_as_it_passed() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let exchanges = inspected(&recording(BROKEN));
    let poll = first(&exchanges, |one| {
        one["command"] == "poll_messages" && one["response"]["partition_id"] == 1
    });
    let n = number(poll);
    let viewed = Viewed::recording(BROKEN);
    viewed.open(&browser, &format!("exchanges/{n}")).await;
    wait_for(&browser, "#messages summary")
        .await
        .click()
        .await
        .unwrap();
    let payload = r#"{"seq":100,"text":"message 100"}"#;
    assert!(passes(&recording(BROKEN), payload.as_bytes()));
    let laid_out = text_of(&browser, "#payload-0 pre").await;
    assert_eq!(
        laid_out,
        "{\n  \"seq\": 100,\n  \"text\": \"message 100\"\n}"
    );
    let choose = async |form: &str, kind: &str| {
        let tab = format!("#payload-0 .tabs a[href*=\"as={form}\"]");
        wait_for(&browser, &tab).await.click().await.unwrap();
        text_of(&browser, &format!("#payload-0 pre[data-kind=\"{kind}\"]")).await
    };
    assert_eq!(choose("text", "text").await, payload);
    assert!(
        choose("hex", "bytes")
            .await
            .starts_with("0000  7b 22 73 65 71 22 3a 31 30 30")
    );
    let raw = viewed
        .page
        .get(&format!("/exchanges/{n}/messages/0/payload"))
        .await;
    let (head, body) = raw.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, payload);
    assert!(
        head.to_lowercase()
            .contains("content-disposition: attachment"),
        "{head}"
    );
    // Offset 2 has user headers: the SDK's example sends them with every other message.
    let with_headers = poll["response"]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .position(|message| {
            message["user_headers"]
                .as_array()
                .is_some_and(|headers| !headers.is_empty())
        });
    let place = with_headers.unwrap();
    let header = &poll["response"]["messages"][place]["user_headers"][0];
    viewed
        .open(&browser, &format!("exchanges/{n}/messages/{place}"))
        .await;
    let text = text_of(&browser, "main").await;
    let said = format!(
        "{} = {}",
        header["key"].as_str().unwrap(),
        header["value"].as_str().unwrap()
    );
    assert!(text.contains(&said), "{said}: {text}");
    browser.keep_looks("detail-payload").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_http_exchange_of_a_capture_has_the_same_care() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let exchanges = inspected(&recording(BROKEN));
    let refused = first(&exchanges, |one| {
        one["dialect"] == "http" && one["response"]["http_status"] == 400
    });
    let viewed = Viewed::recording(BROKEN);
    viewed
        .open(&browser, &format!("exchanges/{}", number(refused)))
        .await;
    let text = text_of(&browser, "main").await;
    let target = refused["request"]["target"].as_str().unwrap();
    assert!(text.contains(&format!("GET {target}")), "{text}");
    let body = text_of(&browser, "#body-response pre").await;
    assert!(body.contains("\n  \"id\": 4100,\n"), "{body}");
    let reason = refused["response"]["reason"].as_str().unwrap();
    assert!(body.contains(reason), "{body}");
    browser.keep_looks("detail-http").await;
    browser.close().await;
}

/// Which exchanges a way leads to.
type Wanted<'a> = &'a dyn Fn(&&Value) -> bool;

#[tokio::test(flavor = "multi_thread")]
async fn one_goes_on_along_the_connection_the_consumer_and_the_partition() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let exchanges = inspected(&recording(CLASSIC));
    let middle = exchanges.len() / 2;
    let from = exchanges[middle..]
        .iter()
        .find(|one| one["command"] == "poll_messages")
        .unwrap();
    let n = number(from);
    let viewed = Viewed::recording(CLASSIC);
    viewed.open(&browser, &format!("exchanges/{n}")).await;
    let same = |names: &'static [&'static str]| {
        move |one: &&Value| {
            names
                .iter()
                .all(|name| one["request"][name] == from["request"][name])
        }
    };
    let reader = same(&["consumer_kind", "consumer", "stream", "topic"]);
    let place = same(&["stream", "topic", "partition_id"]);
    let on = |one: &&Value| one["conn"] == from["conn"];
    let next = |wanted: &dyn Fn(&&Value) -> bool| {
        exchanges
            .iter()
            .filter(|one| number(one) > n)
            .find(wanted)
            .map(number)
    };
    let before = |wanted: &dyn Fn(&&Value) -> bool| {
        exchanges
            .iter()
            .filter(|one| number(one) < n)
            .rfind(wanted)
            .map(number)
    };
    let ways: [(&str, Wanted<'_>); 4] = [
        ("", &|_| true),
        ("-connection", &on),
        ("-consumer", &reader),
        ("-partition", &place),
    ];
    for (way, wanted) in ways {
        for (direction, expected) in [("prev", before(wanted)), ("next", next(wanted))] {
            let id = format!("#{direction}{way}");
            let text = text_of(&browser, &id).await;
            let shown = text
                .trim_matches(|c: char| !c.is_ascii_digit())
                .parse()
                .ok();
            assert_eq!(shown, expected, "{id}");
        }
    }
    let next = wait_for(&browser, "a[rel=\"next\"]").await;
    next.click().await.unwrap();
    let heading = format!("No. {}", n + 1);
    let there = Locator::XPath("//nav[contains(@class, 'neighbours')]//b");
    let waited = browser.client.wait().at_most(PATIENCE);
    assert_eq!(
        waited
            .for_element(there)
            .await
            .unwrap()
            .text()
            .await
            .unwrap(),
        heading
    );
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn times_are_those_of_the_api_drawn_and_in_a_table() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut viewed = Viewed::started(&["demo"]);
    viewed.program.line_with("PX501");
    let told = viewed
        .json("api/v1/exchanges?where=status%20%3D%3D%204100%20and%20verdict")
        .await;
    let one = &told["exchanges"].as_array().unwrap().last().unwrap();
    viewed
        .open(&browser, &format!("exchanges/{}", number(one)))
        .await;
    let table = text_of(&browser, "#timing table").await;
    let answers = one["comparison"]["answers"].as_array().unwrap();
    assert!(answers.len() > 1, "it is a probe");
    for answer in answers {
        for what in ["asked", "answered"] {
            let time = answer[what].as_str().unwrap();
            let clock = time[11..time.len().min(26)].trim_end_matches('Z');
            assert!(table.contains(clock), "{clock}: {table}");
        }
    }
    let bars = browser
        .client
        .find_all(Locator::Css("#timing rect.bar-http"))
        .await
        .unwrap();
    assert_eq!(bars.len(), answers.len());
    browser.keep_looks("detail-times").await;
    browser.close().await;
}
