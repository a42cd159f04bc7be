// The classic dialect: a status of 0, and the body's length.

const DIALECT: parallax_codec::Dialect = parallax_codec::Dialect::Classic;

const HEADER: usize = 8;

fn header() -> impl Strategy<Value = ()> {
    Just(())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as a header is given where there is one")]
fn framed((): &(), body: &[u8]) -> Bytes {
    let length = u32::try_from(body.len()).unwrap();
    [&[0; 4][..], &length.to_le_bytes(), body].concat().into()
}

fn assert_header(old: &[u8], new: &[u8], body: &[u8]) {
    assert_eq!(new[..4], old[..4], "the status");
    assert_eq!(new[4..], u32::try_from(body.len()).unwrap().to_le_bytes());
}
