//! The list: endless, by keys, filtered by its values, sorted, noted on, copied, saved.

use std::fs;
use std::process::Command;

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use parallax_tests::{Browser, imported, program};
use parallax_web::limits::{FILTERS_REMEMBERED, ROWS_SHOWN};
use serde_json::{Value, json};

use crate::long::{Long, until};
use crate::support::Viewed;

const RECORDING: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

async fn ask(browser: &Browser, script: &str) -> Value {
    let script = format!("return {script}");
    browser.client.execute(&script, Vec::new()).await.unwrap()
}

/// Presses keys, one after the other, wherever the focus is.
async fn press(browser: &Browser, keys: &str) {
    let mut actions = KeyActions::new("keys".to_owned());
    for value in keys.chars() {
        actions = actions.then(KeyAction::Down { value });
        actions = actions.then(KeyAction::Up { value });
    }
    browser.client.perform_actions(actions).await.unwrap();
}

/// `WebDriver`'s names of keys that are no characters.
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";
const TAB: &str = "\u{e004}";

/// The number of the selected row; null where there is none.
const SELECTED: &str = "Number(document.querySelector('#rows tr[aria-selected=true]')?.dataset.n)";
const FIRST: &str = "Number(document.querySelector('#rows tr')?.dataset.n)";
const LAST: &str = "Number(document.querySelector('#rows tr:last-child')?.dataset.n)";
const ON_A_ROW: &str = "document.activeElement.matches('tr[aria-selected=true]')";
const ROWS: &str = "document.querySelectorAll('#rows tr').length";

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_twenty_thousand_is_scrolled_in_a_document_that_stays_small() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let long = Long::recorded(21_000);
    let viewed = Viewed::started(&["view", long.path()]);
    viewed.open(&browser, "exchanges").await;
    until(&browser, &format!("{FIRST} === 21000 && {ROWS} === 100")).await;
    // Down, thirty pages of it.
    for page in 1..=30_u64 {
        ask(
            &browser,
            "window.scrollTo(0, document.documentElement.scrollHeight)",
        )
        .await;
        let reached = 21_000 - 100 * page;
        until(&browser, &format!("{LAST} <= {reached}")).await;
        let rows = ask(&browser, ROWS).await.as_u64().unwrap();
        assert!(rows <= ROWS_SHOWN as u64, "{rows} rows after {page} pages");
        let elements = ask(&browser, "document.querySelectorAll('*').length").await;
        assert!(elements.as_u64().unwrap() < 25_000, "{elements}");
    }
    let whole = "[...document.querySelectorAll('#rows tr')].every((row, at, all) => \
                 !at || Number(all[at - 1].dataset.n) === Number(row.dataset.n) + 1)";
    assert_eq!(ask(&browser, whole).await, true, "no row is missing");
    browser.keep_screenshot("exchanges-scrolled").await;
    // A row stays where it is while others come back above it.
    let held = ask(
        &browser,
        "(() => { const row = [...document.querySelectorAll('#rows tr')] \
        .find((row) => row.getBoundingClientRect().top > 300); window.kept = row; \
        scrollBy(0, -200); return row.getBoundingClientRect().top; })()",
    )
    .await;
    until(
        &browser,
        "document.documentElement.scrollHeight > 0 && window.kept.isConnected",
    )
    .await;
    let now = ask(&browser, "window.kept.getBoundingClientRect().top").await;
    let moved = now.as_f64().unwrap() - held.as_f64().unwrap();
    assert!(moved.abs() < 2.0, "{moved}");
    // To where the window was first, and to either end, by a key.
    ask(&browser, "window.scrollTo(0, 0)").await;
    until(&browser, &format!("{FIRST} === 21000")).await;
    press(&browser, "G").await;
    until(&browser, &format!("{LAST} === 1 && {SELECTED} === 1")).await;
    press(&browser, "k").await;
    until(&browser, &format!("{SELECTED} === 2")).await;
    press(&browser, "g").await;
    until(&browser, &format!("{FIRST} === 21000 && scrollY === 0")).await;
    until(&browser, &format!("{SELECTED} === 21000 && {ON_A_ROW}")).await;
    // The row with the focus is taken out: the focus stays in the list.
    for _ in 0..8 {
        let last = ask(&browser, LAST).await;
        ask(
            &browser,
            "scrollTo(0, document.documentElement.scrollHeight)",
        )
        .await;
        until(&browser, &format!("{LAST} < {last}")).await;
    }
    let gone = "!document.getElementById('x21000') && document.activeElement.matches('table, tr')";
    until(&browser, gone).await;
    stays_where_one_has_scrolled_on(&browser).await;
    // What no figure is kept of is counted behind the page.
    viewed.open(&browser, "exchanges?where=n+%3E+5").await;
    let counted = "document.getElementById('matching').textContent";
    until(
        &browser,
        &format!("{counted} === '20,000 of the latest 20,000 match, '"),
    )
    .await;
    // A row by its address.
    viewed.open(&browser, "exchanges#x12345").await;
    until(
        &browser,
        "document.getElementById('x12345')?.getBoundingClientRect().top > 0",
    )
    .await;
    // Sorted, over all of it.
    viewed.open(&browser, "exchanges?sort=latency").await;
    until(&browser, &format!("{ROWS} >= 100")).await;
    for _ in 0..8 {
        let last = ask(&browser, LAST).await;
        ask(
            &browser,
            "window.scrollTo(0, document.documentElement.scrollHeight)",
        )
        .await;
        until(&browser, &format!("{LAST} !== {last}")).await;
    }
    assert!(ask(&browser, ROWS).await.as_u64().unwrap() <= ROWS_SHOWN as u64);
    browser.keep_screenshot("exchanges-slowest").await;
    browser.close().await;
}

/// The first rows are asked for, and come when one is elsewhere again.
async fn stays_where_one_has_scrolled_on(browser: &Browser) {
    let slow = "(() => { window.real = window.fetch; window.waiting = []; window.fetch = (...asked) => \
        new Promise((done) => waiting.push(() => done(real(...asked)))); })()";
    ask(browser, slow).await;
    press(browser, "g").await;
    until(browser, "waiting.some((one) => one)").await;
    ask(browser, "scrollBy(0, 2 * innerHeight)").await;
    ask(
        browser,
        "(() => { window.fetch = real; waiting.forEach((go) => go()); })()",
    )
    .await;
    // Keys wait for their turn: this one is after the rows.
    press(browser, "j").await;
    until(browser, &format!("{SELECTED} < 20950 && {ON_A_ROW}")).await;
    assert!(ask(browser, "scrollY").await.as_f64().unwrap() > 1_000.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_is_opened_and_left_within_the_list() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    let list = "exchanges?where=status+%3D%3D+4100";
    viewed.open(&browser, list).await;
    until(&browser, "document.querySelector('button.more')").await;
    let second = "Number(document.querySelectorAll('#rows tr')[1].dataset.n)";
    let second = ask(&browser, second).await.as_u64().unwrap();
    press(&browser, &format!("j{ENTER}")).await;
    let opened = "location.pathname.startsWith('/exchanges/') && document.getElementById('list')";
    until(&browser, opened).await;
    browser.keep_looks("exchange-in-list").await;
    press(&browser, "j").await;
    let there =
        format!("location.pathname === '/exchanges/{second}' && document.getElementById('list')");
    until(&browser, &there).await;
    press(&browser, "q").await;
    let back = format!(
        "location.pathname === '/exchanges' && location.hash === '#x{second}' && \
         document.getElementById('where').value === 'status == 4100'"
    );
    until(&browser, &back).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_worked_by_keys_which_can_be_turned_off() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "exchanges").await;
    until(&browser, &format!("{ROWS} > 10")).await;
    let first = ask(&browser, FIRST).await.as_u64().unwrap();
    let selected = |n: u64| format!("{SELECTED} === {n}");
    press(&browser, "j").await;
    until(&browser, &selected(first)).await;
    press(&browser, &format!("j{DOWN}")).await;
    until(&browser, &selected(first - 2)).await;
    let focused = "document.activeElement.matches('tr[tabindex=\"0\"]')";
    assert_eq!(ask(&browser, focused).await, true, "it has the focus");
    let one = "document.querySelectorAll('#rows tr[tabindex=\"0\"]').length === 1";
    assert_eq!(ask(&browser, one).await, true, "one row is reached by Tab");
    press(&browser, "k").await;
    until(&browser, &selected(first - 1)).await;
    press(&browser, "G").await;
    until(&browser, &selected(1)).await;
    press(&browser, "p").await;
    until(
        &browser,
        "!document.querySelector('tr[aria-selected=true]').matches('.r-well')",
    )
    .await;
    press(&browser, "n").await;
    // Enter opens, q leads back to the same row.
    press(&browser, "G").await;
    until(&browser, &selected(1)).await;
    press(&browser, &format!("k{ENTER}")).await;
    until(
        &browser,
        "location.pathname === '/exchanges/2' && document.getElementById('keys')",
    )
    .await;
    press(&browser, "k").await;
    until(
        &browser,
        "location.pathname === '/exchanges/3' && document.getElementById('keys')",
    )
    .await;
    press(&browser, "q").await;
    until(
        &browser,
        "location.pathname === '/exchanges' && location.hash === '#x3'",
    )
    .await;
    until(&browser, "document.getElementById('x3')").await;
    // The filter, the files, the help.
    press(&browser, "f").await;
    until(&browser, "document.activeElement.id === 'where'").await;
    press(&browser, "jjj?").await;
    assert_eq!(
        ask(&browser, "document.getElementById('where').value").await,
        "jjj?"
    );
    press(&browser, ESCAPE).await;
    press(&browser, ESCAPE).await;
    until(&browser, "document.activeElement.id !== 'where'").await;
    press(&browser, "w").await;
    until(
        &browser,
        "document.activeElement.href?.includes('/exchanges.pcapng')",
    )
    .await;
    // Escape closes it, and returns to the row where there is one.
    press(&browser, ESCAPE).await;
    let closed = "!document.getElementById('save').open";
    until(
        &browser,
        &format!(
            "{closed} && document.activeElement.matches('#save summary, tr[aria-selected=true]')"
        ),
    )
    .await;
    press(&browser, "j").await;
    until(&browser, ON_A_ROW).await;
    press(&browser, "w").await;
    until(&browser, "document.activeElement.closest('#save')").await;
    press(&browser, ESCAPE).await;
    until(&browser, &format!("{closed} && {ON_A_ROW}")).await;
    press(&browser, "?").await;
    until(&browser, "document.getElementById('keys').open").await;
    browser.keep_looks("exchanges-keys").await;
    // Single characters are turned off, the arrows are not.
    ask(&browser, "document.getElementById('keys-on').click()").await;
    press(&browser, ESCAPE).await;
    viewed.open(&browser, "exchanges").await;
    until(
        &browser,
        &format!("{ROWS} > 10 && document.querySelector('button.more')"),
    )
    .await;
    press(&browser, "j").await;
    press(&browser, DOWN).await;
    until(&browser, &selected(first)).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_is_completed_remembered_and_made_of_values() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "exchanges").await;
    until(&browser, &format!("{ROWS} > 10")).await;
    press(&browser, "fstrat").await;
    until(
        &browser,
        "document.getElementById('where').getAttribute('aria-expanded') === 'true'",
    )
    .await;
    press(&browser, DOWN).await;
    let pointed = "document.getElementById(document.getElementById('where') \
                   .getAttribute('aria-activedescendant'))?.dataset.text === 'strategy'";
    until(&browser, pointed).await;
    browser.keep_screenshot("exchanges-completion").await;
    press(&browser, ENTER).await;
    until(
        &browser,
        "document.getElementById('where').value === 'strategy '",
    )
    .await;
    press(&browser, "==").await;
    press(&browser, " ne").await;
    until(
        &browser,
        "document.querySelector('#where-list li')?.dataset.text === 'strategy == next'",
    )
    .await;
    press(&browser, TAB).await;
    until(
        &browser,
        "document.getElementById('where').value === 'strategy == next '",
    )
    .await;
    press(&browser, ESCAPE).await;
    press(&browser, ENTER).await;
    until(&browser, "location.search.includes('where=strategy')").await;
    // What was asked is offered again, and no more than so many.
    let many = "localStorage.setItem('parallax.filters', JSON.stringify( \
        Array.from({ length: 50 }, (_, at) => `conn == ${at}`)))";
    ask(&browser, many).await;
    viewed
        .open(&browser, "exchanges?where=status+%3D%3D+4100")
        .await;
    let remembered = format!(
        "(() => {{ const all = JSON.parse(localStorage.getItem('parallax.filters')); \
         return all.length === {FILTERS_REMEMBERED} && all[0] === 'status == 4100'; }})()"
    );
    until(&browser, &remembered).await;
    viewed.open(&browser, "exchanges").await;
    until(
        &browser,
        &format!("{ROWS} > 10 && document.querySelector('button.more')"),
    )
    .await;
    press(&browser, "f").await;
    until(
        &browser,
        "document.querySelector('#where-list li')?.dataset.text === 'status == 4100'",
    )
    .await;
    press(&browser, ESCAPE).await;
    press(&browser, ESCAPE).await;
    // A value is a link; with Alt, what is without it; both are in the menu of the row.
    let failed = "[...document.querySelectorAll('.c-status a.only')] \
                  .find((one) => one.title === 'Only status == 4100')";
    ask(&browser, &format!("({failed}).click()")).await;
    until(
        &browser,
        "document.getElementById('where').value === 'status == 4100'",
    )
    .await;
    viewed.open(&browser, "exchanges").await;
    until(
        &browser,
        &format!("{ROWS} > 10 && document.querySelector('button.more')"),
    )
    .await;
    let alt =
        "dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, altKey: true }))";
    ask(&browser, &format!("({failed}).{alt}")).await;
    until(
        &browser,
        "document.getElementById('where').value === 'not status == 4100'",
    )
    .await;
    until(&browser, "document.querySelector('button.more')").await;
    press(&browser, "j=").await;
    until(&browser, "document.querySelector('dialog.menu').open").await;
    let beside = "Math.abs(document.querySelector('dialog.menu').getBoundingClientRect().top - \
                  document.querySelector('tr[aria-selected]').getBoundingClientRect().bottom) < 2";
    assert_eq!(ask(&browser, beside).await, true, "it is at its row");
    browser.keep_looks("exchanges-menu").await;
    let chosen = "[...document.querySelectorAll('dialog.menu a')] \
                  .find((one) => one.ariaLabel?.startsWith('Only command =='))";
    let lines = "document.querySelectorAll('dialog.menu .line').length";
    let lines = ask(&browser, lines).await.as_u64().unwrap();
    assert!((4..=12).contains(&lines), "{lines} lines");
    ask(&browser, &format!("{chosen}.click()")).await;
    until(&browser, "location.search.includes('command=')").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_is_marked_and_commented_on_and_saved_with_it() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "exchanges").await;
    until(
        &browser,
        &format!("{ROWS} > 10 && document.querySelector('button.more')"),
    )
    .await;
    press(&browser, "jj").await;
    until(&browser, &format!("{SELECTED} > 0")).await;
    let n = ask(&browser, SELECTED).await.as_u64().unwrap();
    press(&browser, "m").await;
    until(
        &browser,
        &format!("document.querySelector('#x{n}[data-marked] .marked')"),
    )
    .await;
    press(&browser, "c").await;
    until(&browser, "document.activeElement.id === 'comment-text'").await;
    press(&browser, &format!("why this?{ENTER}")).await;
    until(
        &browser,
        &format!("document.getElementById('x{n}').dataset.comment === 'why this?'"),
    )
    .await;
    browser.keep_looks("exchanges-marked").await;
    viewed.open(&browser, "exchanges?where=marked").await;
    until(&browser, &format!("{ROWS} === 1 && {FIRST} === {n}")).await;
    // By hand on its own page: the plain form.
    viewed.open(&browser, &format!("exchanges/{n}")).await;
    until(
        &browser,
        "document.getElementById('comment').value === 'why this?'",
    )
    .await;
    ask(
        &browser,
        "document.getElementById('comment').value = 'because'",
    )
    .await;
    ask(&browser, "document.querySelector('#note button').click()").await;
    until(
        &browser,
        "location.hash === '#note' && document.getElementById('comment').value === 'because'",
    )
    .await;
    let said = ask(&browser, "document.querySelector('.noted').innerText").await;
    assert!(
        said.as_str()
            .unwrap()
            .contains("the file is not written to"),
        "{said}"
    );
    // The file that the page makes has it, and parallax reads it back.
    let response = viewed.page.get("/exchanges.jsonl?where=marked").await;
    assert!(response.contains("\"comment\":\"because\""), "{response}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_is_copied_and_its_command_works_where_it_is_pasted() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let file = imported("broken-segment_server-0.8.0/group-next-4100.pcapng");
    let folder = file.parent().unwrap().to_owned();
    for name in [RECORDING.to_owned(), file.display().to_string()] {
        let viewed = if name == RECORDING {
            Viewed::recording(&name)
        } else {
            Viewed::started(&["view", &name])
        };
        let permissions = json!({
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
            "origin": format!("http://{}", viewed.page.socket),
        });
        browser
            .devtools("Browser.grantPermissions", permissions)
            .await;
        viewed
            .open(
                &browser,
                "exchanges?where=status+%3D%3D+4100+and+dialect+%3D%3D+classic",
            )
            .await;
        until(&browser, "document.querySelector('button.more')").await;
        let copied = async |what: &str| {
            press(&browser, "j=").await;
            until(&browser, "document.querySelector('dialog.menu').open").await;
            let item = format!(
                "[...document.querySelectorAll('dialog.menu button')] \
                 .find((one) => one.textContent === '{what}').click()"
            );
            ask(&browser, &item).await;
            until(
                &browser,
                "document.querySelector('.said')?.textContent.endsWith('copied')",
            )
            .await;
            ask(&browser, "document.querySelector('.said').textContent = ''").await;
            let script = "const done = arguments[0]; navigator.clipboard.readText().then(done)";
            let text = browser
                .client
                .execute_async(script, Vec::new())
                .await
                .unwrap();
            press(&browser, ESCAPE).await;
            text.as_str().unwrap().to_owned()
        };
        let command = copied("Copy the inspect command").await;
        let n: u64 = command
            .split("n == ")
            .nth(1)
            .unwrap()
            .split('\'')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let mut shell = Command::new("sh");
        let paths = std::env::var("PATH").unwrap();
        let own = program().parent().unwrap().display();
        let ran = shell
            .args(["-c", &command])
            .env("PATH", format!("{own}:{paths}"));
        let ran = ran.current_dir(&folder).output().unwrap();
        let told = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            told.contains("4100 invalid_offset"),
            "{command}: {told}{ran:?}"
        );
        let shown: Value = copied("Copy as JSON").await.parse().unwrap();
        assert!(shown["n"].as_u64().unwrap() <= n && shown["status"] == 4100);
        let hex = copied("Copy as hex").await;
        assert!(
            hex.contains("reply, 8 bytes\n00000000  04 10 00 00 00 00 00 00"),
            "{hex}"
        );
        let link = copied("Copy a link to the row").await;
        assert!(
            link.contains("/exchanges?where=") && link.contains("#x"),
            "{link}"
        );
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_filtered_is_saved_and_read_back() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    let folder = std::env::temp_dir().join(format!("parallax-saved-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let behaviour = json!({ "behavior": "allow", "downloadPath": folder.to_str().unwrap() });
    browser
        .devtools("Browser.setDownloadBehavior", behaviour)
        .await;
    viewed
        .open(&browser, "exchanges?where=status+%3D%3D+4100")
        .await;
    until(&browser, "document.querySelector('button.more')").await;
    let count = ask(&browser, ROWS).await.as_u64().unwrap();
    ask(&browser, "document.getElementById('save').open = true").await;
    browser.keep_screenshot("exchanges-save").await;
    ask(&browser, "document.querySelector('#save a').click()").await;
    let file = folder.join("parallax-exchanges.pcapng");
    let begun = std::time::Instant::now();
    while !file.exists() {
        assert!(
            begun.elapsed() < crate::support::PATIENCE,
            "nothing is saved"
        );
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let read = parallax_tests::parallax(&["inspect", "--json", file.to_str().unwrap()]);
    let lines = String::from_utf8(read.stdout).unwrap();
    assert_eq!(lines.lines().count() as u64, count, "{lines}");
    assert!(lines.lines().all(|line| line.contains("\"status\":4100")));
    fs::remove_dir_all(&folder).unwrap();
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_list_follows_holds_still_and_says_how_many_have_come() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::started(&["demo"]);
    viewed.open(&browser, "exchanges").await;
    until(
        &browser,
        &format!("{ROWS} > 5 && document.getElementById('live').textContent === 'live'"),
    )
    .await;
    let first = ask(&browser, FIRST).await.as_u64().unwrap();
    until(&browser, &format!("{FIRST} > {}", first + 2)).await;
    // Held: nothing moves, and what has come is counted.
    press(&browser, "F").await;
    until(
        &browser,
        "document.getElementById('live').textContent === 'held'",
    )
    .await;
    let held = ask(&browser, FIRST).await;
    until(
        &browser,
        "/[0-9]+\\+? newer/.test(document.getElementById('newer').textContent)",
    )
    .await;
    assert_eq!(ask(&browser, FIRST).await, held);
    browser.keep_screenshot("exchanges-held").await;
    press(&browser, "F").await;
    until(
        &browser,
        &format!("{FIRST} > {held} && document.getElementById('newer').hidden"),
    )
    .await;
    // A selected row stays where it is until it is let go.
    press(&browser, "j").await;
    until(&browser, &format!("{SELECTED} > 0")).await;
    let before = ask(&browser, FIRST).await;
    until(&browser, "!document.getElementById('newer').hidden").await;
    assert_eq!(ask(&browser, FIRST).await, before);
    press(&browser, ESCAPE).await;
    until(&browser, &format!("{FIRST} > {before}")).await;
    // Scrolled away it does not follow: then it does by the same key, from its newest.
    let says = |state: &str, does: &str| {
        format!(
            "document.getElementById('live').textContent === '{state}' && \
             document.getElementById('hold').textContent === '{does}'"
        )
    };
    browser.look(1280, 300, false).await;
    until(&browser, &format!("{ROWS} > 30")).await;
    until(&browser, &says("live", "Hold")).await;
    ask(&browser, "scrollTo(0, 600)").await;
    until(&browser, &says("paused", "Follow")).await;
    press(&browser, "F").await;
    until(
        &browser,
        &format!("{} && scrollY === 0", says("live", "Hold")),
    )
    .await;
    press(&browser, "j").await;
    until(&browser, &says("paused", "Follow")).await;
    press(&browser, "F").await;
    until(&browser, &says("live", "Hold")).await;
    let before = ask(&browser, "document.getElementById('matching').textContent").await;
    let more = format!(
        "document.getElementById('matching').textContent !== '{}'",
        before.as_str().unwrap()
    );
    until(&browser, &more).await;
    press(&browser, "F").await;
    until(&browser, &says("held", "Follow")).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn order_and_columns_are_in_the_address_and_nothing_is_wider_than_the_window() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording(RECORDING);
    viewed.open(&browser, "exchanges").await;
    until(&browser, &format!("{ROWS} > 10")).await;
    ask(&browser, "[...document.querySelectorAll('thead a')].find((one) => one.textContent.startsWith('Latency')).click()").await;
    until(&browser, "location.search === '?sort=latency'").await;
    until(
        &browser,
        "document.querySelector('th[aria-sort=descending]')?.textContent.startsWith('Latency')",
    )
    .await;
    ask(&browser, "document.querySelector('.tool').open = true").await;
    ask(
        &browser,
        "document.querySelector('.columns input[value=size]').click()",
    )
    .await;
    ask(
        &browser,
        "document.querySelector('.columns button').click()",
    )
    .await;
    until(
        &browser,
        "location.search.includes('columns=size') || location.search.includes('columns=time')",
    )
    .await;
    until(
        &browser,
        "[...document.querySelectorAll('th')].some((one) => one.textContent.startsWith('Bytes'))",
    )
    .await;
    assert_eq!(
        ask(&browser, "location.search.includes('sort=latency')").await,
        true
    );
    browser.keep_looks("exchanges").await;
    for width in [1280, 420] {
        browser.look(width, 1000, false).await;
        let wide = ask(
            &browser,
            "document.documentElement.scrollWidth > innerWidth",
        )
        .await;
        assert_eq!(wide, false, "{width}");
    }
    browser.close().await;
}
