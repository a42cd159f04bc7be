//! Every page there is: what must hold for all is shown of each.

use std::collections::BTreeSet;

use parallax_tests::PageAddress;

/// Pages to which no link leads: mistakes, and the way in.
const UNLINKED: [&str; 3] = ["exchanges?where=statu+%3D%3D+1", "sign-in", "nothing"];

/// Pages looked at before it is given up: more than there are kinds.
const MOST: usize = 60;

/// One address of each kind of page that links lead to from the overview, and those to
/// which none does. Numbers and names in a path do not make another kind; what is asked of
/// a page in its query does not either.
pub(crate) async fn every_page(page: &PageAddress) -> Vec<String> {
    let mut pages = vec![String::new()];
    pages.extend(UNLINKED.map(str::to_owned));
    let mut kinds: BTreeSet<_> = pages.iter().map(|path| kind(path)).collect();
    kinds.insert(kind("exchanges?"));
    pages.push("exchanges".to_owned());
    let mut at = 0;
    while let Some(path) = pages.get(at).cloned() {
        let response = page.get(&format!("/{path}")).await;
        if !response.contains("content-type: text/html") {
            pages.remove(at);
            continue;
        }
        for link in links(&response) {
            if kinds.insert(kind(&link)) {
                pages.push(link);
            }
        }
        at += 1;
        assert!(at < MOST, "there is no end of them: {pages:?}");
    }
    pages
}

/// The pages of ours that a page links to: no JSON, no download.
fn links(html: &str) -> impl Iterator<Item = String> {
    let targets = html.split("href=\"/").skip(1);
    let targets = targets.map(|rest| rest.split('"').next().unwrap_or_default());
    let targets = targets.map(|target| target.split('#').next().unwrap_or_default());
    let pages = targets.filter(|target| {
        let path = target.split('?').next().unwrap_or_default();
        !path.starts_with("api/")
            && !path.starts_with("static/")
            && !path.contains('.')
            && !path.ends_with("/payload")
    });
    pages.map(|page| page.replace("&amp;", "&"))
}

/// What of an address says which kind of page it is.
fn kind(page: &str) -> String {
    let (path, query) = page.split_once('?').unwrap_or((page, ""));
    if query.starts_with("where=") {
        return "mistake".to_owned();
    }
    let mut parts: Vec<_> = path.split('/').collect();
    if parts[0] == "partitions" && parts.len() > 3 {
        parts.splice(1..4, ["{place}"]);
    }
    let is_one_of_many = |part: &str| {
        part.starts_with("PX") || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = parts
        .iter()
        .map(|part| if is_one_of_many(part) { "{n}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}
