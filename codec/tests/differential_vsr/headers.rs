use iggy_binary_protocol::consensus::{
    Command as TheirCommand, ConsensusHeader as _, EvictionHeader as TheirEviction,
    EvictionReason as TheirReason, Operation as TheirOperation, ReplyHeader as TheirReply,
    RequestHeader as TheirRequest,
};
use parallax_codec::vsr::{
    Command, EvictionHeader, EvictionReason, HEADER_SIZE, Operation, Prelude, ProtocolVersion,
    ReplyHeader, RequestHeader, ResultSection, Status, StatusLayout,
};
use parallax_codec::{Checksum, Encode as _};
use proptest::prelude::*;

/// Their headers are read where they stand, which has to be aligned.
#[repr(C, align(16))]
struct Aligned([u8; HEADER_SIZE]);

fn array(bytes: &[u8]) -> [u8; HEADER_SIZE] {
    bytes.try_into().unwrap()
}

const OPERATIONS: [TheirOperation; 6] = [
    TheirOperation::Register,
    TheirOperation::NonReplicated,
    TheirOperation::CreateTopicWithAssignments,
    TheirOperation::CreateStream,
    TheirOperation::SendMessages,
    TheirOperation::StoreConsumerOffset,
];

proptest! {
    #[test]
    fn a_requests_header_is_theirs(
        size in 256..u32::MAX,
        words in any::<(u32, u32, u8)>(),
        wide in any::<(u128, u128, u128, u128, u128)>(),
        numbers in any::<(u64, u64, u64, u32, u32)>(),
        operation in proptest::sample::select(&OPERATIONS[..]),
    ) {
        let mut numbers = numbers;
        if numbers.4 == 0 {
            // Only servers fill in the user; without a code it would be a session.
            numbers.3 = 0;
        }
        let mut reserved = [0; 60];
        reserved[..4].copy_from_slice(&numbers.4.to_le_bytes());
        let theirs = TheirRequest {
            checksum: wide.0,
            checksum_body: wide.1,
            cluster: wide.2,
            size,
            view: words.0,
            release: words.1,
            command: TheirCommand::Request,
            replica: words.2,
            client: wide.3,
            request_checksum: wide.4,
            timestamp: numbers.0,
            request: numbers.1,
            operation,
            session: numbers.2,
            user_id: numbers.3,
            reserved,
            ..TheirRequest::default()
        };
        let ours = RequestHeader {
            prelude: Prelude {
                checksum: wide.0,
                checksum_body: wide.1,
                cluster: wide.2,
                size,
                view: words.0,
                release: words.1,
                command: Command::REQUEST,
                replica: words.2,
                reserved: [0; 66],
            },
            client: wide.3,
            request_checksum: wide.4,
            timestamp: numbers.0,
            request: numbers.1,
            operation: Operation(operation as u8),
            operation_padding: [0; 7],
            namespace: None,
            session: numbers.2,
            user_id: numbers.3,
            code: numbers.4,
            reserved: [0; 56],
        };
        let bytes = array(bytemuck::bytes_of(&theirs));
        prop_assert_eq!(RequestHeader::of(&bytes), ours);
        let encoded = Aligned(array(&ours.encode()));
        prop_assert_eq!(encoded.0, bytes);
        let read = bytemuck::checked::try_from_bytes::<TheirRequest>(&encoded.0).unwrap();
        prop_assert_eq!(read.request, numbers.1);
        prop_assert_eq!(read.operation(), operation);
    }

    #[test]
    fn a_replys_header_is_theirs(
        size in 256..u32::MAX,
        cluster: u128,
        wide in any::<(u128, u128, u128)>(),
        numbers in any::<(u64, u64, u64, u64)>(),
        operation in proptest::sample::select(&OPERATIONS[..]),
        status: u32,
    ) {
        let theirs = TheirReply {
            cluster,
            size,
            command: TheirCommand::Reply,
            request_checksum: wide.0,
            context: wide.1,
            client: wide.2,
            op: numbers.0,
            commit: numbers.1,
            timestamp: numbers.2,
            request: numbers.3,
            operation,
            status,
            ..TheirReply::default()
        };
        let bytes = array(bytemuck::bytes_of(&theirs));
        let ours = ReplyHeader::of(&bytes);
        prop_assert_eq!(ours.prelude.cluster, cluster);
        prop_assert_eq!(ours.prelude.size, size);
        prop_assert_eq!(ours.prelude.command, Command::REPLY);
        prop_assert_eq!((ours.request_checksum, ours.context, ours.client), wide);
        prop_assert_eq!((ours.op, ours.commit, ours.timestamp, ours.request), numbers);
        prop_assert_eq!(ours.operation, Operation(operation as u8));
        let known = Some(StatusLayout::At216);
        let told = Status::Told { code: status, layout: known };
        prop_assert_eq!(ours.status(0, known), told);
        let encoded = Aligned(array(&ours.encode()));
        prop_assert_eq!(encoded.0, bytes);
        let read = bytemuck::checked::try_from_bytes::<TheirReply>(&encoded.0).unwrap();
        prop_assert_eq!(read.status, status);
    }

    #[test]
    fn an_eviction_is_theirs(client in 1..u128::MAX, view: u32, window in any::<(u32, u32)>()) {
        let theirs =
            TheirEviction::incompatible_protocol(7, view, 3, client, window.0, window.1);
        let bytes = array(bytemuck::bytes_of(&theirs));
        let ours = EvictionHeader::of(&bytes);
        prop_assert_eq!(ours.client, client);
        let accepted = (ProtocolVersion(window.1), ProtocolVersion(window.0));
        prop_assert_eq!(ours.accepted_versions(), Some(accepted));
        prop_assert_eq!(ours.encode(), bytes.as_slice());
        let theirs = TheirEviction::new(0, 0, 0, client, TheirReason::StaleClient);
        let ours = EvictionHeader::new(client, EvictionReason::STALE_CLIENT);
        prop_assert_eq!(ours.encode(), bytemuck::bytes_of(&theirs));
        let encoded = Aligned(array(&ours.encode()));
        let read = bytemuck::checked::try_from_bytes::<TheirEviction>(&encoded.0).unwrap();
        prop_assert!(read.validate().is_ok());
    }

    #[test]
    fn a_sealed_header_is_what_their_checksum_says(bytes in prop::array::uniform32(any::<u8>())) {
        let mut header = [0; HEADER_SIZE];
        header[64..96].copy_from_slice(&bytes);
        let sum = iggy_binary_protocol::consensus::frame_checksum_bytes(&header);
        prop_assert_eq!(Prelude::checksum_of(&header), Checksum::Absent);
        header[..16].copy_from_slice(&sum.to_le_bytes());
        prop_assert_eq!(Prelude::checksum_of(&header), Checksum::Right);
        header[100] ^= 1;
        let is_wrong = matches!(Prelude::checksum_of(&header), Checksum::Wrong { .. });
        prop_assert!(is_wrong);
    }

    #[test]
    fn a_result_section_is_theirs(body in proptest::collection::vec(0..3_u8, 0..40)) {
        use iggy_binary_protocol::consensus::{result_code, result_section_len};
        let body = bytes::Bytes::from(body);
        let ours = ResultSection::split(Operation(128), &body);
        match result_section_len(&body) {
            None => prop_assert!(ours.is_err()),
            Some(length) => {
                let (section, payload) = ours.unwrap();
                prop_assert_eq!(&payload, &body[length..]);
                let section = section.unwrap();
                prop_assert_eq!(section.error().unwrap_or(0), result_code(&body).unwrap());
                prop_assert_eq!(section.encode(), &body[..length]);
            }
        }
    }
}

#[test]
fn every_command_and_reason_they_have_is_ours_by_name() {
    for number in 0..=u8::MAX {
        let known = bytemuck::checked::try_cast::<u8, TheirCommand>(number);
        let ours = Command(number).name();
        let theirs = known.map_or("unknown".to_owned(), |command| name_of(&command));
        assert_eq!(ours, theirs, "{number}");
        let known = bytemuck::checked::try_cast::<u8, TheirReason>(number);
        let ours = EvictionReason(number).name();
        let theirs = known.map_or("unknown".to_owned(), |reason| name_of(&reason));
        assert_eq!(ours, theirs, "{number}");
    }
}

fn name_of(variant: &impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
