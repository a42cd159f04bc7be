// The VSR dialect: 256 bytes of header, with sums or without, and the replies that say
// where to poll.

use iggy_binary_protocol::consensus::frame_checksum_bytes;
use iggy_binary_protocol::requests::system::AttachConsumerSessionRequest;
use iggy_binary_protocol::responses::messages::PollRoutingResponse;

const DIALECT: parallax_codec::Dialect = parallax_codec::Dialect::Vsr;

const HEADER: usize = 256;

/// Where a header has the sum of itself, that of the body, the size and the command.
const SUM: std::ops::Range<usize> = 0..16;
const BODY_SUM: std::ops::Range<usize> = 16..32;
const SIZE: std::ops::Range<usize> = 48..52;
const COMMAND: usize = 60;
const REPLY: u8 = 8;

/// A reply's header before it is sealed, and whether it is.
#[derive(Debug, Clone)]
struct Header {
    bytes: Vec<u8>,
    is_sealed: bool,
}

fn header() -> impl Strategy<Value = Header> {
    let bytes = proptest::collection::vec(any::<u8>(), HEADER);
    (bytes, any::<bool>()).prop_map(|(bytes, is_sealed)| Header { bytes, is_sealed })
}

fn framed(header: &Header, body: &[u8]) -> Bytes {
    let mut bytes: [u8; HEADER] = header.bytes.clone().try_into().unwrap();
    bytes[SUM.start..BODY_SUM.end].fill(0);
    bytes[SIZE].copy_from_slice(&u32::try_from(HEADER + body.len()).unwrap().to_le_bytes());
    bytes[COMMAND] = REPLY;
    if header.is_sealed {
        bytes[BODY_SUM].copy_from_slice(&body_sum(body));
        let sum = frame_checksum_bytes(&bytes);
        bytes[SUM].copy_from_slice(&sum.to_le_bytes());
    }
    [&bytes[..], body].concat().into()
}

/// As server 0.9.0-edge.5 seals a body: XXH3-64, in 128 bits.
fn body_sum(body: &[u8]) -> [u8; 16] {
    u128::from(twox_hash::XxHash3_64::oneshot(body)).to_le_bytes()
}

fn assert_header(old: &[u8], new: &[u8], body: &[u8]) {
    let mut expected: [u8; HEADER] = old.try_into().unwrap();
    let size = u32::try_from(HEADER + body.len()).unwrap();
    expected[SIZE].copy_from_slice(&size.to_le_bytes());
    if old[BODY_SUM] != [0; 16] {
        expected[BODY_SUM].copy_from_slice(&body_sum(body));
        let sum = frame_checksum_bytes(&expected);
        expected[SUM].copy_from_slice(&sum.to_le_bytes());
    }
    assert_eq!(new, expected);
}

proptest! {
    #[test]
    fn of_where_to_poll_the_primarys_host_and_tcp_port_change_and_nothing_else(
        session in any::<(u128, u64, u64)>(),
        node in crate::node(),
        header in header(),
        command in prop_oneof![
            Just(code::GET_POLL_ROUTING),
            Just(code::GET_CONSUMER_OFFSET_ROUTING),
        ],
    ) {
        let routing = PollRoutingResponse {
            consumer_session: AttachConsumerSessionRequest {
                client_id: session.0,
                session: session.1,
                metadata_watermark: session.2,
            },
            primary: written(&node),
        };
        let frame = framed(&header, &routing.to_bytes());
        let rewritten = rewrite(DIALECT, command, &frame, &listeners(), reached()).unwrap();
        let (new_header, new_body) = split(&rewritten.frame, HEADER);
        let reading = PollRoutingResponse::decode_from(new_body).unwrap();
        prop_assert_eq!(reading.consumer_session, routing.consumer_session);
        prop_assert_eq!(read(&reading.primary), told(&node));
        assert_header(split(&frame, HEADER).0, new_header, new_body);
    }
}
