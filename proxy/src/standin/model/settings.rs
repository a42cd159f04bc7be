//! What a client wants of a topic: fields in the classic dialect, options in VSR.

use parallax_codec::commands::{
    CreateTopic, CreateTopicWithOptions, UpdateTopic, UpdateTopicWithOptions,
};
use parallax_codec::messages::UserHeader;
use parallax_codec::primitives::{Identifier, Options};

use super::options;
use super::topology::Topic;

/// What a new topic is to be, in either dialect.
pub(super) struct NewTopic {
    pub(super) stream: Identifier,
    pub(super) name: String,
    pub(super) partitions_count: u32,
    pub(super) settings: Settings,
}

/// What a topic is to become, in either dialect.
pub(super) struct ChangedTopic {
    pub(super) stream: Identifier,
    pub(super) topic: Identifier,
    pub(super) name: String,
    pub(super) settings: Settings,
}

/// A topic's settings; what is `None` stays as it is.
pub(super) struct Settings {
    compression_algorithm: Option<u8>,
    message_expiry: Option<u64>,
    max_topic_size: Option<u64>,
    replication_factor: u8,
    asked: Vec<UserHeader>,
}

impl Settings {
    fn of(options: Options) -> Self {
        Self {
            compression_algorithm: options::compression(&options),
            message_expiry: options::number(&options, "message_expiry"),
            max_topic_size: options::number(&options, "max_topic_size"),
            replication_factor: 1,
            asked: options.0,
        }
    }
}

impl From<CreateTopic> for NewTopic {
    fn from(request: CreateTopic) -> Self {
        Self {
            stream: request.stream,
            name: request.name,
            partitions_count: request.partitions_count,
            settings: Settings {
                compression_algorithm: Some(request.compression_algorithm),
                message_expiry: Some(request.message_expiry),
                max_topic_size: Some(request.max_topic_size),
                replication_factor: request.replication_factor,
                asked: Vec::new(),
            },
        }
    }
}

impl From<CreateTopicWithOptions> for NewTopic {
    fn from(request: CreateTopicWithOptions) -> Self {
        Self {
            stream: request.stream,
            name: request.name,
            partitions_count: request.partitions_count,
            settings: Settings::of(request.options),
        }
    }
}

impl From<UpdateTopic> for ChangedTopic {
    fn from(request: UpdateTopic) -> Self {
        Self {
            stream: request.stream,
            topic: request.topic,
            name: request.name,
            settings: Settings {
                compression_algorithm: Some(request.compression_algorithm),
                message_expiry: Some(request.message_expiry),
                max_topic_size: Some(request.max_topic_size),
                replication_factor: request.replication_factor,
                asked: Vec::new(),
            },
        }
    }
}

impl From<UpdateTopicWithOptions> for ChangedTopic {
    fn from(request: UpdateTopicWithOptions) -> Self {
        Self {
            stream: request.stream,
            topic: request.topic,
            name: request.name,
            settings: Settings::of(request.options),
        }
    }
}

impl Topic {
    /// Takes settings on.
    pub(super) fn set(&mut self, settings: Settings) {
        if let Some(algorithm) = settings.compression_algorithm {
            self.compression_algorithm = algorithm;
        }
        if let Some(expiry) = settings.message_expiry {
            self.message_expiry = or_unlimited(expiry);
        }
        if let Some(size) = settings.max_topic_size {
            self.max_topic_size = or_unlimited(size);
        }
        self.replication_factor = settings.replication_factor.max(1);
        self.asked = options::merged(&self.asked, settings.asked);
    }
}

/// 0 asks for the server's default, and that is "no limit" on servers 0.8.0, in
/// the configuration that it comes with, and 0.9.0-edge.5.
fn or_unlimited(value: u64) -> u64 {
    if value == 0 { u64::MAX } else { value }
}
