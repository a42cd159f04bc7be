use iggy_binary_protocol::requests::streams::{
    CreateStreamRequest, DeleteStreamRequest, GetStreamRequest, GetStreamsRequest,
    PurgeStreamRequest, UpdateStreamRequest,
};
use iggy_binary_protocol::responses::streams::{
    GetStreamResponse, GetStreamsResponse, StreamResponse,
};
use parallax_codec::commands::{CreateStream, Stream, StreamDetails, StreamRef, UpdateStream};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::options::{options, wire_options};
use crate::support::{
    assert_same_reply, assert_same_request, identifier, name, wire_identifier, wire_name,
};
use crate::topics::{topic, wire_topic};

fn stream() -> impl Strategy<Value = Stream> {
    (any::<(u32, u64, u32, u64, u64)>(), name(), options()).prop_map(|(numbers, name, options)| {
        Stream {
            id: numbers.0,
            created_at: numbers.1,
            topics_count: numbers.2,
            size_bytes: numbers.3,
            messages_count: numbers.4,
            name,
            options: Some(options),
        }
    })
}

fn wire_stream(stream: &Stream) -> StreamResponse {
    StreamResponse {
        id: stream.id,
        created_at: stream.created_at,
        topics_count: stream.topics_count,
        size_bytes: stream.size_bytes,
        messages_count: stream.messages_count,
        name: wire_name(&stream.name),
        options: wire_options(stream.options.as_ref().unwrap()),
    }
}

proptest! {
    #[test]
    fn requests_about_streams_are_theirs(
        stream in identifier(),
        name in name(),
        options in options(),
    ) {
        let stream_id = wire_identifier(&stream);
        let named = StreamRef { stream: stream.clone() };
        assert_same_request(
            code::GET_STREAM,
            &GetStreamRequest { stream_id: stream_id.clone() },
            &Request::GetStream(named.clone()),
        );
        assert_same_request(
            code::DELETE_STREAM,
            &DeleteStreamRequest { stream_id: stream_id.clone() },
            &Request::DeleteStream(named.clone()),
        );
        assert_same_request(
            code::PURGE_STREAM,
            &PurgeStreamRequest { stream_id: stream_id.clone() },
            &Request::PurgeStream(named),
        );
        assert_same_request(code::GET_STREAMS, &GetStreamsRequest, &Request::GetStreams);
        let theirs = wire_options(&options);
        assert_same_request(
            code::CREATE_STREAM,
            &CreateStreamRequest { name: wire_name(&name), options: theirs.clone() },
            &Request::CreateStream(CreateStream {
                name: name.clone(),
                options: Some(options.clone()),
            }),
        );
        assert_same_request(
            code::UPDATE_STREAM,
            &UpdateStreamRequest { stream_id, name: wire_name(&name), options: theirs },
            &Request::UpdateStream(UpdateStream { stream, name, options: Some(options) }),
        );
    }

    #[test]
    fn a_stream_is_theirs(stream in stream(), topics in vec(topic(), 0..4)) {
        let created = wire_stream(&stream);
        assert_same_reply(&[code::CREATE_STREAM], &created, &Reply::CreatedStream(stream.clone()));
        let stream = Stream { topics_count: u32::try_from(topics.len()).unwrap(), ..stream };
        let theirs = GetStreamResponse {
            stream: wire_stream(&stream),
            topics: topics.iter().map(wire_topic).collect(),
        };
        let ours = Reply::Stream(StreamDetails { stream, topics });
        assert_same_reply(&[code::GET_STREAM], &theirs, &ours);
    }

    #[test]
    fn a_list_of_streams_is_theirs(streams in vec(stream(), 0..4)) {
        let theirs = GetStreamsResponse { streams: streams.iter().map(wire_stream).collect() };
        assert_same_reply(&[code::GET_STREAMS], &theirs, &Reply::Streams(streams));
    }
}
