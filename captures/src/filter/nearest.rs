//! What somebody may have meant.

/// The name that is nearest to `word`, if one is near: a letter or two are
/// missing, too many or others.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + word.chars().count() / 4;
    let near = names.map(|name| (distance(word, name, allowed), name));
    let (distance, name) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= allowed).then_some(name)
}

/// Letters to insert, remove or replace (Levenshtein); more than `most` where
/// the lengths alone tell.
fn distance(one: &str, other: &str, most: usize) -> usize {
    let other: Vec<char> = other.chars().map(|c| c.to_ascii_lowercase()).collect();
    if one.chars().count().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, wanted) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(*wanted != letter);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
